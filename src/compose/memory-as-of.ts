import { type ContextSection, sessionContext } from "../core/memory/context.ts";
import { type ListedNote, type ShownNote, showNote } from "../core/memory/list.ts";
import { type RecallOutcome, recallNotes, renderOutcome } from "../core/memory/recall-notes.ts";
import { findRemovedNote } from "../core/memory/removed-note.ts";
import { versionAsOf } from "../core/memory/versions.ts";
import type { NoteRef } from "../core/memory/workspace.ts";
import { shownType } from "../core/notes/parse-note.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { openAsOf, type PastWorkspace } from "./as-of.ts";
import type { OpenWorkspace } from "./workspace.ts";

/** A moment of the past: a `Date`, or ms since the epoch. */
export type Moment = Date | number;

/** What recall gave then, for an agent to read; neither counted nor logged, and claims are not checked. */
export function recallAsOf(workspace: OpenWorkspace, prompt: string, asOf: Moment, { session, touchedFiles = [] }: { readonly session?: string; readonly touchedFiles?: readonly string[] }): RecallOutcome & { readonly text: string; readonly refined: Promise<undefined> } {
  if (session !== undefined) throw new MemoryError("invalid-input", "recall takes asOf or session, not both: a session is about what a conversation has now");
  return inPast(workspace, asOf, (past) => {
    const outcome = recallNotes(past, prompt, { touchedFiles });
    return { ...outcome, text: renderOutcome(past.clock, outcome).text, refined: Promise.resolve(undefined) };
  });
}

/** The notes that a session started with then. The hand-kept index is a person's file, which memdir does not version. */
export function contextAsOf(workspace: OpenWorkspace, asOf: Moment): readonly ContextSection[] {
  return inPast(workspace, asOf, sessionContext);
}

export function listAsOf(workspace: OpenWorkspace, asOf: Moment): readonly ListedNote[] {
  return inPast(workspace, asOf, ({ stores }) => stores.flatMap(({ scope, store }) => {
    const scoped = workspace.stores.find((one) => one.scope === scope);
    return scoped === undefined ? [] : store.index.entries().filter(({ supersededBy }) => supersededBy === undefined).map((entry): ListedNote => ({ scoped, entry: { ...entry, shownType: shownType(entry) } }));
  }));
}

/** @throws MemoryError `not-found` for a note that was not there then. */
export function showAsOf(workspace: OpenWorkspace, reference: string, asOf: Moment, present: (reference: string) => NoteRef): ShownNote | undefined {
  for (const { store } of workspace.stores) store.reconcile("full");
  const ref = findRemovedNote(workspace, reference) ?? present(reference);
  const version = versionAsOf(ref.scoped, msOf(asOf));
  if (version === undefined) throw new MemoryError("not-found", `nothing is known of ${ref.file} from ${new Date(msOf(asOf)).toISOString()}: history begins later`);
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

/** @throws MemoryError `invalid-input` for what is no time. */
function msOf(asOf: Moment): number {
  const ms = Number(asOf);
  if (!Number.isFinite(ms)) throw new MemoryError("invalid-input", `asOf is ${String(asOf)}; give a Date or milliseconds since the epoch`);
  return ms;
}
