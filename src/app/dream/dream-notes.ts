import type { Author, DreamNote, DreamOperation, RefusedOperation } from "../../core/dream/operation.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { Version } from "../../core/notes/history.ts";
import { type Note, speaksOfProject } from "../../core/notes/note.ts";
import { linksIn } from "../../core/notes/names.ts";
import { shownNote, baseName, filesIn, parseNote } from "../../core/notes/parse-note.ts";
import { saidAt } from "../../core/notes/dates/date-resolver.ts";
import { verifyNotes } from "../recall/verify-notes.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";
import type { DreamLine, DreamRecord } from "../../core/dream/dream-log.ts";
import { takenBack } from "../notes/versions.ts";

/** Tells if an earlier dream did this to these notes and the user undid it, so that it is not done again. */
export function isTakenBackIn(scoped: ScopedStore, dreams: readonly DreamRecord[]): (operation: DreamLine) => boolean {
  const applied = dreams.filter(({ version }) => version !== undefined);
  if (applied.length === 0) return () => false;
  const taken = takenBack(scoped);
  const lines = applied.filter(({ version }) => taken.has(String(version))).flatMap((dream) => dream.applied);
  const keys = new Set(lines.map(keyOf));
  return (operation) => keys.has(keyOf(operation));
}

/** Two notes that the user kept apart stay apart whatever their text; a different correction is a new operation. */
function keyOf({ kind, files, reason }: DreamLine): string {
  const isOfNotes = kind === "merge" || kind === "supersede" || kind === "retire";
  return JSON.stringify([kind, files.toSorted(), isOfNotes ? "" : reason]);
}

export function refusedAsTakenBack(operation: DreamOperation): RefusedOperation {
  return {
    operation,
    reason: "taken-back",
    message: "an earlier dream did this and it was taken back; do it by hand if you want it by now",
  };
}

export interface DreamNotes {
  readonly notes: readonly DreamNote[];
  readonly successorOf: (link: string) => string | "missing" | undefined;
}

/** A note with one of these sources was written for an agent. */
const AGENT_SOURCES: ReadonlySet<string> = new Set(["rules", "model", "agent", "dream"]);

export interface DreamNotesOptions {
  /** After this, the repository is not asked any more. */
  readonly isLate?: (() => boolean) | undefined;
  /** If false, the repository is not asked at all. */
  readonly verifies?: boolean;
}

/** The live notes of one store, with their authors and what the repository says about them, as far as time allows. */
export function dreamNotes(
  workspace: Workspace,
  scoped: ScopedStore,
  { isLate, verifies = true }: DreamNotesOptions = {},
): DreamNotes {
  scoped.store.reconcile("full");
  const entries = scoped.store.index.entries();
  // A name missing here may exist in another project that these notes are about.
  const verified =
    verifies && speaksOfProject(scoped.scope) ? verifyNotes(workspace, undefined, undefined, isLate) : undefined;
  const checks = new Map(
    (verified?.notes ?? []).filter(({ scope }) => scope === scoped.scope).map((note) => [note.file, note.checks]),
  );
  // A store without notes may not exist on disk, and opening its history would not create it.
  const edited =
    entries.length === 0 ? new Map<string, "person" | "unknown">() : whoEdited(scoped.store.history().versions());
  const usage = scoped.store.usage();
  const notes = entries
    .filter(({ supersededBy }) => supersededBy === undefined)
    .flatMap((entry): DreamNote[] => {
      const bytes = scoped.store.read(entry.file);
      if (bytes === undefined) return [];
      const { note: asWritten, data } = readOnce(entry.file, bytes, workspace.codec);
      const note = shownNote(asWritten);
      // Notes that cannot be rewritten safely are left alone.
      if (note.problems.some(({ code }) => UNWRITABLE.has(code))) return [];
      return [
        {
          file: entry.file,
          name: note.name,
          type: note.type,
          description: note.description,
          body: note.body.trim(),
          time: entry.time,
          said: saidAt(data, workspace.clock.timeZone),
          // Gates let no secret through, so the user put it there.
          author: holdsSecret(asWritten, note)
            ? "person"
            : authorOf(data, note.evidence !== undefined, edited.get(entry.file)),
          pinned: note.pinned,
          links: linksIn(note.body),
          settledWith: settledWith(data),
          checks: checks.get(entry.file) ?? [],
          shownInVain: usage.get(entry.file)?.shown ?? 0,
          hash: entry.hash,
        },
      ];
    });
  return { notes, successorOf: heirs(entries) };
}

function holdsSecret(written: Note, shown: Note): boolean {
  return written.body !== shown.body || written.description !== shown.description || written.name !== shown.name;
}

interface ReadFile {
  readonly note: Note;
  /** The whole frontmatter. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** In a large store, reading frontmatter is most of the work, so it is read once for both uses. */
function readOnce(file: string, bytes: Uint8Array, codec: FrontmatterCodec): ReadFile {
  let data: ReadFile["data"] = {};
  const note = parseNote(file, bytes, {
    ...codec,
    read: (block) => {
      const read = codec.read(block);
      data = read.data;
      return read;
    },
  });
  return { note, data };
}

const UNWRITABLE: ReadonlySet<string> = new Set([
  "malformed-frontmatter",
  "unclosed-frontmatter",
  "invalid-utf8",
  "nul-bytes",
  "conflict-markers",
  "oversize",
]);

function authorOf(
  data: Readonly<Record<string, unknown>>,
  hasEvidence: boolean,
  edited: "person" | "unknown" | undefined,
): Author {
  const source = metadataOf(data)["source"];
  if (edited === "person" || source === "user") return "person";
  if (typeof source === "string" && AGENT_SOURCES.has(source)) return edited ?? "agent";
  return source === undefined && hasEvidence ? "agent" : "unknown";
}

/** A note that the user changed through memdir is the user's; an agent's note changed by another program may be. */
function whoEdited(versions: readonly Version[]): ReadonlyMap<string, "person" | "unknown"> {
  const edited = new Map<string, "person" | "unknown">();
  for (const { actor, files } of versions) {
    if (actor !== "user" && actor !== "external") continue;
    for (const { file, kind } of files) {
      if (actor === "user") edited.set(file, "person");
      else if (kind === "changed" && edited.get(file) === undefined) edited.set(file, "unknown");
    }
  }
  return edited;
}

function metadataOf(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const metadata = data["metadata"];
  return typeof metadata === "object" && metadata !== null ? Object.fromEntries(Object.entries(metadata)) : {};
}

/** Where a link leads after retirements: the successor's name, `missing`, or `undefined` if nothing needs fixing. */
function heirs(
  entries: readonly { readonly file: string; readonly name: string; readonly supersededBy: string | undefined }[],
): DreamNotes["successorOf"] {
  const byName = new Map(
    entries.flatMap((entry) =>
      [entry.file, baseName(entry.file), entry.name].map((name) => [name.toLowerCase(), entry] as const),
    ),
  );
  return (link) => {
    const first = byName.get(link.toLowerCase());
    if (first === undefined) return "missing";
    const seen = new Set<string>();
    let entry = first;
    while (entry.supersededBy !== undefined && !seen.has(entry.file)) {
      seen.add(entry.file);
      const next = byName.get(entry.supersededBy.toLowerCase());
      if (next === undefined) return undefined;
      entry = next;
    }
    return entry === first ? undefined : entry.name;
  };
}

/** Files that the user said do not contradict this note. */
function settledWith(data: Readonly<Record<string, unknown>>): readonly string[] {
  return filesIn(metadataOf(data)["agreesWith"]);
}
