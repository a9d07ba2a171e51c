import { planCapture } from "../capture/plan-capture.ts";
import type { CaptureOperation, CapturePlan, ExistingNote, Refusal } from "../capture/plan.ts";
import type { Evidence, NoteType, Scope } from "../notes/note.ts";
import type { Headroom } from "../notes/store.ts";
import { parseNote } from "../notes/parse-note.ts";
import { zoneName } from "../shared/clock.ts";
import { MemoryError } from "../shared/errors.ts";
import type { Transcript } from "../transcripts/turn.ts";
import { createNote } from "./remember.ts";
import { liveEntries, type ScopedStore, type Workspace } from "./workspace.ts";

export interface CapturedNote {
  /** `undefined` in a dry run. */
  readonly file: string | undefined;
  readonly scoped: ScopedStore;
  readonly type: NoteType;
  readonly name: string;
  readonly description: string;
  readonly text: string;
  readonly evidence: Evidence;
  /** The note that this one retired. */
  readonly superseded: string | undefined;
}

export interface CaptureOutcome {
  readonly notes: readonly CapturedNote[];
  readonly refused: readonly Refusal[];
  /** Room left in MEMORY.md after the last note; `undefined` when none was written. */
  readonly headroom: Headroom | undefined;
}

/**
 * Turns a finished session into notes: the person's own words only, each with its evidence. Running it
 * again on the same session adds nothing.
 */
export async function captureSession(workspace: Workspace, transcript: Transcript, options: { readonly dryRun?: boolean } = {}): Promise<CaptureOutcome> {
  for (const { store } of workspace.stores) store.reconcile("full");
  const plan = await planFor(workspace, transcript);
  const notes: CapturedNote[] = [];
  let headroom: Headroom | undefined;
  for (const operation of plan.operations) {
    const scoped = scopeFor(workspace, operation);
    const { draft } = operation;
    const superseded = operation.kind === "supersede" ? localFile(operation.file, scoped) : undefined;
    const created = options.dryRun === true ? undefined : createNote(workspace, scoped, { ...draft, source: "rules" }, "rules", superseded);
    headroom = created?.headroom;
    const file = created?.ref.file;
    notes.push({ file, scoped, type: draft.type, name: draft.name, description: draft.description, text: draft.body, evidence: draft.evidence ?? { session: transcript.session, message: "" }, superseded });
  }
  return { notes, refused: plan.refused, headroom };
}

async function planFor(workspace: Workspace, transcript: Transcript): Promise<CapturePlan> {
  const existing = liveEntries(workspace).flatMap(({ scoped, entry }): ExistingNote[] => {
    const bytes = scoped.store.read(entry.file);
    if (bytes === undefined) return [];
    const { type, name, description, body } = parseNote(entry.file, bytes, workspace.codec);
    return [{ file: scopedName(scoped, entry.file), type, name, description, body }];
  });
  return planCapture(transcript, existing, { secrets: workspace.secrets, dates: await workspace.dates(), timeZone: zoneName(workspace.clock) });
}

/** What is known of the person follows them; all else stays with the project, private, until promoted. */
function scopeFor(workspace: Workspace, operation: CaptureOperation): ScopedStore {
  const superseded = operation.kind === "supersede" ? workspace.stores.find(({ scope }) => scope === scopeOfName(operation.file)) : undefined;
  const wanted: Scope = operation.draft.type === "user" && workspace.scopes.includes("user") ? "user" : "project";
  const scoped = superseded ?? workspace.open(wanted);
  if (scoped === undefined) throw new MemoryError("invalid-input", `there is no ${wanted} scope here`);
  return scoped;
}

/** File names are unique within a store only; capture sees them with their scope. */
function scopedName(scoped: ScopedStore, file: string): string {
  return `${scoped.scope}:${file}`;
}

function scopeOfName(name: string): string {
  return name.slice(0, name.indexOf(":"));
}

function localFile(name: string, scoped: ScopedStore): string | undefined {
  return scopeOfName(name) === scoped.scope ? name.slice(name.indexOf(":") + 1) : undefined;
}
