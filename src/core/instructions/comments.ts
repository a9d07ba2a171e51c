import { scanBlocks } from "./markdown-blocks.ts";

/** The text without its block comments (those that begin a line); a line that only held one goes with it. */
export function stripBlockComments(text: string): { readonly text: string; readonly stripped: boolean } {
  if (!text.includes("<!--")) return { text, stripped: false };
  const { comments } = scanBlocks(text);
  let out = "";
  let from = 0;
  for (const { start, end } of comments) {
    out += text.slice(from, start);
    from = end;
    const lineEnd = /[ \t]*\n/uy;
    lineEnd.lastIndex = end;
    const rest = lineEnd.exec(text)?.[0];
    if (rest !== undefined && (out === "" || /\n[ \t]*$/u.test(out.slice(-80)))) from += rest.length;
  }
  return { text: out + text.slice(from), stripped: comments.length > 0 };
}
