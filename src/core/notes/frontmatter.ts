import { MemoryError } from "../shared/errors.ts";
import { isRecord } from "../shared/json.ts";
import { oneLine } from "../shared/text.ts";
import { askedLine, type NoteDraft } from "./note.ts";

export interface FrontmatterValues {
  readonly [key: string]: string | boolean | number | undefined | FrontmatterValues;
}

/** Reads and edits the YAML between the `---` lines without changing any other byte. */
export interface FrontmatterCodec {
  /** Parsed values, or, if the YAML is malformed, those that single lines give. */
  read(block: string): { readonly data: Readonly<Record<string, unknown>>; readonly problem: string | undefined };
  /** A new block with the values in the given order; nested values become nested maps. */
  create(values: FrontmatterValues): string;
  /**
   * The block with the value at `path` set, added or (for `undefined`) removed; every other byte stays.
   * @throws MemoryError `invalid-input` when the block is malformed: such files are never rewritten.
   */
  set(block: string, path: readonly string[], value: string | boolean | number | undefined): string;
}

/** A file split into pieces that, joined, give back the same text. */
export interface SplitNote {
  readonly bom: string;
  /** The opening `---` line with its line ending; empty without frontmatter. */
  readonly open: string;
  readonly block: string;
  /** The closing `---` line with its line ending. */
  readonly close: string;
  readonly body: string;
  readonly state: "none" | "closed" | "unclosed";
}

const OPEN = /^---[ \t]*(?:\r\n|\n|\r)/u;

const CLOSE = /^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/mu;

export function splitFrontmatter(text: string): SplitNote {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const rest = text.slice(bom.length);
  const none = { bom, open: "", block: "", close: "", body: rest } as const;
  const open = OPEN.exec(rest)?.[0];
  if (open === undefined) return { ...none, state: "none" };
  const after = rest.slice(open.length);
  const close = CLOSE.exec(after);
  if (close === null) return { ...none, state: "unclosed" };
  const end = close.index + close[0].length;
  return { bom, open, block: after.slice(0, close.index), close: close[0], body: after.slice(end), state: "closed" };
}

export function joinFrontmatter(parts: SplitNote): string {
  return parts.bom + parts.open + parts.block + parts.close + parts.body;
}

/** The first line ending in a text; `\n` if there is none. */
export function lineEnding(text: string): "\n" | "\r\n" {
  return /\r?\n/u.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** The file with a new body. Keeps the frontmatter byte for byte and the file's line endings; ends with one. */
export function replaceBody(text: string, body: string): string {
  const parts = splitFrontmatter(text);
  const eol = lineEnding(text);
  return joinFrontmatter({
    ...parts,
    body: `${parts.open === "" ? "" : eol}${body.replace(/\r\n?|\n/gu, eol).trim()}${eol}`,
  });
}

/** Lines with their endings; joined, they give back the same text. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** Merges two texts by lines; `undefined` if both changed the same place. */
type MergeLines = (base: string, ours: string, theirs: string) => string | undefined;

/**
 * Three-way merge of a note: frontmatter by key, body by lines. Changes to neighbouring keys do not conflict, as they
 * would by lines. `undefined`: both versions must be kept.
 */
export function mergeByKey(base: string, ours: string, theirs: string, mergeLines: MergeLines): string | undefined {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const [before, mine, other] = [splitFrontmatter(base), splitFrontmatter(ours), splitFrontmatter(theirs)];
  const isPlain = [before, mine, other].every(
    ({ state, bom, open }) => state === "closed" && bom === "" && open === before.open,
  );
  if (!isPlain) return mergeLines(base, ours, theirs);
  const body = mergeLines(before.body, mine.body, other.body);
  const block = mergedBlock(before.block, mine.block, other.block);
  if (block === undefined) return mergeLines(base, ours, theirs);
  if (body === undefined) return undefined;
  return mine.open + block + mine.close + body;
}

/** A key with the lines that belong to it; `path` is `name`, or `metadata.pinned` for a key one level down. */
interface Entry {
  readonly path: string;
  /** The key whose map contains it. */
  readonly parent: string | undefined;
  readonly text: string;
}

const KEY = /^( *)("[^"]*"|'[^']*'|[\w.-]+):(?:\s|$)/u;

/** `undefined` if the block is too complex to separate its keys; the merge then works by lines. */
function entriesOf(block: string): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  let parent = "";
  let lead = "";
  let inner: number | undefined;
  for (const line of linesOf(block)) {
    const key = KEY.exec(line);
    const indent = key?.[1]?.length;
    const [, , name = ""] = key ?? [];
    if (indent === 0) {
      parent = name;
      inner = undefined;
      entries.push({ path: name, parent: undefined, text: lead + line });
      lead = "";
    } else if (key !== null && isMapOf(entries, parent) && (inner === undefined || indent === inner)) {
      inner = indent;
      entries.push({ path: `${parent}.${name}`, parent, text: lead + line });
      lead = "";
    } else if (/^\s*#/u.test(line)) lead += line;
    else {
      const last = entries.pop();
      if (last === undefined || lead !== "") return undefined;
      entries.push({ ...last, text: last.text + line });
    }
  }
  const paths = entries.map(({ path }) => path);
  return lead === "" && new Set(paths).size === paths.length ? entries : undefined;
}

/** Whether the parent's own line has no value, so that a map follows. */
function isMapOf(entries: readonly Entry[], parent: string): boolean {
  return entries.some(({ path, text }) => path === parent && /:[ \t]*\r?\n$/u.test(text));
}

function mergedBlock(base: string, ours: string, theirs: string): string | undefined {
  const [before, mine, other] = [entriesOf(base), entriesOf(ours), entriesOf(theirs)];
  if (before === undefined || mine === undefined || other === undefined) return undefined;
  const [was, our, their] = [textsOf(before), textsOf(mine), textsOf(other)];
  const paths = other.map(({ path }) => path);
  const out: Entry[] = [];
  for (const { path, parent } of mine) {
    const value = decided(path, was.get(path), our.get(path), their.get(path));
    if (value === "conflict") return undefined;
    if (value !== undefined) out.push({ path, parent, text: value });
  }
  for (const [place, { path, parent, text }] of other.entries()) {
    if (our.has(path)) continue;
    const value = decided(path, was.get(path), undefined, text);
    if (value === "conflict") return undefined;
    if (value !== undefined) insert(out, { path, parent, text: value }, paths.slice(0, place));
  }
  // One side removed a map that the other added to: the key would end up in another map.
  if (out.some(({ parent }) => parent !== undefined && !out.some(({ path }) => path === parent))) return undefined;
  return out.map(({ text }) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
}

function textsOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  return new Map(entries.map(({ path, text }) => [path, text]));
}

/** A key that only one side changed gets that side's value. */
function decided(
  path: string,
  before: string | undefined,
  ours: string | undefined,
  theirs: string | undefined,
): string | undefined {
  if (ours === theirs || theirs === before) return ours;
  if (ours === before) return theirs;
  return byMeaning(path, ours, theirs) ?? "conflict";
}

/** Resolves keys for which one of two new values is right for both sides. */
function byMeaning(path: string, ours: string | undefined, theirs: string | undefined): string | undefined {
  if (ours === undefined || theirs === undefined) return undefined;
  const name = path.slice(path.lastIndexOf(".") + 1);
  const [mine, other] = [valueOf(ours), valueOf(theirs)];
  if (mine === undefined || other === undefined) return undefined;
  if (name === "pinned") return mine === "true" ? ours : other === "true" ? theirs : undefined;
  if (!DATE.test(mine) || !DATE.test(other)) return undefined;
  // Of two end dates the earlier one counts, of two start dates the later one.
  if (name === "validTo") return mine < other ? ours : theirs;
  if (name === "validFrom" || name === "modified") return mine > other ? ours : theirs;
  return undefined;
}

const DATE = /^\d{4}-\d{2}-\d{2}/u;

/** The plain value of a key on one line. */
function valueOf(text: string): string | undefined {
  const line = /^ *[^\n:]+:[ \t]*(.*?)[ \t]*\r?\n?$/u.exec(text)?.[1];
  return line?.replace(/^(["'])(.*)\1$/u, "$2");
}

/** Inserts a key after the one it follows on their side; a top-level key goes after that key's whole map. */
function insert(out: Entry[], entry: Entry, before: readonly string[]): void {
  const previous = before.findLast((path) => out.some((one) => one.path === path));
  let at = out.findIndex(({ path }) => path === previous);
  if (entry.parent === undefined) while (out[at + 1]?.parent !== undefined) at++;
  out.splice(at + 1, 0, entry);
}

/** A new note as written to disk: Claude Code's own format, with memdir's keys under `metadata`. */
export function serialiseDraft(draft: NoteDraft, now: string, codec: FrontmatterCodec): string {
  if (draft.original !== undefined) return takenOver(draft, draft.original, codec);
  const created = draft.created ?? now;
  const block = codec.create({
    name: oneLine(draft.name),
    description: oneLine(draft.description),
    metadata: {
      type: draft.type,
      created,
      said: isOfAnotherDay(draft.said, created) ? draft.said : undefined,
      source: draft.source,
      asked: draft.asked && (askedLine(draft.asked) || undefined),
      forced: draft.forced,
      imported_from: draft.importedFrom,
      evidence: draft.evidence && { session: draft.evidence.session, message: draft.evidence.message },
      agreesWith: inOneLine(draft.agreesWith),
      contradicts: inOneLine(draft.contradicts),
    },
  });
  return `---\n${block}---\n\n${draft.body.replace(/\r\n?/gu, "\n").trim()}\n`;
}

/** The format that `filesIn` reads; `undefined`, so no key, without files. */
function inOneLine(files: readonly string[] | undefined): string | undefined {
  return files?.join(", ") || undefined;
}

/** If it was said on the day of writing, the time of writing is enough. */
function isOfAnotherDay(said: string | undefined, now: string): boolean {
  return said !== undefined && said.slice(0, 10) !== now.slice(0, 10);
}

/** A note of another store with its origin added; the rest stays byte for byte. */
function takenOver(
  draft: NoteDraft,
  { text, changed }: NonNullable<NoteDraft["original"]>,
  codec: FrontmatterCodec,
): string {
  const { data } = codec.read(splitFrontmatter(text).block);
  const metadata = isRecord(data["metadata"]) ? data["metadata"] : {};
  const isTyped = metadata["type"] === draft.type || data["type"] === draft.type;
  return setFields(
    text,
    [
      ...(data["name"] === draft.name ? [] : [[["name"], oneLine(draft.name)] as const]),
      ...(isTyped ? [] : [[["metadata", "type"], draft.type] as const]),
      ...(changed === undefined ? [] : [[["metadata", "created"], changed] as const]),
      [["metadata", "imported_from"], draft.importedFrom],
      ...(draft.contradicts === undefined
        ? []
        : [[["metadata", "contradicts"], draft.contradicts.join(", ")] as const]),
    ],
    codec,
  );
}

/**
 * Sets frontmatter values of an existing file; unknown keys, comments, key order, line endings, BOM
 * and the body survive byte for byte. A file without frontmatter gets one.
 * @throws MemoryError `invalid-input` when its frontmatter is malformed or unclosed.
 */
export function setFields(
  text: string,
  fields: readonly (readonly [readonly string[], string | boolean | undefined])[],
  codec: FrontmatterCodec,
): string {
  const parts = splitFrontmatter(text);
  if (parts.state === "unclosed")
    throw new MemoryError(
      "invalid-input",
      "the frontmatter has no closing `---` line; close it by hand first (memdir edit FILE)",
    );
  if (/\r(?!\n)/u.test(parts.block))
    throw new MemoryError(
      "invalid-input",
      "the frontmatter has bare carriage returns as line endings; save the file with ordinary line endings first",
    );
  const eol = lineEnding(text);
  const isMixed = parts.block.includes("\r\n") && /(?<!\r)\n/u.test(parts.block);
  // Mixed line endings are not normalised, so that none of them changes.
  let block = isMixed ? parts.block : parts.block.replace(/\r\n/gu, "\n");
  for (const [path, value] of fields) block = codec.set(block, path, value);
  const restored = eol === "\r\n" && !isMixed ? block.replace(/\n/gu, "\r\n") : block;
  if (parts.state === "none") {
    return restored === "" ? text : `${parts.bom}---${eol}${restored}---${eol}${eol}${parts.body}`;
  }
  return joinFrontmatter({ ...parts, block: restored });
}
