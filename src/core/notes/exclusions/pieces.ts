/**
 * The sentences and list items of a text, in order: a heading, a label alone and what stands between code fences are
 * told apart by whoever judges them.
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

/** A block of code is one piece that says nothing but code. */
function fenced(code: string): string {
  return `\`${code.replace(/[`\s]+/gu, " ").slice(0, 200)}\``;
}

/** Ends of sentences inside code, addresses and names of files do not count. */
function sentencesOf(line: string): readonly string[] {
  return line
    .split(/(?<=[.!?…]["'”’)\]*]*)\s+(?=[\p{Lu}\p{N}`"“«*_[(\p{Lo}]|[\p{Ll}]\p{L}+[A-Z(])|(?<=[。！？])/u)
    .map((sentence) => sentence.replace(/^\*\*([^*]+)\*\*/u, "$1").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
