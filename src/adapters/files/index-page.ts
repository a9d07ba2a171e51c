import { generateIndex, type GeneratedIndex, handLinesOf, INDEX_ENTRIES_WANTED, withHandLines } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import type { Headroom } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { pathOf, type StoreContext } from "./store-context.ts";

const STATE_KEY = "index-file-hash";
const ATTEMPTS = 20;

/**
 * Brings MEMORY.md up to date under the lock, names in the store's directory on disk afterwards.
 * Edits made to it since are journalled before it is replaced. A MEMORY.md that is a link, a directory
 * or not UTF-8 is left as it is.
 */
export function writeIndexFile(context: StoreContext, retired: ReadonlySet<string>): Headroom {
  let carried: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const kind = context.files.stat(pathOf(context, INDEX_FILE))?.kind;
    const existing = kind === "file" || kind === "link" ? context.files.read(pathOf(context, INDEX_FILE)) : undefined;
    const isOurs = kind === undefined || (kind === "file" && existing !== undefined && isUtf8(existing));
    const generated = generate(context, withHandLines(existing && decode(existing), carried), retired);
    if (!isOurs) context.files.syncDirectory(context.directory);
    if (!isOurs || replacePage(context, existing, generated.content)) return headroomOf(context, generated);
    // Somebody made a new one while the old one was aside: an append to a file that was not there knows nothing of its lines.
    const aside = existing && context.replacer.displaced(INDEX_FILE).find((copy) => sha256(copy) === sha256(existing));
    if (aside !== undefined) carried = handLinesOf(decode(aside));
  }
  throw new MemoryError("conflict", `${pathOf(context, INDEX_FILE)} keeps being rewritten by another program; the notes are saved, run \`memdir doctor\` when it is quiet`);
}

/**
 * Puts a MEMORY.md back that a killed process had moved aside and not yet replaced. One that a person
 * deleted stays deleted: after a replacement that was completed the index remembers the new content.
 */
export function restoreIndexFile(context: StoreContext, wasInterrupted: boolean): void {
  if (context.files.stat(pathOf(context, INDEX_FILE)) !== undefined) return;
  const [newest] = context.replacer.displaced(INDEX_FILE);
  if (newest === undefined || (!wasInterrupted && context.index.state(STATE_KEY) !== sha256(newest))) return;
  context.replacer.replace(INDEX_FILE, newest, undefined);
}

/** What the index knows of MEMORY.md survives `work`, which clears it. */
export function keepingPageState(context: StoreContext, work: () => void): void {
  const hash = context.index.state(STATE_KEY);
  work();
  if (hash !== undefined) context.index.setState(STATE_KEY, hash);
}

function replacePage(context: StoreContext, existing: Uint8Array | undefined, text: string): boolean {
  const content = text === "" ? undefined : new TextEncoder().encode(text);
  const before = existing && sha256(existing);
  const after = content && sha256(content);
  journalEdits(context, existing, before);
  if (before !== after && context.replacer.replace(INDEX_FILE, content, before) === "changed") return false;
  context.files.syncDirectory(context.directory);
  context.index.setState(STATE_KEY, after ?? "");
  return true;
}

function generate(context: StoreContext, existing: string | undefined, retired: ReadonlySet<string>): GeneratedIndex {
  const isRetired = (file: string): boolean => retired.has(file) || context.index.entry(file)?.supersededBy !== undefined;
  const ranked = context.orderedByName ? context.index.entries().filter(({ supersededBy }) => supersededBy === undefined) : context.index.topLines(INDEX_ENTRIES_WANTED);
  return generateIndex(existing, ranked, context.index.count(), isRetired);
}

function headroomOf(context: StoreContext, generated: GeneratedIndex): Headroom {
  return { ...generated.headroom, omitted: context.index.count() - generated.listed };
}

/** What somebody else wrote into MEMORY.md enters history before it is replaced. */
function journalEdits(context: StoreContext, existing: Uint8Array | undefined, hash: string | undefined): void {
  if (existing === undefined || hash === undefined || context.index.state(STATE_KEY) === hash) return;
  const seq = context.journal.nextSeq();
  context.journal.commit({
    seq,
    time: new Date(context.clock.now()).toISOString(),
    actor: "external",
    reason: "MEMORY.md edited outside memdir",
    changes: [{ file: INDEX_FILE, before: undefined, after: existing }],
  });
  context.index.setState(STATE_KEY, hash);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
