import { randomBytes } from "node:crypto";
import type { FileChange, Lineage } from "../../core/notes/history.ts";
import { conflictFile } from "../../core/notes/names.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import type {
  ChangeOutcome,
  CommitNote,
  CommitResult,
  Headroom,
  StoreChange,
  StoreContent,
} from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { archiveWhenLarge } from "./journal.ts";
import { allowAgain } from "./forgotten.ts";
import { writeIndexFile } from "./index-page.ts";
import { mergeNotes } from "./merge.ts";
import { guardPath, pathOf, reindex, retiredBy, type StoreContext, syncParents } from "./store-context.ts";
import { knownDirectories, refreshDirectories } from "./scan.ts";
import { adoptChanges } from "./reconcile.ts";

const ATTEMPTS = 20;

interface Prepared {
  readonly outcome: ChangeOutcome;
  readonly changes: readonly FileChange[];
}

/** One transaction; called under the lock, after recovery. */
export function commitChanges(context: StoreContext, wanted: readonly StoreChange[], note: CommitNote): CommitResult {
  guard(context, wanted, note);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    adoptTouched(context, wanted);
    const prepared = wanted.map((change) => prepare(context, change));
    const outcomes = prepared.map(({ outcome }) => outcome);
    if (outcomes.some(({ outcome }) => outcome === "exists" || outcome === "gone" || outcome === "changed"))
      return { ok: false, outcomes };
    const changes = prepared.flatMap((one) => one.changes);
    const seq = write(context, changes, note);
    if (seq !== undefined) {
      const headroom = settleIfPossible(context, changes, note.indexBefore);
      return { ok: true, seq, outcomes, headroom };
    }
  }
  throw new MemoryError(
    "conflict",
    `${wanted.map(({ file }) => file).join(", ")} keeps being rewritten by another program; nothing was changed, try again when it is quiet`,
  );
}

/** Edits that others made to these files since the index was updated enter history under their name, not ours. */
function adoptTouched(context: StoreContext, wanted: readonly StoreChange[]): void {
  const isNews = wanted.some(({ file }) => {
    const bytes = context.files.read(pathOf(context, file));
    return (bytes && sha256(bytes)) !== context.index.entry(file)?.hash;
  });
  if (isNews) adoptChanges(context);
}

function prepare(context: StoreContext, change: StoreChange): Prepared {
  const { file } = change;
  const current = context.files.read(pathOf(context, file));
  const refuse = (outcome: "exists" | "gone" | "changed"): Prepared => ({ outcome: { outcome, file }, changes: [] });
  if (change.kind === "create") {
    if (current !== undefined) return refuse("exists");
    return {
      outcome: { outcome: "created", file },
      changes: [{ file, before: undefined, after: bytesOf(change.content), lineage: change.lineage ?? newLineage() }],
    };
  }
  if (current === undefined) return refuse("gone");
  if (change.kind === "expect")
    return sha256(current) === change.hash
      ? { outcome: { outcome: "unchanged", file }, changes: [] }
      : refuse("changed");
  const isAsSeen = sha256(current) === sha256(change.base);
  if (change.kind === "delete") {
    // An edit takes precedence over a delete.
    return isAsSeen
      ? {
          outcome: { outcome: "deleted", file },
          changes: [{ file, before: current, after: undefined, ...lineageIn(change) }],
        }
      : refuse("changed");
  }
  if (!isAsSeen && change.exact === true) return refuse("changed");
  return isAsSeen ? replaced(change, current, change.content, "written") : merged(context, file, current, change);
}

function newLineage(): Lineage {
  return randomBytes(12).toString("hex");
}

function lineageIn({ lineage }: { readonly lineage?: Lineage }): { readonly lineage?: Lineage } {
  return lineage === undefined ? {} : { lineage };
}

function replaced(
  change: Extract<StoreChange, { kind: "write" }>,
  current: Uint8Array,
  content: StoreContent,
  outcome: "written" | "merged",
): Prepared {
  const { file } = change;
  const after = bytesOf(content);
  if (sha256(after) === sha256(current)) return { outcome: { outcome: "unchanged", file }, changes: [] };
  return { outcome: { outcome, file }, changes: [{ file, before: current, after, ...lineageIn(change) }] };
}

function merged(
  context: StoreContext,
  file: string,
  current: Uint8Array,
  change: Extract<StoreChange, { kind: "write" }>,
): Prepared {
  const wanted = bytesOf(change.content);
  const isText = [current, change.base, wanted].every(isUtf8);
  const text = isText ? mergeNotes(decode(change.base), decode(wanted), decode(current), context.codec) : undefined;
  if (text !== undefined) return replaced(change, current, text, "merged");
  const conflict = conflictFile(file, (name) => context.files.stat(pathOf(context, name)) !== undefined);
  return {
    outcome: { outcome: "kept-both", file, conflict },
    changes: [{ file: conflict, before: undefined, after: wanted }],
  };
}

/** Writes the journal, then the files; `undefined` if another program interfered and everything was restored. */
function write(context: StoreContext, changes: readonly FileChange[], note: CommitNote): number | undefined {
  const seq = context.journal.nextSeq();
  if (changes.length === 0) return seq - 1;
  allowAgain(
    context,
    changes.filter(({ before }) => before === undefined).map(({ file }) => file),
  );
  const { actor, reason } = note;
  context.journal.commit({ seq, time: new Date(context.clock.now()).toISOString(), actor, reason, changes });
  const directories = knownDirectories(context);
  try {
    for (const change of changes) {
      if (context.replacer.replace(change.file, change.after, change.before && sha256(change.before)) === "changed") {
        takeBack(context, seq, changes);
        return undefined;
      }
    }
    syncParents(
      context,
      changes.map(({ file }) => file),
    );
  } catch (error) {
    takeBackIfPossible(context, seq, changes);
    throw error;
  }
  if (directories !== undefined) refreshIfPossible(context, directories);
  return seq;
}

/** `settle` finds out if the index failed here; the change stands. */
function refreshIfPossible(context: StoreContext, directories: Readonly<Record<string, number>>): void {
  try {
    refreshDirectories(context, directories, context.clock.now());
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** A change that cannot be undone stays in the journal as unfinished, and the next process completes it. */
function takeBackIfPossible(context: StoreContext, seq: number, changes: readonly FileChange[]): void {
  try {
    takeBack(context, seq, changes);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

function takeBack(context: StoreContext, seq: number, changes: readonly FileChange[]): void {
  for (const change of changes.toReversed()) {
    if (followed(context, change))
      context.replacer.replace(change.file, change.before, change.after && sha256(change.after));
    else if (isAside(context, change)) context.replacer.replace(change.file, change.before, undefined);
  }
  if (changes.every((change) => !followed(context, change) && !isAside(context, change))) context.journal.abort(seq);
}

/** Whether the file has the state after the change. */
function followed(context: StoreContext, { file, after }: FileChange): boolean {
  const current = context.files.read(pathOf(context, file));
  return (current && sha256(current)) === (after && sha256(after));
}

/** Whether the old file was moved aside and its name is free. */
function isAside(context: StoreContext, { file, before }: FileChange): boolean {
  if (before === undefined || context.files.stat(pathOf(context, file)) !== undefined) return false;
  return context.replacer.displaced(file).some((copy) => sha256(copy) === sha256(before));
}

/** The change is on disk and journalled: a failure of derived files, which recovery repairs, must not hide that. */
function settleIfPossible(
  context: StoreContext,
  changes: readonly FileChange[],
  earlier: Uint8Array | undefined,
): Headroom {
  try {
    return settle(context, changes, earlier);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { lines: 0, characters: 0, omitted: 0, behind: error.message };
  }
}

function settle(context: StoreContext, changes: readonly FileChange[], earlier: Uint8Array | undefined): Headroom {
  if (changes.length > 0)
    reindex(
      context,
      changes.map(({ file }) => file),
    );
  const directories = knownDirectories(context);
  const files = new Set(changes.flatMap(({ file, after }) => (after === undefined ? [] : [file])));
  const headroom = writeIndexFile(context, retiredBy(changes), earlier && { earlier, files });
  if (directories !== undefined) refreshDirectories(context, directories, context.clock.now());
  context.journal.finish();
  archiveWhenLarge(context);
  return headroom;
}

function guard(context: StoreContext, wanted: readonly StoreChange[], note: CommitNote): void {
  for (const { file } of wanted) guardPath(context, file);
  const twice = wanted.find(({ file }, position) => wanted.findIndex((other) => other.file === file) !== position);
  if (twice !== undefined)
    throw new MemoryError("invalid-input", `${twice.file} is changed twice in one transaction; make one change of it`);
  // The decoded text of a file that is not UTF-8 has lost part of its bytes.
  const mangled = wanted.find(
    (change) => change.kind === "write" && typeof change.content === "string" && !isUtf8(change.base),
  );
  if (mangled !== undefined)
    throw new MemoryError(
      "invalid-input",
      `${mangled.file} is not UTF-8, so it is left as it is; \`memdir edit ${mangled.file} --convert\` makes it UTF-8`,
    );
  // Recovery leaves external transactions alone: their files were written first.
  if (note.actor === "external")
    throw new MemoryError(
      "invalid-input",
      'the actor "external" stands for others\' edits; name who asked for this change',
    );
}

const bytesOf = (content: StoreContent): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
