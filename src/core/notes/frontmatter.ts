export interface FrontmatterValues {
  readonly [key: string]: string | boolean | number | undefined | FrontmatterValues;
}

/** The YAML between the `---` lines, read and edited without disturbing a byte of the rest. */
export interface FrontmatterCodec {
  /** Parsed values, or what could be told from single lines when the YAML is malformed. */
  read(block: string): { readonly data: Readonly<Record<string, unknown>>; readonly problem: string | undefined };
  /** A new block; values in the order given, nested maps where a value is one. */
  create(values: FrontmatterValues): string;
  /**
   * The block with the value at `path` set, added or (for `undefined`) removed; every other byte stays.
   * @throws MemoryError `invalid-input` when the block is malformed: such files are never rewritten.
   */
  set(block: string, path: readonly string[], value: string | boolean | number | undefined): string;
}

/** A file cut into the pieces that, joined, give back the very same text. */
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

/** The line ending that a text uses first; `\n` when it has none. */
export function lineEnding(text: string): "\n" | "\r\n" {
  return /\r?\n/u.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** The file with another body: frontmatter byte for byte, the file's own line endings, one at the end. */
export function replaceBody(text: string, body: string): string {
  const parts = splitFrontmatter(text);
  const eol = lineEnding(text);
  return joinFrontmatter({
    ...parts,
    body: `${parts.open === "" ? "" : eol}${body.replace(/\r\n?|\n/gu, eol).trim()}${eol}`,
  });
}
