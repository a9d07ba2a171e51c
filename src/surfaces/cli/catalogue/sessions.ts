import type { CommandSpec, OptionSpec } from "../command.ts";
import { AS_OF, modelOption, YES } from "./options.ts";

const section = (summary: string): OptionSpec => ({
  type: "string",
  value: "TEXT",
  multiple: true,
  only: ["save"],
  summary,
});

/** Commands for what a session leaves behind and what the next one starts with. */
export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    name: "demo",
    triedAs: ["try", "tour", "start", "example"],
    group: "sessions",
    usage: "[TRANSCRIPT] [--prompt TEXT] [--keep]",
    positionals: 1,
    summary: "see how a session becomes notes that the next session starts with",
    details:
      "Without an argument it uses a session that ships with memdir. Notes go to a scratch directory that memdir deletes at the end unless you give --keep, or to --dir; your own memory stays untouched.",
    options: {
      prompt: { type: "string", value: "TEXT", summary: "the first prompt of the next session" },
      keep: { type: "boolean", summary: "keep the scratch directory" },
    },
    examples: [
      ["memdir demo", "the session that ships with memdir"],
      ["memdir demo ~/.claude/projects/…/session.jsonl", "one of yours"],
      ["memdir demo --keep", "look at the notes afterwards"],
    ],
    load: () => import("../commands/demo.ts"),
  },
  {
    name: "capture",
    triedAs: ["extract", "learn", "record"],
    group: "sessions",
    usage: "TRANSCRIPT | DIR | --all | --turn - [--wait] [--dry-run] [--model [--yes]] [--again]",
    positionals: 1,
    summary: "save what you asked to remember in a past session",
    details:
      "Reads a Claude Code transcript (.jsonl), all of a directory, or with --all every session of this project. Only what you typed counts: wishes, corrections, confirmations, preferences, decisions, deadlines, named systems. Each note carries its evidence, each refusal its reason. A second run adds nothing; after Ctrl-C it continues where it stopped. With --model, the model of `memdir models` proposes notes after memdir has estimated the cost and asked. Every proposal must quote your words, and memdir judges it. If the model does not answer, rules do the work. Programs hand over a conversation with `--turn -`, as one JSON document on standard input; it is captured in the background, or with --wait before the command ends. What the mode keeps from automatic capture stays out.",
    options: {
      turn: {
        type: "string",
        value: "-",
        summary: "a conversation as JSON from standard input: {session, turns: [{role, text}]}",
      },
      wait: { type: "boolean", summary: "with --turn: capture it now and print the result" },
      all: { type: "boolean", summary: "every session of this project that Claude Code keeps, worktrees included" },
      "dry-run": { type: "boolean", summary: "show what would be saved" },
      model: modelOption("let the chosen model propose notes"),
      yes: YES,
      again: { type: "boolean", summary: "start over, even if captured before" },
      pending: { type: "boolean", summary: "turns that wait; the process that runs after a turn uses this" },
    },
    examples: [
      ["memdir capture session.jsonl --dry-run", "look first"],
      ["memdir capture --all", "every session of this project"],
    ],
    load: () => import("../commands/capture.ts"),
  },
  {
    name: "review",
    triedAs: ["queue", "accept", "reject", "approve"],
    group: "sessions",
    usage:
      "[accept ID… | reject ID… [--never] | edit ID [--force] | drop-rule ID…] [--all] [--always] [--list] [--rules]",
    positionals: Number.POSITIVE_INFINITY,
    actions: {
      accept: Number.POSITIVE_INFINITY,
      reject: Number.POSITIVE_INFINITY,
      edit: 1,
      "drop-rule": Number.POSITIVE_INFINITY,
    },
    summary: "accept, edit or reject notes that capture proposes",
    details:
      "On a terminal, without arguments, it goes through the queue one by one. In confirm mode everything that capture finds waits here; in every mode doubtful notes do. Where a new note contradicts an older one, accepting retires the older one, and rejecting says that both hold; `memdir conflicts` lists the same pairs. Accepting checks an entry again: if its note has changed since, the entry is stale and nothing is saved. Entries expire after 30 days; at most 200 are kept.",
    options: {
      list: { type: "boolean", only: [""], summary: "print the queue" },
      all: { type: "boolean", only: ["accept", "reject"], summary: "accept or reject everything that waits" },
      always: {
        type: "boolean",
        only: ["accept"],
        summary: "with accept: save similar notes without asking from now on",
      },
      never: {
        type: "boolean",
        only: ["reject"],
        summary: "with reject: refuse similar notes from now on, in every mode",
      },
      force: {
        type: "boolean",
        only: ["edit"],
        summary: "with edit: keep a text that is not for a note; the note says so",
      },
      rules: { type: "boolean", only: [""], summary: "print the rules that `always` and `never` made" },
    },
    examples: [
      ["memdir review", "one by one"],
      ["memdir review --list", "without a terminal"],
      ["memdir review accept 1f0c2a9b", "one of them"],
      ["memdir review reject 1f0c2a9b --never", "this one and all similar ones"],
      ["memdir review --rules", "`drop-rule ID` removes one"],
    ],
    load: () => import("../commands/review.ts"),
  },
  {
    name: "context",
    triedAs: ["preview", "prime"],
    group: "sessions",
    usage: "[--agent AGENT] [--touch PATH…] [--text] [--why PATH] [--as-of DATE]",
    positionals: 0,
    summary: "show what the next session starts with: instruction files, then notes",
    details:
      "Shows the files in the order in which the client loads them: managed, user, project and local files with their imports and rules, then MEMORY.md and pinned notes. Says what was left out, cut, is pending or cannot be read, and why.",
    options: {
      agent: {
        type: "string",
        value: "AGENT",
        values: ["claude-code", "codex", "gemini", "opencode", "all"],
        summary: "claude-code, codex, gemini, opencode or all",
      },
      touch: { type: "string", value: "PATH", summary: "as if the agent read this file (repeatable)", multiple: true },
      text: { type: "boolean", summary: "print the text of every section too" },
      why: { type: "string", value: "PATH", summary: "explain why a file is loaded or not" },
      "as-of": AS_OF,
    },
    examples: [
      ["memdir context", "what a session here starts with"],
      ["memdir context --touch src/api/routes.ts", "what reading that file adds"],
      ["memdir context --agent codex --json", "as Codex sees it, for programs"],
    ],
    load: () => import("../commands/context.ts"),
  },
  {
    name: "checkpoint",
    triedAs: ["save-point", "handoff", "resume", "continue"],
    group: "sessions",
    usage: "save [-] | list | show [ID] | restore [ID] | branch [ID] NAME | diff [ID [ID]] | dismiss [ID] | remove ID",
    positionals: 3,
    actions: { save: 2, list: 0, show: 1, restore: 1, branch: 2, diff: 2, dismiss: 1, remove: 1 },
    summary: "save where a long task stands; continue in another session, agent or machine",
    details:
      "save keeps goal, plan, what is done, what comes next, decisions, open questions, notes to read, and where git stood. What you leave out comes from the task's last checkpoint; --done, --decision and --note add to it. restore prints what an agent needs, with what changed in the repository since. memdir saves a checkpoint automatically before a compaction and at the end of a session; the next session gets one line about it until you restore or dismiss the task. An ID may be its beginning, the name of a task, or a checkpoint file from another machine.",
    options: {
      name: {
        type: "string",
        value: "NAME",
        only: ["save"],
        summary: "the task (default: that of the last checkpoint)",
      },
      goal: section("the goal"),
      plan: section("the steps"),
      done: section("what is done (adds)"),
      next: section("what comes next"),
      decision: section("what was decided, and why (adds)"),
      question: section("what is open"),
      note: section("a note to read (adds)"),
      session: { type: "string", value: "ID", only: ["save"], summary: "the conversation that saves it" },
      fresh: { type: "boolean", only: ["save"], summary: "take nothing from the last checkpoint" },
    },
    examples: [
      ["memdir checkpoint save --goal 'Import orders in one pass' --next 'port the retry'", "begin"],
      ["memdir checkpoint save --done 'retry ported' --next 'measure'", "go on"],
      ["memdir checkpoint restore", "what another session needs"],
    ],
    load: () => import("../commands/checkpoint.ts"),
  },
  {
    name: "session",
    triedAs: ["sessions"],
    group: "sessions",
    usage: "[list [--all] | show [SESSION] | update TRANSCRIPT [--model] | template | remove SESSION]",
    positionals: 2,
    actions: { list: 0, show: 1, update: 1, template: 0, remove: 1 },
    standard: "list",
    summary: "show session notes, which an agent gets back after a compaction",
    details:
      "Session notes are not memory: only the same session gets them back, and memdir deletes them after 30 days. They start at 10,000 tokens of conversation and are renewed after 5,000 more and three tool calls; update renews them now. Rules write them, or with --model the model of `memdir models`. template writes the file in which you can change the sections.",
    options: {
      all: { type: "boolean", only: ["list"], summary: "sessions of every project" },
      model: { ...modelOption("let the chosen model write"), only: ["update"] },
    },
    examples: [
      ["memdir session", "of this project, newest first"],
      ["memdir session show", "what the agent of the newest would get"],
      ["memdir session template", "the sections, for you to edit"],
    ],
    load: () => import("../commands/session.ts"),
  },
  {
    name: "dream",
    triedAs: ["consolidate", "clean", "cleanup", "gc", "compact", "tidy", "dedupe", "merge"],
    group: "sessions",
    usage: "[--dry-run | --apply | --review | --if-due] [--model] [--scope SCOPE] | log | undo",
    positionals: 1,
    actions: ["log", "undo"],
    summary: "consolidate notes: duplicates, contradictions, stale references, relative dates",
    details:
      "Shows what it would do; --apply does what is safe, --review asks for each change. It never touches notes that you wrote or pinned, changes at most a quarter of the notes in a run, and checks that recall loses nothing. A run is one version: `dream undo` takes it back, `dream log` lists earlier runs. No model is needed; with --model, the model of `memdir models` proposes too, and memdir judges every proposal.",
    options: {
      "dry-run": { type: "boolean", only: [""], summary: "only show (the default)" },
      apply: { type: "boolean", only: [""], summary: "apply what is safe" },
      review: { type: "boolean", only: [""], summary: "ask before each change" },
      "if-due": {
        type: "boolean",
        only: [""],
        summary: "the automatic run: only a day after the last one and after five sessions",
      },
      model: {
        type: "boolean",
        only: [""],
        summary: "let the chosen model propose too: sends groups of related notes, within the daily budget",
      },
      scope: {
        type: "string",
        value: "SCOPE",
        values: ["project", "user", "local", "team"],
        summary: "project, user, local or team (default: all of yours)",
      },
    },
    examples: [
      ["memdir dream", "look first"],
      ["memdir dream --apply", "do what is safe"],
      ["memdir dream undo", "take the last run back"],
    ],
    load: () => import("../commands/dream.ts"),
  },
];
