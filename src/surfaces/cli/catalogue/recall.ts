import type { CommandSpec } from "../command.ts";
import { AS_OF, limitOption, SESSION } from "./options.ts";

/** Commands that find notes and past sessions, and explain the results. */
export const RECALL_COMMANDS: readonly CommandSpec[] = [
  {
    name: "recall",
    triedAs: ["ask", "query", "retrieve", "lookup"],
    group: "recall",
    isEveryday: true,
    usage: "PROMPT [--raw] [--as-of DATE] [--touched PATH]… [--session ID] [--explain] [--no-verify]",
    positionals: Number.POSITIVE_INFINITY,
    summary: "show the notes that help with a prompt",
    details:
      "Uses no model and no network. Notes that are sure to help are shown whole, likely ones in one line; often no note matches. memdir checks the files, names, options, scripts, packages and branches that a note names against the working tree, within 40 ms. The prompt may come from standard input (`-`). A terminal shows plain text; a pipe gets the text that an agent gets.",
    options: {
      raw: { type: "boolean", summary: "print the text that an agent gets, on a terminal too" },
      "as-of": AS_OF,
      explain: { type: "boolean", summary: "show terms, candidates and what decided" },
      session: SESSION,
      touched: {
        type: "string",
        value: "PATH",
        multiple: true,
        summary: "a file the work is about: notes that name it come first (repeatable)",
      },
      "no-verify": { type: "boolean", summary: "do not check notes against the working tree" },
    },
    examples: [
      ["memdir recall 'write tests for the importer'", "notes for this prompt"],
      ["memdir recall --raw 'write tests for the importer'", "what an agent gets"],
    ],
    load: () => import("../commands/recall.ts"),
  },
  {
    name: "search",
    triedAs: ["find", "grep", "rg", "fetch"],
    group: "recall",
    isEveryday: true,
    usage:
      "TERM [--all-projects] [--agent AGENT] [--since DATE] [--limit N] [--regex] [--ignore-case] | --index | --drop-index",
    positionals: Number.POSITIVE_INFINITY,
    summary: "find a text in notes (in any case), then exactly in past sessions",
    details:
      "Notes come first. Then memdir reads the transcripts of Claude Code, Codex, Gemini CLI and OpenCode for this project: what you and the agent said, what tools were asked and what they returned. Newest first; secrets are masked. --index keeps an index in ~/.memdir that makes repeated searches instant and gives the same results.",
    options: {
      "all-projects": { type: "boolean", summary: "include sessions of every project on this machine" },
      agent: {
        type: "string",
        value: "AGENT",
        values: ["claude-code", "codex", "gemini", "opencode"],
        summary: "only sessions of claude-code, codex, gemini or opencode",
      },
      since: { type: "string", value: "DATE", summary: "from that day on, or from an ISO time on" },
      limit: limitOption("at most N messages (default 20)"),
      regex: { type: "boolean", summary: "the term is a regular expression (JavaScript)" },
      "ignore-case": { type: "boolean", summary: "ignore upper and lower case" },
      index: { type: "boolean", summary: "create or update the index first" },
      "no-index": { type: "boolean", summary: "read the transcripts even if there is an index" },
      "drop-index": { type: "boolean", summary: "delete the index" },
    },
    examples: [
      ["memdir search ECONNREFUSED", "where that error came up"],
      ["memdir search src/config/load.ts --agent codex --since 2026-03-01", ""],
      ["memdir search --index", "make repeated searches instant"],
    ],
    load: () => import("../commands/search.ts"),
  },
  {
    name: "why",
    isEveryday: true,
    triedAs: ["explain"],
    group: "recall",
    usage: "PROMPT | --last [--session ID]",
    positionals: Number.POSITIVE_INFINITY,
    summary: "explain what a prompt recalls",
    details:
      "Runs the recall without counting it. With --last it explains the last recall of an agent, from the log on this machine.",
    options: { last: { type: "boolean", summary: "explain the last logged recall" }, session: SESSION },
    examples: [
      ["memdir why 'write tests for the importer'", "scores, words, and the outcome for each note"],
      ["memdir why --last", "what the agent just got"],
    ],
    load: () => import("../commands/why.ts"),
  },
  {
    name: "why-not",
    group: "recall",
    usage: "NOTE PROMPT [--session ID]",
    positionals: Number.POSITIVE_INFINITY,
    summary: "explain why a note was not recalled, and how to change that",
    options: { session: SESSION },
    examples: [["memdir why-not no-mocks 'write tests for the importer'", "which words are missing"]],
    load: () => import("../commands/why-not.ts"),
  },
  {
    name: "replay",
    group: "recall",
    usage: "[--last N | --since DATE]",
    positionals: 0,
    summary: "run logged prompts again and show what changed",
    details:
      "Compares what each prompt recalled then with what it recalls now: same, gained, lost. Exit code 1 if a note that was shown is no longer found.",
    options: {
      last: { type: "string", value: "N", summary: "the last N prompts (default 50)" },
      since: { type: "string", value: "DATE", summary: "all prompts since that day or ISO time" },
    },
    examples: [["memdir replay --last 20", "after an update, or after notes were merged"]],
    load: () => import("../commands/replay.ts"),
  },
  {
    name: "bench",
    triedAs: ["benchmark", "measure"],
    group: "recall",
    usage: "FILE.jsonl | --init FILE.jsonl",
    positionals: 1,
    summary: "measure recall on your own prompts, beside plain BM25",
    details:
      'Each line is {"prompt": "…", "notes": ["file-or-name"]}; no notes means that nothing should be shown. --init writes a first file from the prompts in the log: correct it, then measure.',
    options: { init: { type: "string", value: "FILE", summary: "write a first file to correct" } },
    examples: [
      ["memdir bench --init prompts.jsonl", "from your own prompts"],
      ["memdir bench prompts.jsonl", "how often the right note is found"],
    ],
    load: () => import("../commands/bench.ts"),
  },
  {
    name: "prompts",
    group: "recall",
    usage: "[--all] [--limit N] [--expand]",
    positionals: 0,
    summary: "list what you asked, newest first",
    details:
      "Reads memdir's own history (~/.memdir/history.jsonl, written after each turn) and that of Claude Code; the last 100 prompts of a project are kept. Pastes over 1,024 characters are shown as [Pasted text #N +M lines]. Prompts with secrets are never kept. `promptsKept` in ~/.memdir/settings.json sets how many are kept; 0 keeps none.",
    options: {
      all: { type: "boolean", summary: "prompts of every project" },
      limit: limitOption("at most N prompts"),
      expand: { type: "boolean", summary: "print pasted texts in full" },
    },
    examples: [["memdir prompts --limit 10", "your last ten prompts"]],
    load: () => import("../commands/prompts.ts"),
  },
];
