import type { CommandSpec } from "./command.ts";

/** Commands about sessions and prompts of before, and notes of other tools. */
export const PAST_COMMANDS: readonly CommandSpec[] = [
  {
    name: "search", group: "recall", usage: "TERM [--all-projects] [--agent AGENT] [--since DATE] [--limit N] [--regex] [--ignore-case] | --index | --drop-index", positionals: Number.POSITIVE_INFINITY,
    summary: "find an error text, a path or a function in past sessions of any agent",
    details: "Reads the transcripts of Claude Code, Codex, Gemini CLI and OpenCode for this project: what you and the agent said, what tools were asked and returned. Newest first; secrets are masked. --index keeps an index in ~/.memdir that makes repeated searches instant; results are the same. The last resort after notes.",
    options: {
      "all-projects": { type: "boolean", summary: "sessions of every project on this machine" },
      agent: { type: "string", value: "AGENT", summary: "claude-code, codex, gemini or opencode" },
      since: { type: "string", value: "DATE", summary: "that day or later, or an ISO time" },
      limit: { type: "string", value: "N", summary: "at most this many messages (default 20)" },
      regex: { type: "boolean", summary: "the term is a regular expression (JavaScript)" },
      "ignore-case": { type: "boolean", summary: "capitals or not" },
      index: { type: "boolean", summary: "make the index or bring it up to date first" },
      "no-index": { type: "boolean", summary: "read the transcripts even where there is an index" },
      "drop-index": { type: "boolean", summary: "delete the index" },
    },
    examples: [["memdir search ECONNREFUSED", "where that error was met"], ["memdir search src/config/load.ts --agent codex --since 2026-03-01", ""], ["memdir search --index", "make repeated searches instant"]],
    load: () => import("./commands/search.ts"),
  },
  {
    name: "prompts", group: "recall", usage: "[--all] [--limit N] [--expand]", positionals: 0,
    summary: "list what you asked, newest first, the last 100 a project",
    details: "memdir's own history (~/.memdir/history.jsonl, kept after each turn) and the one of Claude Code. Pastes over 1,024 characters are shown as [Pasted text #N +M lines]. Prompts with secrets are never kept. `promptsKept` in ~/.memdir/settings.json says how many; 0 keeps none.",
    options: {
      all: { type: "boolean", summary: "of every project" },
      limit: { type: "string", value: "N", summary: "at most this many" },
      expand: { type: "boolean", summary: "with pastes in their places" },
    },
    examples: [["memdir prompts --limit 10", "what you asked last"]],
    load: () => import("./commands/prompts.ts"),
  },
  {
    name: "import", group: "notes", usage: "KIND [PATH] | ARCHIVE [--dry-run | --yes]", positionals: 2,
    summary: "take over notes of another tool, or an exported archive; shows the plan and asks",
    details: "KIND is claude-code (another memory directory), codex, gemini (both found by themselves), server-memory (its JSONL file), basic-memory or openclaw (directories). Duplicates, secrets, hidden characters and what the repository says itself are refused with the reason. An archive is what `memdir export` wrote: each of its files is compared with its hash, and a note of another text under the same name is kept beside yours. Each note of another tool says where it comes from (metadata.imported_from); importing again adds nothing. The source is never changed.",
    options: { "dry-run": { type: "boolean", summary: "show the plan only" }, yes: { type: "boolean", summary: "do not ask" } },
    examples: [["memdir import codex --dry-run", "look first"], ["memdir import server-memory ~/memory.jsonl --yes", ""]],
    load: () => import("./commands/import.ts"),
  },
];
