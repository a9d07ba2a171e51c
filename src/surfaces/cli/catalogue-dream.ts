import type { CommandSpec } from "./command.ts";

export const DREAM_COMMANDS: readonly CommandSpec[] = [
  {
    name: "dream", group: "care", usage: "[--apply | --review | --if-due] [--model] [--scope SCOPE] | log | undo", positionals: 1,
    summary: "consolidate notes: duplicates, contradictions, moved and dead references, relative dates",
    details: "Shows what it would do; --apply does what is safe, --review asks for each. Notes that a person wrote or pinned are never touched, a quarter of the notes at most changes in a run, recall must not lose anything, and all of it is one version: `dream undo` takes it back. `dream log` tells what earlier ones did. No model is needed; with --model the one of `memdir models` proposes too, and every proposal is judged here.",
    options: {
      "dry-run": { type: "boolean", summary: "only show (the default)" },
      apply: { type: "boolean", summary: "apply what is safe" },
      review: { type: "boolean", summary: "ask before each operation" },
      "if-due": { type: "boolean", summary: "what memdir does by itself: only a day after the last one and after five sessions" },
      model: { type: "boolean", summary: "let the chosen model propose too: sends groups of related notes, within the daily budget" },
      scope: { type: "string", value: "SCOPE", summary: "project, user, local or team; default all of yours" },
    },
    examples: [["memdir dream", "look first"], ["memdir dream --apply", "do what is safe"], ["memdir dream undo", "as before"]],
    load: () => import("./commands/dream.ts"),
  },
  {
    name: "audit", group: "care", usage: "[--all]", positionals: 0,
    summary: "show what is rotten in the notes, each with the command that mends it",
    details: "Secrets, contradictions, stale claims, duplicates, recalled text that was saved again, copies that a conflict left, unreadable files, links and lines that lead nowhere, relative dates, notes too long for recall, an index that drifted, notes that no prompt found in three months. Exit code 1 when something was found. Nothing is changed.",
    options: { all: { type: "boolean", summary: "every finding, not the first ten of a kind" } },
    examples: [["memdir audit", ""]],
    load: () => import("./commands/audit.ts"),
  },
];
