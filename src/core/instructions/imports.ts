import { scanBlocks, type Span } from "./markdown-blocks.ts";
import { textPieces } from "./markdown-inline.ts";

/** `@path` in prose. */
export interface ImportMention extends Span {
  /** As written, with `\ ` unescaped and without a `#fragment`; neither resolved nor looked for. */
  readonly target: string;
}

const TOKEN = /(?:^|\s)@((?:[^\s\\]|\\ )+)/gu;
/** What a path may begin with, as Claude Code has it: other letters and marks are no import. */
const PATH_START = /^(?:~\/|\/|[A-Za-z0-9._-])/u;

/**
 * Every `@path` in prose, in order of position: at the start of a piece of text or after white space, up to the
 * next white space; never inside code spans, fences, indented code, HTML blocks or comments. Whether the path
 * leads anywhere is the caller's to find out. Line endings are `\n`. Never throws.
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

/** From a position in the joined paragraph, asked in rising order, to the one in the whole text. */
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
