import { stripBlockComments } from "../comments.ts";
import type { ShownText } from "../loader.ts";
import { readRule } from "../rule-paths.ts";

export interface ClaudeCodeText extends ShownText {
  /** The text that imports are looked for in: before its ends are trimmed, line endings as `\n`. */
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
    body: visible.replace(/\r\n?/gu, "\n"),
    text: at === "start" ? visible.trim() : visible,
    paths,
    flags: [
      ...(hadFrontmatter ? (["frontmatter-stripped"] as const) : []),
      ...(stripped ? (["comments-stripped"] as const) : []),
    ],
  };
}

const TEXT_TYPES = new Set(
  (
    "md txt text rst adoc asciidoc org tex log csv json yaml yml toml ini cfg conf config env properties xml html htm css scss sass less graphql gql proto sql lock diff patch " +
    "js jsx mjs cjs ts tsx mts cts vue svelte astro py pyi rb erb rs go java kt kts scala gradle c h cc cpp cxx hpp hxx cs swift dart php pl pm lua r ex exs erl hrl hs elm clj cljs " +
    "sh bash zsh fish ps1 bat cmd cmake make"
  ).split(" "),
);

/** Claude Code imports files of types that it knows for text, and files without an extension. */
export function isImportable(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 || TEXT_TYPES.has(name.slice(dot + 1).toLowerCase());
}
