import { shownText } from "../../core/notes/parse-note.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { shellWord } from "../../core/shared/shell-word.ts";
import { keepBoth, keepNote } from "../dream/conflicts.ts";
import { findRemovedNote } from "../notes/find-note.ts";
import { noteScope, splitScope } from "../notes/gate.ts";
import { baseOf, pin, remove, revise, type ReviseResult } from "../notes/revise.ts";
import { restore, supersede } from "../notes/supersede.ts";
import { undo, undoingOf, type UndoResult, versionsOf } from "../notes/versions.ts";
import { moveNote } from "../transfer/transfers.ts";
import { redo, undoAnywhere } from "../transfer/undo.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { type NoteRef, shownRef } from "../workspace/workspace.ts";
import { idOf, refOf, storeOf } from "./note-list.ts";
import type { NoteId, TextHash } from "./shapes.ts";

/** A note, and the version of its text that the writer saw. */
export interface Seen {
  readonly id: NoteId;
  /** Left out only for a removed note. */
  readonly seen?: TextHash | undefined;
}

/** The outcome of a change from outside. */
export type Changed =
  | {
      readonly kind: "done";
      readonly outcome: string;
      readonly says: string;
      readonly id?: NoteId;
      readonly version?: TextHash;
      readonly undo?: string;
    }
  /** Another writer changed the note; nothing was written. */
  | { readonly kind: "conflict"; readonly says: string; readonly conflict: TwoTexts }
  | {
      readonly kind: "refused";
      /** "stale", or why a gate refused the text. */
      readonly code: Extract<ReviseResult, { outcome: "refused" }>["reason"] | "stale";
      readonly says: string;
    }
  | { readonly kind: "not-found"; readonly says: string };

export interface TwoTexts {
  readonly id: NoteId;
  readonly yours?: string;
  readonly theirs?: string;
  readonly version?: TextHash;
}

/** The note if it is still as the writer saw it, else why it is not changed. */
function asSeen(
  workspace: OpenWorkspace,
  { id, seen }: Seen,
  yours?: string,
): { readonly ref: NoteRef; readonly base: Uint8Array } | Exclude<Changed, { readonly kind: "done" }> {
  const { scope } = splitScope(id);
  for (const { scope: one, store } of workspace.stores) if (one === scope) store.reconcile("full");
  const ref = refOf(workspace, id);
  const base = ref?.scoped.store.read(ref.file);
  if (ref === undefined || base === undefined) {
    if (findRemoved(workspace, id) === undefined) return { kind: "not-found", says: `there is no note ${id}` };
    return {
      kind: "conflict",
      says: `${id} was removed meanwhile; nothing was written`,
      conflict: { id, ...(yours !== undefined && { yours }) },
    };
  }
  const version = contentVersion(base);
  if (version === seen) return { ref, base };
  return {
    kind: "conflict",
    says: `${id} was changed meanwhile; nothing was written`,
    conflict: { id, ...yoursOf(ref, seen, yours), theirs: shownText(base), version },
  };
}

/** The text to be written; else the text that the writer saw, if history has it. */
function yoursOf(ref: NoteRef, seen: TextHash | undefined, yours: string | undefined): Pick<TwoTexts, "yours"> {
  if (yours !== undefined) return { yours };
  const base = baseOf(ref, seen);
  return base === "unseen" ? {} : { yours: shownText(base) };
}

/** A removed note that has a history. */
export function findRemoved(workspace: OpenWorkspace, id: NoteId): NoteRef | undefined {
  const { scope, rest } = splitScope(id);
  const removed = scope === undefined ? undefined : findRemovedNote(workspace, id);
  return removed?.file === rest ? removed : undefined;
}

function done(
  workspace: OpenWorkspace,
  outcome: string,
  says: string,
  ref: NoteRef,
  undoable = true,
): Extract<Changed, { kind: "done" }> {
  const bytes = ref.scoped.store.read(ref.file);
  return {
    kind: "done",
    outcome,
    says,
    id: idOf(ref.scoped, ref.file),
    ...(bytes !== undefined && { version: contentVersion(bytes) }),
    ...(undoable && { undo: `memdir undo ${shellWord(shownRef(workspace, ref))}` }),
  };
}

/** Turns a result of `revise`, `pin` or `remove` into a `Changed`. */
function written(workspace: OpenWorkspace, ref: NoteRef, result: ReviseResult, says: string, yours?: string): Changed {
  switch (result.outcome) {
    case "refused":
      return { kind: "refused", code: result.reason, says: result.message };
    case "changed":
    case "gone":
    case "exists": {
      const theirs = ref.scoped.store.read(ref.file);
      const text = theirs === undefined ? {} : { theirs: shownText(theirs), version: contentVersion(theirs) };
      return {
        kind: "conflict",
        says: `${ref.file} was changed meanwhile; nothing was written`,
        conflict: { id: idOf(ref.scoped, ref.file), ...(yours !== undefined && { yours }), ...text },
      };
    }
    case "unchanged":
      return done(workspace, "unchanged", "nothing had to change", ref, false);
    case "kept-both":
      return done(workspace, "kept-both", `both texts are kept: ${result.file} and ${result.conflict}`, ref);
    case "deleted":
      return done(workspace, "removed", says, ref);
    default:
      return done(workspace, result.outcome === "created" ? "written" : result.outcome, says, ref);
  }
}

export function pinSeen(workspace: OpenWorkspace, seen: Seen, pinned: boolean): Changed {
  const found = asSeen(workspace, seen);
  if ("kind" in found) return found;
  const says = `${found.ref.file} ${pinned ? "is pinned: a session starts with all of it" : "is no longer pinned"}`;
  return written(workspace, found.ref, pin(workspace, found.ref, pinned, found.base), says);
}

/** @throws MemoryError `invalid-input` for a file that is not UTF-8. */
export async function reviseSeen(workspace: OpenWorkspace, seen: Seen, text: string): Promise<Changed> {
  const found = asSeen(workspace, seen, text);
  if ("kind" in found) return found;
  // A user who saves a whole note on the page has read it: it is kept, and the note records why a gate would refuse it.
  const result = await revise(workspace, found.ref, { text, insist: true }, found.base);
  return written(workspace, found.ref, result, `${found.ref.file} is saved`, text);
}

export function removeSeen(workspace: OpenWorkspace, seen: Seen): Changed {
  const found = asSeen(workspace, seen);
  if ("kind" in found) return found;
  const says = `${found.ref.file} is removed; it can be brought back for 30 days`;
  return written(workspace, found.ref, remove(found.ref, found.base), says);
}

/** A note that is still as it was seen, or a removed note when no version was given as seen. */
function seenOrGone(
  workspace: OpenWorkspace,
  seen: Seen,
): { readonly ref: NoteRef } | Exclude<Changed, { readonly kind: "done" }> {
  if (seen.seen !== undefined) return asSeen(workspace, seen);
  for (const { store } of workspace.stores) store.reconcile("full");
  if (refOf(workspace, seen.id) !== undefined) return asSeen(workspace, seen);
  const ref = findRemoved(workspace, seen.id);
  return ref === undefined ? { kind: "not-found", says: `nothing is known of ${seen.id}` } : { ref };
}

export function restoreSeen(workspace: OpenWorkspace, seen: Seen): Changed {
  const found = seenOrGone(workspace, seen);
  if ("kind" in found) return found;
  const result = restore(workspace, found.ref);
  return result.outcome === "unchanged"
    ? done(workspace, "unchanged", `${result.file} is current; there is nothing to restore`, found.ref, false)
    : done(workspace, "restored", `${result.file} is back; it was ${result.was}`, found.ref);
}

/** Undoes a note's last change, or that of version `seq`. */
export function undoSeen(workspace: OpenWorkspace, seen: Seen, seq?: number): Changed {
  const found = seenOrGone(workspace, seen);
  if ("kind" in found) return found;
  const { scoped, file } = found.ref;
  const result = undoAnywhere(workspace, scoped, file, seq === undefined ? undefined : String(seq));
  return undone(workspace, found.ref, result, "undone");
}

export function redoSeen(workspace: OpenWorkspace, seen: Seen): Changed {
  const found = seenOrGone(workspace, seen);
  if ("kind" in found) return found;
  return undone(workspace, found.ref, redo(workspace, found.ref.scoped, found.ref.file), "redone");
}

function undone(workspace: OpenWorkspace, ref: NoteRef, result: UndoResult, outcome: "undone" | "redone"): Changed {
  if (result.outcome === "nothing") return { kind: "refused", code: "stale", says: result.message };
  if (result.outcome === "conflict") {
    const theirs = ref.scoped.store.read(ref.file);
    return {
      kind: "conflict",
      says: `${result.files.join(", ")} changed again since; nothing was undone`,
      conflict: {
        id: idOf(ref.scoped, ref.file),
        ...(theirs !== undefined && { theirs: shownText(theirs), version: contentVersion(theirs) }),
      },
    };
  }
  const { again, what } = undoingOf(versionsOf(ref.scoped), result.version);
  return done(workspace, outcome, `${again ? "done again" : "taken back"}: ${what}`, ref, false);
}

/** Replaces the note by `by`. @throws MemoryError if one cannot supersede the other. */
export function supersedeSeen(workspace: OpenWorkspace, seen: Seen, by: Seen): Changed {
  const old = asSeen(workspace, seen);
  if ("kind" in old) return old;
  const heir = asSeen(workspace, by);
  if ("kind" in heir) return heir;
  supersede(workspace, old.ref, heir.ref);
  return done(workspace, "superseded", `${old.ref.file} is superseded by ${heir.ref.file}`, old.ref);
}

/** @throws MemoryError `refused`, `conflict` or `invalid-input` if the note cannot move there. */
export async function moveSeen(workspace: OpenWorkspace, seen: Seen, to: string): Promise<Changed> {
  const scope = noteScope(to);
  if (scope === undefined) throw new MemoryError("invalid-input", "name the scope that the note is to go to");
  const found = asSeen(workspace, seen);
  if ("kind" in found) return found;
  const { ref } = await moveNote(workspace, found.ref, scope);
  return done(workspace, "moved", `${found.ref.file} is a ${scope} note now`, ref);
}

/** Settles a contradiction whose notes are all as they were seen. @throws MemoryError `not-found` if there is none. */
export function settleSeen(
  workspace: OpenWorkspace,
  seen: Seen,
  settle: "keep" | "both",
  others: readonly Seen[],
): Changed {
  const found = asSeen(workspace, seen);
  if ("kind" in found) return found;
  for (const other of others) {
    const one = asSeen(workspace, other);
    if ("kind" in one) return one;
  }
  const settled = (settle === "keep" ? keepNote : keepBoth)(workspace, found.ref).map(({ file }) => file);
  const says =
    settle === "keep"
      ? `${found.ref.file} holds; ${settled.join(", ")} ${settled.length === 1 ? "is" : "are"} superseded`
      : `${[found.ref.file, ...settled].join(" and ")} both hold; nobody is asked again`;
  return done(workspace, "settled", says, found.ref);
}

/** Undoes a whole dream by its version. */
export function undoDreamAt(workspace: OpenWorkspace, scope: string, seq: number): Changed {
  const scoped = storeOf(workspace.stores, scope);
  const version = scoped?.store
    .history()
    .versions()
    .find((one) => one.seq === seq && one.actor === "dream");
  if (scoped === undefined || version === undefined)
    return { kind: "not-found", says: `there is no dream with version ${seq} in the ${scope} scope` };
  const result = undo(workspace, scoped, undefined, version.id);
  if (result.outcome === "nothing") return { kind: "refused", code: "stale", says: result.message };
  if (result.outcome === "undone") return { kind: "done", outcome: "undone", says: "the dream is taken back" };
  const [file = ""] = result.files;
  const theirs = scoped.store.read(file);
  return {
    kind: "conflict",
    says: `${result.files.join(", ")} changed since the dream; nothing was undone`,
    conflict: { id: idOf(scoped, file), ...(theirs !== undefined && { theirs: shownText(theirs) }) },
  };
}
