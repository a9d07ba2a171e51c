import { lineEnding } from "../../core/notes/frontmatter.ts";
import {
  entryTarget,
  generateIndex,
  type GeneratedIndex,
  generatedLinesOf,
  handLinesOf,
  handSectionsOf,
  trimEnd,
  INDEX_ENTRIES_WANTED,
  withHandLines,
  withNewTargets,
  newerRivalsFirst,
} from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import type { Headroom } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { parseJson } from "../../core/shared/json.ts";
import { mergeLists } from "./merge.ts";
import { pathOf, type StoreContext } from "./store-context.ts";

const STATE_KEY = "index-file-hash";
const RENAMES_KEY = "renamed-files";
const ATTEMPTS = 20;

/**
 * Updates MEMORY.md under the lock and then syncs the store's directory. Edits made to it since the last update are
 * journalled first. A MEMORY.md that is a link, a directory or not UTF-8 is left unchanged.
 */
export function writeIndexFile(context: StoreContext, retired: ReadonlySet<string>, back?: LinesBack): Headroom {
  const renamed = renamesIn(context);
  let carried: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const kind = context.files.stat(pathOf(context, INDEX_FILE))?.kind;
    const existing = kind === "file" || kind === "link" ? context.files.read(pathOf(context, INDEX_FILE)) : undefined;
    const isOurs = kind === undefined || (kind === "file" && existing !== undefined && isUtf8(existing));
    const present = withHandLines(existing && decode(existing), carried);
    const text = present && withNewTargets(present, renamed);
    const generated = generate(context, back === undefined ? text : withLinesBack(text, back), retired);
    if (!isOurs) context.files.syncDirectory(context.directory);
    if (!isOurs || replacePage(context, existing, generated)) {
      if (renamed.size > 0) context.index.setState(RENAMES_KEY, "");
      return headroomOf(context, generated);
    }
    // Another program created a new file while the old one was aside, so it lacks the old hand-written lines.
    const aside = existing && context.replacer.displaced(INDEX_FILE).find((copy) => sha256(copy) === sha256(existing));
    if (aside !== undefined) carried = handLinesOf(decode(aside));
  }
  throw new MemoryError(
    "conflict",
    `${pathOf(context, INDEX_FILE)} keeps being rewritten by another program; the notes are saved, run \`memdir doctor\` when it is quiet`,
  );
}

/**
 * Restores a MEMORY.md that a killed process moved aside and did not replace. A file that a person deleted stays
 * deleted: after a completed replacement the index knows the new content.
 */
export function restoreIndexFile(context: StoreContext, wasInterrupted: boolean): void {
  if (context.files.stat(pathOf(context, INDEX_FILE)) !== undefined) return;
  const [newest] = context.replacer.displaced(INDEX_FILE);
  if (newest === undefined || (!wasInterrupted && context.index.state(STATE_KEY) !== sha256(newest))) return;
  context.replacer.replace(INDEX_FILE, newest, undefined);
}

/** Keeps the index's state about MEMORY.md through `work`, which clears it. */
export function keepingPageState(context: StoreContext, work: () => void): void {
  const hash = context.index.state(STATE_KEY);
  work();
  if (hash !== undefined) context.index.setState(STATE_KEY, hash);
}

/** Records notes that others renamed, so that hand-written lines about them follow with the next MEMORY.md. */
export function rememberRenames(context: StoreContext, renamed: ReadonlyMap<string, string>): void {
  if (renamed.size === 0) return;
  const all = [...renamesIn(context)].map(([from, to]) => [from, renamed.get(to) ?? to] as const);
  context.index.setState(RENAMES_KEY, JSON.stringify([...all, ...renamed]));
}

function renamesIn(context: StoreContext): ReadonlyMap<string, string> {
  const kept = parseJson(context.index.state(RENAMES_KEY) ?? "");
  return new Map(
    (Array.isArray(kept) ? kept : []).flatMap((pair: unknown) => {
      const [from, to]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      // A note that has its old name again keeps its line.
      return typeof from === "string" && typeof to === "string" && context.index.entry(from) === undefined
        ? [[from, to] as const]
        : [];
    }),
  );
}

/** Hand-written lines to restore with notes that return, taken from an earlier MEMORY.md. */
export interface LinesBack {
  readonly earlier: Uint8Array;
  readonly files: ReadonlySet<string>;
}

/** Stands for the generated part while the lines around it are merged. */
const PART = "\0";

function withLinesBack(existing: string | undefined, { earlier, files }: LinesBack): string | undefined {
  const before = isUtf8(earlier) ? decode(earlier) : "";
  const page = existing ?? "";
  const isBack = (line: string): boolean => {
    const file = entryTarget(line);
    return file !== undefined && files.has(file);
  };
  const isOther = (line: string): boolean => !isBack(line);
  const [was, is] = [handSectionsOf(before), handSectionsOf(page)];
  const had = [...was.above, PART, ...was.below];
  const has = [...is.above, PART, ...is.below];
  const missing = had.filter((line) => isBack(line) && !has.includes(line));
  if (missing.length === 0) return existing;
  const merged = mergeLists(
    [...trimEnd(was.above.filter(isOther)), PART, ...trimEnd(was.below.filter(isOther))],
    had.filter((line) => isOther(line) || missing.includes(line)),
    has.filter(isOther),
  );
  if (merged === undefined) return withHandLines(existing, missing);
  const part = generatedLinesOf(page);
  return merged.flatMap((line) => (line === PART ? part : [line])).join(lineEnding(page || before));
}

function replacePage(context: StoreContext, existing: Uint8Array | undefined, generated: GeneratedIndex): boolean {
  const text = generated.content;
  const content = text === "" ? undefined : new TextEncoder().encode(text);
  const before = existing && sha256(existing);
  const after = content && sha256(content);
  journalEdits(context, existing, before, generated.dropsHandLines);
  if (before !== after && context.replacer.replace(INDEX_FILE, content, before) === "changed") return false;
  context.files.syncDirectory(context.directory);
  context.index.setState(STATE_KEY, after ?? "");
  return true;
}

function generate(context: StoreContext, existing: string | undefined, retired: ReadonlySet<string>): GeneratedIndex {
  const isRetired = (file: string): boolean =>
    retired.has(file) || context.index.entry(file)?.supersededBy !== undefined;
  const ranked = context.orderedByName
    ? context.index.entries().filter(({ supersededBy }) => supersededBy === undefined)
    : context.index.topLines(INDEX_ENTRIES_WANTED);
  const ordered = newerRivalsFirst(ranked, context.index.contradictions());
  return generateIndex(existing, ordered, context.index.count(), isRetired);
}

function headroomOf(context: StoreContext, generated: GeneratedIndex): Headroom {
  const omitted = context.index.count() - generated.listed;
  const left = generated.omitted.slice(0, NAMED_LEFT);
  return { ...generated.headroom, omitted, ...(left.length > 0 && { left }) };
}

/** How many notes without a line are named after a change. */
const NAMED_LEFT = 5;

/** Journals others' edits of MEMORY.md before it is replaced, and hand-written lines before they are removed. */
function journalEdits(
  context: StoreContext,
  existing: Uint8Array | undefined,
  hash: string | undefined,
  dropsHandLines: boolean,
): void {
  if (existing === undefined || hash === undefined) return;
  const isKnown = context.index.state(STATE_KEY) === hash;
  if (isKnown && !dropsHandLines) return;
  const seq = context.journal.nextSeq();
  context.journal.commit({
    seq,
    time: new Date(context.clock.now()).toISOString(),
    actor: "external",
    reason: isKnown ? "lines of MEMORY.md go with their notes" : "MEMORY.md edited outside memdir",
    changes: [{ file: INDEX_FILE, before: undefined, after: existing }],
  });
  context.index.setState(STATE_KEY, hash);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
