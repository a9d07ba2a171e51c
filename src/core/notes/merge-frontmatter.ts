import { splitFrontmatter } from "./frontmatter.ts";

/** Merges two texts of lines; `undefined` where both changed the same place. */
export type MergeLines = (base: string, ours: string, theirs: string) => string | undefined;

/**
 * Three-way merge of a note: frontmatter key by key, the body by lines. Two sides that changed neighbouring keys are no
 * conflict, as they would be by lines. `undefined`: both have to be kept.
 */
export function mergeByKey(base: string, ours: string, theirs: string, mergeLines: MergeLines): string | undefined {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  const [before, mine, other] = [base, ours, theirs].map((text) => splitFrontmatter(text));
  if (before === undefined || mine === undefined || other === undefined) return undefined;
  const isPlain = [before, mine, other].every(
    ({ state, bom, open }) => state === "closed" && bom === "" && open === before.open,
  );
  if (!isPlain) return mergeLines(base, ours, theirs);
  const body = merged(before.body, mine.body, other.body, mergeLines);
  const block = mergedBlock(before.block, mine.block, other.block);
  if (block === undefined) return mergeLines(base, ours, theirs);
  if (body === undefined) return undefined;
  return mine.open + block + mine.close + body;
}

function merged(base: string, ours: string, theirs: string, mergeLines: MergeLines): string | undefined {
  if (ours === theirs || base === theirs) return ours;
  return base === ours ? theirs : mergeLines(base, ours, theirs);
}

/** A key with the lines that belong to it; `path` is `name`, or `metadata.pinned` for a key one level in. */
interface Entry {
  readonly path: string;
  readonly text: string;
}

const KEY = /^( *)("[^"]*"|'[^']*'|[\w.-]+):(?:\s|$)/u;

/** `undefined` where the block is not plain enough to tell keys apart: then lines decide. */
function entriesOf(block: string): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  let parent = "";
  let lead = "";
  let inner: number | undefined;
  for (const line of block.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
    const key = KEY.exec(line);
    const indent = key?.[1]?.length;
    const name = key?.[2] ?? "";
    if (indent === 0) {
      parent = name;
      inner = undefined;
      entries.push({ path: name, text: lead + line });
      lead = "";
    } else if (key !== null && parent !== "" && isMapOf(entries, parent) && (inner === undefined || indent === inner)) {
      inner = indent;
      entries.push({ path: `${parent}.${name}`, text: lead + line });
      lead = "";
    } else if (/^\s*#/u.test(line)) lead += line;
    else {
      const last = entries.pop();
      if (last === undefined || lead !== "") return undefined;
      entries.push({ path: last.path, text: last.text + line });
    }
  }
  const paths = entries.map(({ path }) => path);
  return lead === "" && new Set(paths).size === paths.length ? entries : undefined;
}

/** Whether the parent's own line holds no value, so that what follows is a map. */
function isMapOf(entries: readonly Entry[], parent: string): boolean {
  return entries.some(({ path, text }) => path === parent && /:[ \t]*\r?\n$/u.test(text));
}

function mergedBlock(base: string, ours: string, theirs: string): string | undefined {
  const [before, mine, other] = [base, ours, theirs].map(entriesOf);
  if (before === undefined || mine === undefined || other === undefined) return undefined;
  const [was, our, their] = [before, mine, other].map(
    (entries) => new Map(entries.map(({ path, text }) => [path, text])),
  );
  const paths = other.map(({ path }) => path);
  const out: Entry[] = [];
  for (const { path } of mine) {
    const value = decided(path, was?.get(path), our?.get(path), their?.get(path));
    if (value === "conflict") return undefined;
    if (value !== undefined) out.push({ path, text: value });
  }
  for (const [place, { path, text }] of other.entries()) {
    if (our?.has(path) === true) continue;
    const value = decided(path, was?.get(path), undefined, text);
    if (value === "conflict") return undefined;
    if (value !== undefined) insert(out, { path, text: value }, paths.slice(0, place));
  }
  return out.map(({ text }) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
}

/** A key that only one side touched is as that side has it. */
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

/** Keys of which two new values have one that is right for both. */
function byMeaning(path: string, ours: string | undefined, theirs: string | undefined): string | undefined {
  if (ours === undefined || theirs === undefined) return undefined;
  const name = path.slice(path.lastIndexOf(".") + 1);
  const [mine, other] = [ours, theirs].map((text) => valueOf(text));
  if (mine === undefined || other === undefined) return undefined;
  if (name === "pinned") return mine === "true" ? ours : other === "true" ? theirs : undefined;
  if (!DATE.test(mine) || !DATE.test(other)) return undefined;
  // What holds until two days holds until the earlier, and what began on two days began on the later.
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

/** Behind the key that it follows on their side, else behind the last of its map. */
function insert(out: Entry[], entry: Entry, before: readonly string[]): void {
  const dot = entry.path.indexOf(".");
  const parent = dot === -1 ? undefined : entry.path.slice(0, dot);
  const isNear = (path: string): boolean => parent !== undefined && (path === parent || path.startsWith(`${parent}.`));
  const previous = before.findLast((path) => out.some((one) => one.path === path));
  const after = parent === undefined || isNear(previous ?? "") ? previous : undefined;
  const at = out.findLastIndex(({ path }) => (after === undefined ? isNear(path) : path === after));
  const isInMap = parent === undefined && at !== -1 && out[at + 1]?.path.startsWith(`${after}.`) === true;
  if (at === -1 || isInMap) out.push(entry);
  else out.splice(at + 1, 0, entry);
}
