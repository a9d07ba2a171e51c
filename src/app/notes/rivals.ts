import { decide, type InForce, NEAREST, type Rival } from "../../core/notes/changes/decide.ts";
import type { ChangeKind } from "../../core/notes/changes/value.ts";
import type { NoteDraft, Note } from "../../core/notes/note.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { shownNote } from "../../core/notes/shown-note.ts";
import { analyse } from "../../core/notes/terms.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";

/** A live note with what it says. */
export interface NearNote extends InForce {
  readonly note: Note;
}

/** A note that a new one supersedes or contradicts, as a person is told of it. */
export interface RivalNote {
  readonly file: string;
  readonly says: string;
}

export interface Rivals {
  /** Clear: they go with the commit that brings the new note. */
  readonly superseded: readonly RivalNote[];
  /** In doubt: both stay until somebody settles it. */
  readonly contradicts: readonly RivalNote[];
  /** The new note says all that these say, and more; both stay. */
  readonly refines?: readonly RivalNote[];
}

export const NO_RIVALS: Rivals = { superseded: [], contradicts: [] };

/** What a new note does to the notes in force, in one word: of several the one that changes most. */
export function relationOf({ superseded, contradicts, refines = [] }: Rivals): ChangeKind {
  if (superseded.length > 0) return "replaces";
  if (contradicts.length > 0) return "contradicts";
  return refines.length > 0 ? "refines" : "beside";
}

/** Notes read for one statement: other types, and those retired a moment ago, are passed over. */
const SEARCHED = 2 * NEAREST;

/** The live notes of a store that share most with a text, the nearest first. */
export function nearNotes(
  { codec }: Pick<Workspace, "codec">,
  { store }: ScopedStore,
  text: string,
): readonly NearNote[] {
  store.reconcile("glance");
  const { candidates } = store.index.search(analyse(text), SEARCHED);
  return candidates.flatMap(({ entry: { file } }): NearNote[] => {
    const bytes = store.read(file);
    if (bytes === undefined) return [];
    const near = readNear(codec, file, bytes);
    return near.note.supersededBy === undefined ? [near] : [];
  });
}

/** So many notes are kept parsed. */
const MOST_PARSED = 256;
const parsed = new WeakMap<Workspace["codec"], Map<string, NearNote>>();

/** By file and bytes: the notes near one statement are near the next one too, with what was read out of them. */
function readNear(codec: Workspace["codec"], file: string, bytes: Uint8Array): NearNote {
  const kept = parsed.get(codec) ?? new Map<string, NearNote>();
  parsed.set(codec, kept);
  const key = `${sha256(bytes)} ${file}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  // What it says is told and put into the queue for review.
  const note = shownNote(parseNote(file, bytes, codec));
  const { type, description, body, pinned, problems } = note;
  const near = { file, type, description, body, isProtected: pinned || problems.some(isUnwritable), note };
  const [oldest] = kept.keys();
  if (kept.size >= MOST_PARSED && oldest !== undefined) kept.delete(oldest);
  kept.set(key, near);
  return near;
}

function isUnwritable({ code }: Note["problems"][number]): boolean {
  return code === "malformed-frontmatter" || code === "unclosed-frontmatter" || code === "invalid-utf8";
}

/**
 * What a draft does to the nearest notes of its store. `onlyTold`: nobody knows which is newer unless the draft itself
 * tells. A draft that was written down earlier than a note supersedes it in no case.
 */
export function rivalsOf(
  near: readonly NearNote[],
  draft: Pick<NoteDraft, "type" | "description" | "body" | "created">,
  { onlyTold = false } = {},
): Rivals {
  const isUser = draft.type === "user";
  const compared = near.filter(({ type }) => (type === "user") === isUser).slice(0, NEAREST);
  const rivals = decide(draft, compared);
  const newer = new Set(near.filter(({ note }) => isNewer(note, draft.created)).map(({ file }) => file));
  const isClear = ({ kind, change, note }: Rival): boolean =>
    kind === "replaces" && (!onlyTold || change.isTold === true) && !newer.has(note.file);
  return {
    superseded: rivals.filter(isClear).map(rivalNote),
    contradicts: rivals
      .filter((rival) => (rival.kind === "replaces" || rival.kind === "contradicts") && !isClear(rival))
      .map(rivalNote),
    refines: rivals.filter(({ kind }) => kind === "refines").map(rivalNote),
  };
}

function isNewer({ modified }: Note, created: string | undefined): boolean {
  return created !== undefined && modified !== undefined && Date.parse(modified) > Date.parse(created);
}

function rivalNote({ note: { file, description } }: Rival): RivalNote {
  return { file, says: description };
}

const QUOTE_CHARACTERS = 400;

/** Puts it to a person: does the new note hold in place of the older ones? */
export function askAbout(
  { review, clock }: Pick<Workspace, "review" | "clock">,
  { scope, store }: ScopedStore,
  by: string,
  draft: Pick<NoteDraft, "body" | "evidence">,
  rivals: readonly RivalNote[],
): void {
  for (const { file, says } of rivals) {
    const bytes = store.read(file);
    if (bytes === undefined) continue;
    const target = `${scope}:${file}`;
    const evidence = draft.evidence ?? { session: "", message: "" };
    review.add({
      id: sha256(["retire", scope, target, target].join("\n")).slice(0, 8),
      time: new Date(clock.now()).toISOString(),
      scope,
      operation: { kind: "retire", file: target, by, evidence },
      reason: `${by} contradicts it: "${truncate(oneLine(says), 120)}"`,
      doubtful: true,
      by: "rules",
      evidence,
      quote: truncate(oneLine(draft.body), QUOTE_CHARACTERS),
      saidAs: "other",
      seen: sha256(bytes),
    });
  }
}
