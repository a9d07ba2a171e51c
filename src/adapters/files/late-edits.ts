import { entryTarget, handLinesOf, withHandLines } from "../../core/notes/index-file.ts";
import { conflictFile, INDEX_FILE } from "../../core/notes/names.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { DisplacedCopy } from "./replace-file.ts";
import { pathOf, reindex, type StoreContext } from "./store-context.ts";

/** An editor that opened a file before it was displaced has saved it long before this (ms). */
const GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 500;
const swept = new WeakMap<StoreContext, number>();

/** What was written into displaced copies since they were moved aside is kept; called under the lock. */
export function sweepLateEdits(context: StoreContext): void {
  const now = context.clock.now();
  if (Math.abs(now - (swept.get(context) ?? 0)) < SWEEP_EVERY_MS) return;
  swept.set(context, now);
  sweep(context, ({ time }) => now - time >= GRACE_MS || now < time);
}

/** The same for one file, at once. */
export function sweepLateEditsOf(context: StoreContext, file: string): void {
  sweep(context, (copy) => copy.file === file);
}

function sweep(context: StoreContext, isDue: (copy: DisplacedCopy) => boolean): void {
  context.replacer.sweepDisplaced(isDue, (file, content) =>
    file === INDEX_FILE ? keepLateLines(context, content) : keepLateEdit(context, file, content),
  );
}

/** A late edit of a note is kept beside it as a conflict, or in its place when that is free. */
function keepLateEdit(context: StoreContext, file: string, content: Uint8Array): void {
  const isHere = (name: string): boolean => {
    const current = context.files.read(pathOf(context, name));
    return current !== undefined && sha256(current) === sha256(content);
  };
  if (isHere(file)) return;
  let isKept = false;
  const taken = (name: string): boolean => {
    if (context.files.stat(pathOf(context, name)) === undefined) return false;
    isKept ||= isHere(name);
    return true;
  };
  const target = taken(file) ? conflictFile(file, taken) : file;
  if (isKept || context.replacer.replace(target, content, undefined) === "changed") return;
  journalLate(context, target, content);
  reindex(context, [target]);
}

/** An index has no conflict copies: lines that somebody added while it was replaced are added to it again. */
function keepLateLines(context: StoreContext, content: Uint8Array): void {
  journalLate(context, INDEX_FILE, content);
  const path = pathOf(context, INDEX_FILE);
  const kind = context.files.stat(path)?.kind;
  const current = kind === "file" ? context.files.read(path) : undefined;
  if ((kind !== undefined && current === undefined) || !isUtf8(content) || (current !== undefined && !isUtf8(current)))
    return;
  const isStale = (line: string): boolean => {
    const file = entryTarget(line);
    return file !== undefined && context.files.stat(pathOf(context, file)) === undefined;
  };
  const text = current === undefined ? undefined : decode(current);
  const united = withHandLines(
    text,
    handLinesOf(decode(content)).filter((line) => !isStale(line)),
  );
  if (united !== text)
    context.replacer.replace(INDEX_FILE, new TextEncoder().encode(united), current && sha256(current));
}

function journalLate(context: StoreContext, file: string, after: Uint8Array): void {
  const time = new Date(context.clock.now()).toISOString();
  context.journal.commit({
    seq: context.journal.nextSeq(),
    time,
    actor: "external",
    reason: "edited while it was being replaced",
    changes: [{ file, before: undefined, after }],
  });
  context.journal.finish();
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
