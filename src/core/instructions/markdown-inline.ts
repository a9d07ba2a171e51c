import { scanBlocks, type Span } from "./markdown-blocks.ts";

/**
 * Removes block comments as Claude Code does: comments that begin a line, with the trailing blanks and the empty lines
 * below. Comments in text, lists, quotes and code stay, and so does an unclosed one. If a comment is removed, carriage
 * returns are removed too.
 */
export function stripBlockComments(given: string): { readonly text: string; readonly stripped: boolean } {
  if (!given.includes("<!--")) return { text: given, stripped: false };
  const text = given.replace(/\r\n?/gu, "\n");
  let out = "";
  let from = 0;
  for (const comment of scanBlocks(text).comments) {
    if (!comment.closed || comment.nested || comment.start < from) continue;
    const start = text.lastIndexOf("\n", comment.start) + 1;
    const block = text.slice(start, endOfBlock(text, comment.end));
    const rest = block.replace(/<!--[\s\S]*?-->/gu, "");
    if (rest === block) continue; // `<!-->` is an empty comment
    out += text.slice(from, start) + (rest.trim() === "" ? "" : rest);
    from = start + block.length;
  }
  return from === 0 ? { text: given, stripped: false } : { text: out + text.slice(from), stripped: true };
}

function endOfBlock(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  let end = newline === -1 ? text.length : newline;
  while (text[end] === "\n") end++;
  return end;
}

/**
 * The plain text of a paragraph in pieces: without code spans, comments, tags, escapes, link targets and images, and
 * split where emphasis or a link begins or ends. In order. Linear time, except that emphasis looks back over a bounded
 * number of marks.
 */
function textPieces(text: string): readonly Span[] {
  const hidden = new InlineScanner(text).scan().toSorted((a, b) => a.start - b.start || b.end - a.end);
  const pieces: Span[] = [];
  let from = 0;
  for (const { start, end } of hidden) {
    if (start > from) pieces.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  if (from < text.length) pieces.push({ start: from, end: text.length });
  return pieces;
}

interface Mark {
  readonly character: string;
  start: number;
  end: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

const SPECIAL = /[\\`<[\]*_]/gu;

const TAG =
  /<(?:[a-z][\w.-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'=<>`]+))?){0,50}\s*\/?>|\/[a-z][\w.-]*\s*>|[a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000}>|[\w.!#$%&'*+/=?^`{|}~-]{1,200}@[\w.-]{1,200}>|\?[\s\S]{0,2000}?\?>|![A-Za-z][^>]{0,2000}>)/iuy;

const TARGET =
  /\(\s*(?:<[^<>\n]{0,2000}>|[^\s()<]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,5})(?:\s+(?:"[^"]{0,999}"|'[^']{0,999}'))?\s*\)/uy;

const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Most marks that emphasis looks back over. */
const LOOK_BACK = 64;

class InlineScanner {
  private readonly hidden: Span[] = [];
  private readonly marks: Mark[] = [];
  private readonly brackets: number[] = [];
  private readonly closers = new Map<number, number[]>();
  private readonly used = new Map<number, number>();
  private commentsClose = true;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  scan(): Span[] {
    const { text } = this;
    for (const match of text.matchAll(/`+/gu)) {
      const known = this.closers.get(match[0].length);
      if (known === undefined) this.closers.set(match[0].length, [match.index]);
      else known.push(match.index);
    }
    for (let at = this.next(0); at !== -1;) at = this.next(this.step(at));
    this.matchEmphasis();
    return this.hidden;
  }

  private next(from: number): number {
    SPECIAL.lastIndex = from;
    return SPECIAL.exec(this.text)?.index ?? -1;
  }

  /** Handles the character at `at`; returns where to continue. */
  private step(at: number): number {
    switch (this.text[at]) {
      case "\\":
        return this.escape(at);
      case "`":
        return this.code(at);
      case "<":
        return this.tag(at);
      case "[":
        this.brackets.push(at);
        return at + 1;
      case "]":
        return this.link(at);
      default:
        return this.mark(at);
    }
  }

  private hide(start: number, end: number): number {
    this.hidden.push({ start, end });
    return end;
  }

  private escape(at: number): number {
    return /[!-/:-@[-`{-~]/u.test(this.text[at + 1] ?? "") ? this.hide(at, at + 2) : at + 1;
  }

  private code(at: number): number {
    let stop = at;
    while (this.text[stop] === "`") stop++;
    const length = stop - at;
    const closing = this.closers.get(length) ?? [];
    let next = this.used.get(length) ?? 0;
    while ((closing[next] ?? Number.POSITIVE_INFINITY) < stop) next++;
    this.used.set(length, next);
    const close = closing[next];
    return close === undefined ? stop : this.hide(at, close + length);
  }

  private tag(at: number): number {
    if (this.text.startsWith("<!--", at)) {
      const close = this.commentsClose ? this.text.indexOf("-->", at + 2) : -1;
      if (close !== -1) return this.hide(at, close + 3);
      this.commentsClose = false;
      return at + 4;
    }
    TAG.lastIndex = at;
    const found = TAG.exec(this.text)?.[0];
    return found === undefined ? at + 1 : this.hide(at, at + found.length);
  }

  private link(at: number): number {
    const open = this.brackets.pop();
    if (open === undefined) return at + 1;
    TARGET.lastIndex = at + 1;
    const target = TARGET.exec(this.text)?.[0];
    if (target === undefined) return at + 1;
    const end = at + 1 + target.length;
    if (this.text[open - 1] === "!") return this.hide(open - 1, end);
    this.brackets.length = 0; // links do not nest
    this.hide(open, open + 1);
    return this.hide(at, end);
  }

  private mark(at: number): number {
    const character = this.text[at] ?? "";
    let end = at;
    while (this.text[end] === character) end++;
    const before = this.text[at - 1] ?? " ";
    const after = this.text[end] ?? " ";
    const left = !/\s/u.test(after) && (!PUNCTUATION.test(after) || /\s/u.test(before) || PUNCTUATION.test(before));
    const right = !/\s/u.test(before) && (!PUNCTUATION.test(before) || /\s/u.test(after) || PUNCTUATION.test(after));
    const opens = character === "*" ? left : left && (!right || PUNCTUATION.test(before));
    const closes = character === "*" ? right : right && (!left || PUNCTUATION.test(after));
    this.marks.push({ character, start: at, end, opens, closes });
    return end;
  }

  /** Pairs each closing mark with the nearest opening one; both become boundaries. */
  private matchEmphasis(): void {
    const openers: Mark[] = [];
    for (const mark of this.marks) {
      while (mark.closes && mark.start < mark.end) {
        const at = openers.findLastIndex(
          (opener, position) =>
            position >= openers.length - LOOK_BACK && opener.character === mark.character && opener.start < opener.end,
        );
        const opener = openers[at];
        if (opener === undefined) break;
        const length = mark.end - mark.start > 1 && opener.end - opener.start > 1 ? 2 : 1;
        this.hide(opener.end - length, opener.end);
        this.hide(mark.start, mark.start + length);
        opener.end -= length;
        mark.start += length;
        openers.length = opener.start < opener.end ? at + 1 : at;
      }
      if (mark.opens && mark.start < mark.end) openers.push(mark);
    }
  }
}

/** `@path` in prose. */
export interface ImportMention extends Span {
  /** As written, with `\ ` unescaped and without a `#fragment`; not resolved. */
  readonly target: string;
}

const TOKEN = /(?:^|\s)@((?:[^\s\\]|\\ )+)/gu;
/** First characters of a path, as in Claude Code; anything else is not an import. */
const PATH_START = /^(?:~\/|\/|[A-Za-z0-9._-])/u;

/**
 * Every `@path` in prose, in order: at the start of a piece of text or after white space, up to the next white space;
 * not in code spans, fences, indented code, HTML blocks or comments. The caller checks whether the path exists. Line
 * endings must be `\n`. Never throws.
 */
export function findImports(text: string): readonly ImportMention[] {
  if (!text.includes("@")) return [];
  return scanBlocks(text).prose.flatMap((lines) => importsInParagraph(text, lines));
}

function importsInParagraph(text: string, lines: readonly Span[]): ImportMention[] {
  const paragraph = lines.map(({ start, end }) => text.slice(start, end)).join("\n");
  if (!paragraph.includes("@")) return [];
  const toText = positions(lines);
  return textPieces(paragraph).flatMap((piece) =>
    [...paragraph.slice(piece.start, piece.end).matchAll(TOKEN)].flatMap((match) => {
      const raw = match[1] ?? "";
      const target = raw.replaceAll("\\ ", " ").replace(/#.*$/su, "");
      const end = piece.start + match.index + match[0].length;
      return PATH_START.test(target) ? [{ start: toText(end - raw.length - 1), end: toText(end - 1) + 1, target }] : [];
    }),
  );
}

/** Maps positions in the joined paragraph to the whole text; must be called in ascending order. */
function positions(lines: readonly Span[]): (at: number) => number {
  let line = 0;
  let before = 0;
  return (at) => {
    for (;;) {
      const { start, end } = lines[line] ?? { start: 0, end: 0 };
      if (at <= before + (end - start) || line === lines.length - 1) return start + (at - before);
      before += end - start + 1;
      line++;
    }
  };
}
