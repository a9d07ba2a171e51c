import { stripBlockComments } from "../comments.ts";
import type { ShownText } from "../loader.ts";
import { readRule } from "../rule-paths.ts";

export interface ClaudeCodeText extends ShownText {
  /** The text that imports are looked for in: without frontmatter, with its comments. */
  readonly body: string;
}

/**
 * What Claude Code shows of a file: no frontmatter, no block comments; at the start of a session without blanks
 * at both ends, on demand with them.
 */
export function claudeCodeText(text: string, at: "start" | "demand"): ClaudeCodeText {
  const { body, hadFrontmatter, paths } = readRule(text);
  const { text: visible, stripped } = stripBlockComments(body);
  return {
    body: body.replace(/\r\n?/gu, "\n"),
    text: at === "start" ? visible.trim() : visible,
    paths,
    flags: [...(hadFrontmatter ? (["frontmatter-stripped"] as const) : []), ...(stripped ? (["comments-stripped"] as const) : [])],
  };
}

const TEXT_TYPES = new Set(
  (
    "md markdown mdx txt text rst adoc asciidoc org tex log csv tsv json jsonc json5 jsonl yaml yml toml ini cfg conf config env properties xml xsl xsd html htm css scss sass less " +
    "graphql gql proto sql prisma lock diff patch js jsx mjs cjs ts tsx mts cts vue svelte astro py pyi pyw rb erb rake rs go java kt kts scala groovy gradle sbt c h cc cpp cxx hpp hxx cs fs fsx swift m mm " +
    "dart php pl pm lua r ex exs erl hrl hs elm clj cljs cljc lisp zig nim d v sh bash zsh fish ps1 bat cmd asm s mk cmake make tf hcl nix dockerfile ejs hbs pug jade mustache"
  ).split(" "),
);

/** Claude Code imports files of types that it knows for text, and files without an extension. */
export function isImportable(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 || TEXT_TYPES.has(name.slice(dot + 1).toLowerCase());
}
