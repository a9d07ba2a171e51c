/**
 * Markdown as a tree of plain values. No HTML is made anywhere: what a text has of it stays text. Links lead to web
 * pages, to mail or to notes; images are named, never loaded.
 */
import MarkdownIt from "markdown-it";
import type { Branch, Tree } from "../base/tree.ts";

const engine = new MarkdownIt({ html: false, linkify: false, typographer: false });

const WIKI = /\[\[([^\]|#\n]{1,200})(?:[|#][^\]\n]*)?\]\]/gu;
const OUTSIDE = /^(?:https?:\/\/|mailto:)/iu;
const SCHEME = /^[a-z][a-z0-9+.-]*:/iu;

type Token = ReturnType<typeof engine.parse>[number];

function withNotes(text: string): Tree[] {
  const out: Tree[] = [];
  let from = 0;
  for (const match of text.matchAll(WIKI)) {
    out.push(text.slice(from, match.index));
    const target = (match[1] ?? "").trim();
    out.push({ tag: "note", target, children: [target] });
    from = match.index + match[0].length;
  }
  out.push(text.slice(from));
  return out.filter((part) => part !== "");
}

/** Where a link may lead; other addresses are shown beside their text. */
function linkOf(href: string): Branch {
  if (OUTSIDE.test(href)) return { tag: "a", target: href, children: [] };
  if (!SCHEME.test(href) && /\.md(?:#|$)/iu.test(href))
    return { tag: "note", target: href.replace(/#.*$/u, ""), children: [] };
  return { tag: "address", target: href, children: [] };
}

/** A note's headings stand below the page's own. */
function tagOf({ tag }: Token): string {
  const level = /^h([1-6])$/u.exec(tag)?.[1];
  return level === undefined ? tag : `h${Math.min(6, Number(level) + 1)}`;
}

function branchOf(token: Token): Branch {
  if (token.type === "link_open") return linkOf(String(token.attrGet("href") ?? ""));
  const start = token.type === "ordered_list_open" ? Number(token.attrGet("start") ?? 1) : 1;
  const align = /text-align:(left|center|right)/u.exec(String(token.attrGet("style") ?? ""))?.[1];
  return {
    tag: tagOf(token),
    ...(start !== 1 && { start }),
    ...(align !== undefined && { align }),
    children: [],
  };
}

function leavesOf(token: Token): Tree[] {
  switch (token.type) {
    case "inline":
      return treesOf(token.children ?? []);
    case "text":
      return withNotes(token.content);
    case "softbreak":
      return ["\n"];
    case "hardbreak":
      return [{ tag: "br", children: [] }];
    case "hr":
      return [{ tag: "hr", children: [] }];
    case "code_inline":
      return [{ tag: "code", children: [token.content] }];
    case "fence":
    case "code_block":
      return [{ tag: "pre", children: [token.content.replace(/\n$/u, "")] }];
    case "image":
      return [{ tag: "image", target: String(token.attrGet("src") ?? ""), children: [token.content] }];
    default:
      return [token.content];
  }
}

function treesOf(tokens: readonly Token[]): Tree[] {
  const root: Tree[] = [];
  const open: Tree[][] = [root];
  for (const token of tokens) {
    if (token.hidden) continue;
    const here = open.at(-1) ?? root;
    if (token.nesting === 1) {
      const branch = branchOf(token);
      const children: Tree[] = [];
      here.push({ ...branch, children });
      open.push(children);
    } else if (token.nesting === -1) {
      if (open.length > 1) open.pop();
    } else here.push(...leavesOf(token));
  }
  return root;
}

/** Deeper than this the engine leaves text out, and nothing of a note may be missing. */
const DEEPEST = 90;

/** @returns `undefined` for a text that is nested too deeply to be read as Markdown. */
export function parse(text: string): Tree[] | undefined {
  const tokens = engine.parse(text, {});
  return tokens.some(({ level }) => level >= DEEPEST) ? undefined : treesOf(tokens);
}
