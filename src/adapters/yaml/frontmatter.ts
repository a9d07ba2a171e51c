import { type Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { FrontmatterCodec, FrontmatterValues } from "../../core/notes/frontmatter.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/**
 * Reads the simple frontmatter of almost every note without the YAML parser, which takes a sixth of the time of a full
 * index. It accepts lines `key: value`, with one level of them under an empty `metadata:`, if every YAML reader takes
 * each value for the same text. `undefined` for anything more complex, which is left to the parser.
 */
export function readPlain(block: string): Readonly<Record<string, unknown>> | undefined {
  const data = new Map<string, unknown>();
  let inner: Map<string, unknown> | undefined;
  const lines = block.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const [, indent, key, raw] = LINE.exec(line) ?? [];
    if (key === undefined || OTHER_VALUE.test(key)) return undefined;
    if (indent === undefined && key === "metadata" && raw === undefined) {
      if (data.has(key)) return undefined;
      inner = new Map();
      data.set(key, inner);
      continue;
    }
    const target = indent === undefined ? data : inner;
    const value = raw === undefined ? undefined : textOf(raw);
    if (target === undefined || target.has(key) || value === undefined) return undefined;
    if (indent === undefined) inner = undefined;
    target.set(key, value);
  }
  // YAML reads an empty map as null.
  if (data.size === 0 || [...data.values()].some((value) => value instanceof Map && value.size === 0)) return undefined;
  return Object.fromEntries(
    [...data].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}

/** One space after the colon, none at the end, two before an inner key; only printable characters. */
const LINE =
  /^( {2})?([A-Za-z][A-Za-z0-9_]*):(?: ([\x21-\x7e](?:[\x20-\x7e\u00a1-\u2027\u2030-\ud7ff]*[\x21-\x7e\u00a1-\u2027\u2030-\ud7ff])?))?$/;

/** Begins with a letter and contains nothing that YAML could read as a comment or a mapping. */
const PLAIN = /^[A-Za-z](?:[^:#]|:(?=[^ :]))*$/;

const OTHER_VALUE = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const QUOTED = /^"([^"\\]*)"$|^'([^']*)'$/;

function textOf(raw: string): string | undefined {
  if ((PLAIN.test(raw) && !OTHER_VALUE.test(raw) && !raw.endsWith(":")) || MOMENT.test(raw) || UUID.test(raw))
    return raw;
  const quoted = QUOTED.exec(raw);
  return quoted?.[1] ?? quoted?.[2];
}

type Value = string | boolean | number;

/** About a thousand lines. YAML takes 15 µs per key: one file of 200,000 keys delayed every list by seconds. */
const LARGEST_CHARACTERS = 100_000;

/** Frontmatter with the `yaml` package: values are read from its document, edits are made in the source text. */
export const yamlFrontmatter: FrontmatterCodec = {
  read(block) {
    if (block.length > LARGEST_CHARACTERS) {
      const beginning = block.slice(0, block.lastIndexOf("\n", LARGEST_CHARACTERS) + 1);
      return { data: readLines(beginning), problem: tooLong(block) };
    }
    if (block.trim() === "") return { data: {}, problem: undefined };
    const plain = readPlain(block);
    if (plain !== undefined) return { data: plain, problem: undefined };
    const parsed = parse(block);
    return parsed.ok ? { data: parsed.data, problem: undefined } : { data: readLines(block), problem: parsed.problem };
  },
  create: (values) => created(values, 0),
  set(block, path, value) {
    const parsed = parse(block);
    if (!parsed.ok)
      throw new MemoryError(
        "invalid-input",
        `the frontmatter cannot be changed and is left as it is: ${parsed.problem} Fix it by hand first (memdir edit FILE).`,
      );
    const edited = edit(block, parsed.map, path, value);
    const again = parse(edited);
    // YAML has corner cases (tags, aliases, duplicate keys) in which an edit of the text has a different meaning.
    if (!again.ok || valueAt(again.data, path) !== value)
      throw new MemoryError(
        "invalid-input",
        `the frontmatter is written in a way in which ${path.join(".")} cannot be set without touching the rest; change it by hand (memdir edit FILE)`,
      );
    return edited;
  },
};

type Parsed =
  | { readonly ok: true; readonly map: YAMLMap | undefined; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** The parser also throws, on unknown or too many aliases, on nesting deeper than the stack. */
function created(values: FrontmatterValues, column: number): string {
  return Object.entries(values)
    .map(([key, value]) => {
      if (value === undefined) return "";
      const start = `${" ".repeat(column)}${scalar(key)}:`;
      return typeof value === "object" ? `${start}\n${created(value, column + 2)}` : `${start} ${scalar(value)}\n`;
    })
    .join("");
}

function tooLong(block: string): string {
  return `the frontmatter has ${block.length} characters, more than ${LARGEST_CHARACTERS}: only its beginning is read`;
}

function parse(block: string): Parsed {
  if (block.length > LARGEST_CHARACTERS) return { ok: false, problem: tooLong(block) };
  try {
    const doc = parseDocument(block, { strict: false, uniqueKeys: false, logLevel: "silent" });
    const error = doc.errors[0];
    if (error !== undefined) return { ok: false, problem: error.message.split("\n")[0] ?? error.code };
    if (doc.contents === null) return { ok: true, map: undefined, data: {} };
    if (!isMap(doc.contents)) return { ok: false, problem: "the frontmatter is not a list of `key: value` lines" };
    return { ok: true, map: doc.contents, data: toRecord(doc) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ok: false, problem: error.message.split("\n")[0] ?? error.name };
  }
}

function toRecord(doc: Document): Record<string, unknown> {
  const value: unknown = doc.toJS({ maxAliasCount: 50 });
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, key) =>
      typeof value === "object" && value !== null
        ? new Map<string, unknown>(Object.entries(value)).get(key)
        : undefined,
    data,
  );
}

function edit(block: string, map: YAMLMap | undefined, path: readonly string[], value: Value | undefined): string {
  if (map === undefined) return value === undefined ? block : withNewline(block) + rendered(path, value, 0);
  return setIn(block, map, path, value, 0);
}

/** Malformed YAML is usually caused by one unquoted colon; single lines can still be read. */
function readLines(block: string): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  for (const line of block.split(/\r\n?|\n/u)) {
    const match = /^(\s*)(name|description|type|modified|created|date|pinned)[ \t]*:[ \t]*(.+?)[ \t]*$/u.exec(line);
    const [, indent, key, raw] = match ?? [];
    if (indent === undefined || key === undefined || raw === undefined) continue;
    const value = raw.replace(/^(["'])(.*)\1$/u, "$2");
    (indent === "" ? data : metadata)[key] ??= value === "true" ? true : value;
  }
  return { ...data, metadata };
}

function setIn(block: string, map: YAMLMap, path: readonly string[], value: Value | undefined, depth: number): string {
  const [key, ...rest] = path;
  if (key === undefined) return block;
  // If a key is written twice, readers use the last one.
  const pair = map.items.findLast((item) => isScalar(item.key) && String(item.key.value) === key);
  if (pair === undefined) return value === undefined ? block : insert(block, map, path, value);
  if (rest.length > 0 && isMap(pair.value)) return setIn(block, pair.value, rest, value, depth + 1);
  if (value === undefined) return rest.length > 0 ? block : removePair(block, map, pair);
  return replaceValue(block, pair, rest, value, map.flow === true);
}

function replaceValue(block: string, pair: Pair, rest: readonly string[], value: Value, isFlow: boolean): string {
  const keyEnd = rangeOf(pair.key)[1];
  const colon = block.indexOf(":", keyEnd) + 1;
  const [start, end] = isNode(pair.value) ? rangeOf(pair.value) : [colon, colon];
  const column = columnOf(block, rangeOf(pair.key)[0]);
  const empty = start === end;
  if (rest.length > 0) {
    if (!empty)
      throw new MemoryError(
        "invalid-input",
        `frontmatter key "${String(pair.key)}" holds a plain value where a map is needed; fix it by hand first`,
      );
    const lineEnd = endOfLine(block, colon);
    return withNewline(block.slice(0, lineEnd)) + rendered(rest, value, column + 2) + block.slice(lineEnd);
  }
  const tail = block.slice(start, end).endsWith("\n") ? "\n" : "";
  return (
    block.slice(0, empty ? colon : start) +
    (empty ? " " : "") +
    scalar(value, isFlow) +
    tail +
    block.slice(empty ? colon : end)
  );
}

function insert(block: string, map: YAMLMap, path: readonly string[], value: Value): string {
  if (map.flow === true) {
    const close = block.lastIndexOf("}", rangeOf(map)[1] - 1);
    const separator = map.items.length > 0 ? ", " : "";
    const [key, ...rest] = path;
    const nested = rest.reduceRight((inner, name) => `{${scalar(name, true)}: ${inner}}`, scalar(value, true));
    return `${block.slice(0, close).trimEnd()}${separator}${scalar(key ?? "", true)}: ${nested}${block.slice(close)}`;
  }
  const first = map.items[0];
  const column = first === undefined ? 0 : columnOf(block, rangeOf(first.key)[0]);
  const last = map.items[map.items.length - 1];
  const lastEnd =
    last === undefined ? 0 : Math.max(rangeOf(last.key)[1], isNode(last.value) ? rangeOf(last.value)[1] : 0);
  // A block scalar ends after its own newline; anything else ends inside its line.
  const at = block[lastEnd - 1] === "\n" ? lastEnd : endOfLine(block, lastEnd);
  return withNewline(block.slice(0, at)) + rendered(path, value, column) + block.slice(at);
}

function removePair(block: string, map: YAMLMap, pair: Pair): string {
  if (map.flow === true)
    throw new MemoryError(
      "invalid-input",
      "a value inside `{…}` cannot be removed automatically; edit the file by hand",
    );
  const start = block.lastIndexOf("\n", rangeOf(pair.key)[0] - 1) + 1;
  const valueEnd = Math.max(rangeOf(pair.key)[1], isNode(pair.value) ? rangeOf(pair.value)[1] : 0);
  const end = block[valueEnd - 1] === "\n" ? valueEnd : endOfLine(block, valueEnd);
  return block.slice(0, start) + block.slice(end);
}

function rendered(path: readonly string[], value: Value, column: number): string {
  return path
    .map(
      (key, depth) =>
        `${" ".repeat(column + 2 * depth)}${scalar(key)}:${depth === path.length - 1 ? ` ${scalar(value)}` : ""}\n`,
    )
    .join("");
}

/** Plain where YAML 1.1 and 1.2 readers agree on a string, otherwise double-quoted JSON (valid YAML). */
function scalar(value: Value, isFlow = false): string {
  if (typeof value !== "string") return String(value);
  if (isFlow && value.includes(",")) return JSON.stringify(value);
  const plain = /^[\p{L}\p{N}(][^\0-\x1f\x7f]*$/u.test(value) && !/: |:$| #|^[\d.+-]|\s$|[{}[\]"`]/u.test(value);
  const word = /^(?:true|false|yes|no|on|off|null|y|n)$/iu.test(value);
  const date = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/u.test(value);
  return (plain && !word) || date ? value : JSON.stringify(value);
}

function isNode(value: unknown): value is { range?: [number, number, number] | null } {
  return typeof value === "object" && value !== null && "range" in value;
}

function rangeOf(node: unknown): [number, number] {
  if (!isNode(node) || node.range == null)
    throw new MemoryError(
      "invalid-input",
      "the frontmatter uses YAML that cannot be edited in place; fix it by hand first",
    );
  return [node.range[0], node.range[1]];
}

function columnOf(block: string, at: number): number {
  return at - (block.lastIndexOf("\n", at - 1) + 1);
}

function endOfLine(block: string, from: number): number {
  const at = block.indexOf("\n", from);
  return at === -1 ? block.length : at + 1;
}

function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
