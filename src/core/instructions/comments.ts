import { scanBlocks } from "./markdown-blocks.ts";

/**
 * The text without its block comments, as Claude Code leaves it out: comments that begin a line of their own, with
 * the rest of their line's blanks and the empty lines below. Comments in text, lists, quotes and code stay, and so
 * does one that never closes. A text that loses a comment loses its carriage returns too.
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
    if (rest === block) continue; // `<!-->` is one that holds nothing
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
