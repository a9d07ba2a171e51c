/** Half-open range of UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MarkdownBlocks {
  /** Paragraphs, headings, table rows…: each a list of lines, without list and quote markers. */
  readonly prose: readonly (readonly Span[])[];
  /** HTML comments at the start of a line, including `-->`; an unclosed one extends to the end of its container. */
  readonly comments: readonly BlockComment[];
}

export interface BlockComment extends Span {
  readonly closed: boolean;
  /** In a list or a quote. */
  readonly nested: boolean;
}

type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly indent: number };
type Open =
  | { readonly kind: "none" | "paragraph" }
  | { readonly kind: "fence"; readonly depth: number; readonly mark: string }
  | { readonly kind: "comment"; readonly depth: number; readonly start: number }
  /** Other HTML: up to a blank line, or up to the line with `close`. */
  | { readonly kind: "html"; readonly depth: number; readonly close: RegExp | undefined };

interface Cursor {
  at: number;
  column: number;
}

const FENCE = /(?:`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/uy;
const ITEM = /(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]|$)/uy;
const BLOCK_TAGS =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
const VERBATIM_TAG = /^<(?:script|pre|style|textarea)(?:[\s>]|$)/iu;
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCK_TAGS})(?:[\\s/>]|$)`, "iu");
/** Any tag alone on its line; it does not interrupt a paragraph. */
const LONE_TAG =
  /^<(?:[a-z][\w-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[^\s"'=<>`]+))?){0,50}\s*\/?|\/[a-z][\w-]*\s*)>\s*$/iu;
const DEFINITION = /^\[[^\]]+\]:\s*\S/u;
const RULE = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})(?=\n|$)/uy;

/**
 * Splits Markdown into prose, code and comments, line by line, in linear time. Handles fences (unclosed ones extend to
 * the end of their container), indented code, lists and quotes. Line endings must be `\n`.
 */
export function scanBlocks(text: string): MarkdownBlocks {
  const scanner = new BlockScanner(text);
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    scanner.line(start, end);
    start = end + 1;
  }
  return scanner.finish();
}

class BlockScanner {
  private readonly prose: Span[][] = [];
  private readonly comments: BlockComment[] = [];
  private paragraph: Span[] = [];
  private containers: Container[] = [];
  private open: Open = { kind: "none" };
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  finish(): MarkdownBlocks {
    this.endParagraph();
    if (this.open.kind === "comment")
      this.comments.push({ start: this.open.start, end: this.text.length, closed: false, nested: this.open.depth > 0 });
    return { prose: this.prose, comments: this.comments };
  }

  line(start: number, end: number): void {
    const cursor = { at: start, column: 0 };
    const matched = this.matchContainers(cursor, end);
    if ("depth" in this.open) {
      if (matched >= this.open.depth) return this.insideVerbatim(this.open, cursor, end);
      if (this.open.kind === "comment")
        this.comments.push({ start: this.open.start, end: start, closed: false, nested: true });
      this.open = { kind: "none" };
    }
    if (isBlank(this.text, cursor.at, end)) {
      this.endParagraph();
      // A line without its mark ends a quote; an item continues after a blank line.
      const quote = this.containers.findIndex(({ kind }, depth) => kind === "quote" && depth >= matched);
      if (quote !== -1) this.containers.length = quote;
      return;
    }
    const inParagraph = this.open.kind === "paragraph";
    const before = this.containers.length;
    const kept = this.containers.slice(0, matched);
    const opened = this.openContainers(cursor, end, inParagraph && matched === before);
    const lazy = inParagraph && matched < before && opened.length === 0 && !this.startsBlock(cursor, end);
    if (!lazy) this.containers = [...kept, ...opened];
    if (opened.length > 0 || (matched < before && !lazy)) this.endParagraph();
    this.leaf(cursor, end);
  }

  /** Number of open containers that this line continues; moves the cursor past their marks. */
  private matchContainers(cursor: Cursor, end: number): number {
    let matched = 0;
    for (const container of this.containers) {
      if (container.kind === "quote") {
        if (!this.takeQuote(cursor, end)) break;
      } else if (!isBlank(this.text, cursor.at, end)) {
        if (indentOf(this.text, cursor, end) < container.indent) break;
        takeColumns(this.text, cursor, container.indent);
      }
      matched++;
    }
    return matched;
  }

  private takeQuote(cursor: Cursor, end: number): boolean {
    const indent = indentOf(this.text, cursor, end);
    const at = skipSpace(this.text, cursor.at, end);
    if (indent > 3 || at >= end || this.text[at] !== ">") return false;
    advance(this.text, cursor, at + 1);
    const next = this.text[cursor.at];
    if (cursor.at < end && (next === " " || next === "\t")) takeColumns(this.text, cursor, 1);
    return true;
  }

  private insideVerbatim(open: Extract<Open, { readonly depth: number }>, cursor: Cursor, end: number): void {
    if (open.kind === "comment") {
      const close = this.text.slice(cursor.at, end).indexOf("-->");
      if (close === -1) return;
      this.comments.push({ start: open.start, end: cursor.at + close + 3, closed: true, nested: open.depth > 0 });
      this.open = { kind: "none" };
      return;
    }
    if (open.kind === "html") {
      const ended =
        open.close === undefined
          ? isBlank(this.text, cursor.at, end)
          : open.close.test(this.text.slice(cursor.at, end));
      if (ended) this.open = { kind: "none" };
      return;
    }
    if (indentOf(this.text, cursor, end) > 3) return;
    const rest = this.text.slice(skipSpace(this.text, cursor.at, end), end).trimEnd();
    if (rest.length >= open.mark.length && rest === (open.mark[0] ?? "").repeat(rest.length))
      this.open = { kind: "none" };
  }

  private openContainers(cursor: Cursor, end: number, continuesParagraph: boolean): Container[] {
    const opened: Container[] = [];
    for (;;) {
      const indent = indentOf(this.text, cursor, end);
      if (indent > 3) return opened;
      if (this.takeQuote(cursor, end)) {
        opened.push({ kind: "quote" });
        continue;
      }
      const at = skipSpace(this.text, cursor.at, end);
      const mark = matchAt(ITEM, this.text, at);
      if (mark === undefined || at + mark.length > end || matchAt(RULE, this.text, at) !== undefined) return opened;
      const isEmpty = isBlank(this.text, at + mark.length, end);
      // Within a paragraph, only an item with text that is bulleted or numbered 1 interrupts it.
      if (continuesParagraph && opened.length === 0 && (isEmpty || (/\d/u.test(mark) && !/^1[.)]$/u.test(mark))))
        return opened;
      advance(this.text, cursor, at + mark.length);
      const gap = indentOf(this.text, cursor, end);
      const padding = isEmpty || gap > 4 ? 1 : gap;
      opened.push({ kind: "item", indent: indent + mark.length + padding });
      takeColumns(this.text, cursor, Math.min(padding, gap));
      if (isEmpty) return opened;
    }
  }

  private startsBlock(cursor: Cursor, end: number): boolean {
    if (indentOf(this.text, cursor, end) > 3) return false;
    const at = skipSpace(this.text, cursor.at, end);
    return (
      matchAt(FENCE, this.text, at) !== undefined ||
      this.text.startsWith("<!--", at) ||
      matchAt(RULE, this.text, at) !== undefined ||
      /^#{1,6}(?:[ \t]|$)/u.test(this.text.slice(at, Math.min(end, at + 8)))
    );
  }

  private leaf(cursor: Cursor, end: number): void {
    if (isBlank(this.text, cursor.at, end)) return this.endParagraph();
    const indent = indentOf(this.text, cursor, end);
    if (indent > 3 && this.open.kind !== "paragraph") return; // indented code
    const at = skipSpace(this.text, cursor.at, end);
    const fence = indent > 3 ? undefined : matchAt(FENCE, this.text, at);
    if (fence !== undefined) {
      this.endParagraph();
      this.open = { kind: "fence", depth: this.containers.length, mark: fence };
      return;
    }
    if (indent <= 3 && this.text[at] === "<" && this.openHtml(at, end)) return;
    if (this.open.kind === "none" && DEFINITION.test(this.text.slice(at, Math.min(end, at + 1_000)))) return;
    this.paragraph.push({ start: at, end });
    this.open = { kind: "paragraph" };
    // A heading is one line; the next line starts a new paragraph.
    if (indent <= 3 && /^#{1,6}[ \t]/u.test(this.text.slice(at, Math.min(end, at + 8)))) this.endParagraph();
  }

  /** Opens an HTML block if one begins here; returns whether it did. */
  private openHtml(at: number, end: number): boolean {
    const depth = this.containers.length;
    const line = this.text.slice(at, end);
    if (line.startsWith("<!--")) {
      this.endParagraph();
      const close = /^<!--(?:-?>|[\s\S]*?-->)/u.exec(line)?.[0];
      if (close === undefined) this.open = { kind: "comment", depth, start: at };
      else this.comments.push({ start: at, end: at + close.length, closed: true, nested: depth > 0 });
      return true;
    }
    const close = closeOfHtml(line);
    if (close === null || (close === "lone" && this.open.kind === "paragraph")) return false;
    this.endParagraph();
    if (!(close instanceof RegExp) || !close.test(line))
      this.open = { kind: "html", depth, close: close instanceof RegExp ? close : undefined };
    return true;
  }

  private endParagraph(): void {
    if (this.paragraph.length > 0) this.prose.push(this.paragraph);
    this.paragraph = [];
    if (this.open.kind === "paragraph") this.open = { kind: "none" };
  }
}

/** The end of the HTML block that this line begins: a pattern, or a blank line; `null` when it begins none. */
function closeOfHtml(line: string): RegExp | "blank" | "lone" | null {
  if (VERBATIM_TAG.test(line)) return /<\/(?:script|pre|style|textarea)>/iu;
  if (line.startsWith("<?")) return /\?>/u;
  if (line.startsWith("<![CDATA[")) return /\]\]>/u;
  if (/^<![a-z]/iu.test(line)) return />/u;
  if (BLOCK_TAG.test(line)) return "blank";
  return LONE_TAG.test(line) ? "lone" : null;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

function isBlank(text: string, from: number, end: number): boolean {
  return skipSpace(text, from, end) === end;
}

/** Columns of white space after the cursor; a tab extends to the next multiple of four. */
function indentOf(text: string, cursor: Cursor, end: number): number {
  let column = cursor.column;
  for (let at = cursor.at; at < end; at++) {
    if (text[at] === " ") column++;
    else if (text[at] === "\t") column += 4 - (column % 4);
    else break;
  }
  return column - cursor.column;
}

function takeColumns(text: string, cursor: Cursor, columns: number): void {
  const target = cursor.column + columns;
  while (cursor.column < target) {
    const character = text[cursor.at];
    if (character === " ") cursor.column++;
    else if (character === "\t" && cursor.column + 4 - (cursor.column % 4) <= target)
      cursor.column += 4 - (cursor.column % 4);
    else {
      // Part of a tab: the rest counts as indentation of the content.
      if (character !== "\t") return;
      cursor.column = target;
      return;
    }
    cursor.at++;
  }
}

function advance(text: string, cursor: Cursor, to: number): void {
  for (; cursor.at < to; cursor.at++) cursor.column += text[cursor.at] === "\t" ? 4 - (cursor.column % 4) : 1;
}
