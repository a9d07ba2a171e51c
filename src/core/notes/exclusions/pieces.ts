import { once } from "../../shared/once.ts";
import { REAL_END } from "../wording/sentence-ends.ts";

/**
 * The sentences and list items of a text, in order. Headings are omitted; a fenced code block is one piece. The caller
 * judges what a piece is.
 */
export function piecesOf(text: string): readonly string[] {
  return text
    .replace(/\r\n?/gu, "\n")
    .replace(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[ \t]*$/gmu, (_, __, code: string) => `\n\n${fenced(code)}\n\n`)
    .split(/\n\s*\n|\n(?=\s*(?:[-*+•]|\d{1,2}[.)]|#{1,6})\s)/u)
    .map((part) => part.replace(/\s*\n\s*/gu, " ").trim())
    .filter((part) => part !== "" && !/^#{1,6}\s/u.test(part))
    .flatMap((part) => sentencesOf(part.replace(/^(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ x]\]\s+)?/u, "")));
}

/** Turns a code block into one piece that is only code. */
function fenced(code: string): string {
  return `\`${code.replace(/[`\s]+/gu, " ").slice(0, 200)}\``;
}

const END = once(
  () =>
    new RegExp(
      String.raw`(?<=[.!?…]${REAL_END}["'”’)\]*]*)\s+(?=[\p{Lu}\p{N}\x60"“«*_[(\p{Lo}]|[\p{Ll}]\p{L}+[A-Z(])|(?<=[。！？])`,
      "u",
    ),
);

/** Splits at sentence ends, except inside code, URLs and file names. */
function sentencesOf(line: string): readonly string[] {
  return line
    .split(END())
    .map((sentence) => sentence.replace(/^\*\*([^*]+)\*\*/u, "$1").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
