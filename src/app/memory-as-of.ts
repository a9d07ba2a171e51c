import { type ContextSection, sessionContext } from "./recall/context.ts";
import { type ListedNote, type ShownNote, showNote } from "./notes/list.ts";
import { recall } from "./recall/recall.ts";
import type { RecallOutcome } from "./recall/recall-notes.ts";
import { versionAsOf } from "./notes/versions.ts";
import type { NoteRef } from "./workspace/workspace.ts";
import { shownType } from "../core/notes/parse-note.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { openAsOf, type PastWorkspace } from "./recall/as-of.ts";
import type { OpenWorkspace } from "./workspace/open-workspace.ts";

/** A moment in the past: a `Date`, or ms since the epoch. */
export type Moment = Date | number;

/** What recall would have given then, for an agent to read. Not counted or logged, and claims are not checked. */
export function recallAsOf(
  workspace: OpenWorkspace,
  prompt: string,
  asOf: Moment,
  {
    session,
    touchedFiles = [],
    maxCharacters,
  }: { readonly session?: string; readonly touchedFiles?: readonly string[]; readonly maxCharacters?: number },
): RecallOutcome & { readonly text: string; readonly refined: Promise<undefined> } {
  if (session !== undefined)
    throw new MemoryError(
      "invalid-input",
      "recall takes asOf or session, not both: a session is about what a conversation has now",
    );
  return inPast(workspace, asOf, (past) => {
    const { outcome, rendered } = recall(past, { prompt, verify: undefined, touchedFiles, most: maxCharacters });
    return { ...outcome, text: rendered.text, refined: Promise.resolve(undefined) };
  });
}

/** The notes that a session started with then. The hand-kept index is left out: memdir does not version it. */
export function contextAsOf(workspace: OpenWorkspace, asOf: Moment): readonly ContextSection[] {
  return inPast(workspace, asOf, sessionContext);
}

export function listAsOf(workspace: OpenWorkspace, asOf: Moment): readonly ListedNote[] {
  return inPast(workspace, asOf, ({ stores }) =>
    stores.flatMap(({ scope, store }) => {
      const scoped = workspace.stores.find((one) => one.scope === scope);
      return scoped === undefined
        ? []
        : store.index
            .entries()
            .filter(({ supersededBy }) => supersededBy === undefined)
            .map((entry): ListedNote => ({ scoped, entry: { ...entry, shownType: shownType(entry) } }));
    }),
  );
}

/** @throws MemoryError `not-found` for a note that did not exist at that time. */
export function showAsOf(workspace: OpenWorkspace, ref: NoteRef, asOf: Moment): ShownNote | undefined {
  const version = versionAsOf(ref.scoped, msOf(asOf));
  if (version === undefined)
    throw new MemoryError(
      "not-found",
      `nothing is known of ${ref.file} from ${new Date(msOf(asOf)).toISOString()}: history begins later`,
    );
  return showNote(workspace, ref, version.seq);
}

function inPast<T>(workspace: OpenWorkspace, asOf: Moment, work: (past: PastWorkspace) => T): T {
  const past = openAsOf(workspace, msOf(asOf));
  try {
    return work(past);
  } finally {
    past.close();
  }
}

/** @throws MemoryError `invalid-input` for a value that is not a time. */
function msOf(asOf: Moment): number {
  const ms = Number(asOf);
  if (!Number.isFinite(ms))
    throw new MemoryError("invalid-input", `asOf is ${String(asOf)}; give a Date or milliseconds since the epoch`);
  return ms;
}
