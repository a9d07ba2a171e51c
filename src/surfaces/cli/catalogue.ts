import { MODE_COMMANDS } from "./catalogue-modes.ts";
import { CHECKPOINT_COMMANDS } from "./catalogue-checkpoint.ts";
import { DREAM_COMMANDS } from "./catalogue-dream.ts";
import { GUARD_COMMANDS } from "./catalogue-guard.ts";
import { INSTALL_COMMANDS } from "./catalogue-install.ts";
import { LOG_COMMANDS } from "./catalogue-log.ts";
import { MCP_COMMANDS } from "./catalogue-mcp.ts";
import { PAST_COMMANDS } from "./catalogue-past.ts";
import { SCOPE_COMMANDS } from "./catalogue-scopes.ts";
import { LEAVING_COMMANDS } from "./catalogue-leaving.ts";
import { TIME_COMMANDS } from "./catalogue-time.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";

/** Taken by every command. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  dir: { type: "string", value: "DIR", summary: "use this directory of notes instead of the project's" },
  "agent-type": { type: "string", value: "TYPE", summary: "the notes of this type of sub-agent too (or MEMDIR_AGENT)" },
  json: { type: "boolean", summary: "print JSON for programs" },
  help: { type: "boolean", summary: "show this help" },
};

const AS_OF: OptionSpec = { type: "string", value: "DATE", summary: "as it was at the end of that day, or at that ISO time" };
const SESSION: OptionSpec = { type: "string", value: "ID", summary: "a conversation: what it has already is not shown again" };
const YES: OptionSpec = { type: "boolean", summary: "do not ask" };

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "demo", group: "main", usage: "[TRANSCRIPT] [--prompt TEXT]", positionals: 1,
    summary: "watch a session become notes, and the next session start with them",
    details: "Without an argument it uses the session that ships with memdir. Notes go to a scratch directory (or --dir); your own memory is not touched.",
    options: { prompt: { type: "string", value: "TEXT", summary: "what the next session asks" } },
    examples: [["memdir demo", "the shipped session"], ["memdir demo ~/.claude/projects/…/session.jsonl", "one of yours"]],
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "capture", group: "main", usage: "TRANSCRIPT | DIR | --all [--dry-run] [--model [--yes]] [--again]", positionals: 1,
    summary: "write down what a session's own words ask to remember",
    details: "Reads a Claude Code transcript (.jsonl), all of a directory, or with --all every session of this project. Only what the person typed counts: wishes, corrections, confirmations, preferences, decisions, deadlines, named systems. Each note carries its evidence, each refusal its reason. Running it twice adds nothing, and after Ctrl-C it goes on where it was. With --model the model of `memdir models` proposes, after an estimate of what that costs and a question; every proposal must quote your words and is judged here, and when it gives no answer rules do the work.",
    options: {
      all: { type: "boolean", summary: "every session of this project that Claude Code keeps, its worktrees' too" },
      "dry-run": { type: "boolean", summary: "show what would be written" },
      model: { type: "boolean", summary: "let the chosen model propose: sends the conversation, secrets masked, within the daily budget" },
      yes: YES,
      again: { type: "boolean", summary: "from the beginning, captured before or not" },
      pending: { type: "boolean", summary: "what ended turns left waiting; the process that runs after a turn does this" },
    },
    examples: [["memdir capture session.jsonl --dry-run", "look first"], ["memdir capture --all", "everything that was ever said here"]],
    load: () => import("./commands/capture.ts"),
  },
  {
    name: "context", group: "main", usage: "[--agent AGENT] [--touch PATH…] [--text] [--why PATH] [--as-of DATE]", positionals: 0,
    summary: "show what the next session starts with: instruction files, then notes",
    details: "In load order, as the client loads them: managed, user, project and local files with their imports and rules, then MEMORY.md and pinned notes. Says what was left out, cut, is pending or cannot be read, and why.",
    options: {
      agent: { type: "string", value: "AGENT", summary: "claude-code, codex, gemini, opencode or all" },
      touch: { type: "string", value: "PATH", summary: "as if this file was read; may be given again", multiple: true },
      text: { type: "boolean", summary: "the text of every section too" },
      why: { type: "string", value: "PATH", summary: "why one file is loaded, or is not" },
      "as-of": AS_OF,
    },
    examples: [["memdir context", "what a session here starts with"], ["memdir context --touch src/api/routes.ts", "and what reading that file adds"], ["memdir context --agent codex --json", "as Codex sees it, for programs"]],
    load: () => import("./commands/context.ts"),
  },
  {
    name: "instructions", group: "care", usage: "check | list | approve [PATH…] | revoke PATH…", positionals: Number.POSITIVE_INFINITY,
    summary: "check instruction files; approve imports from outside the project",
    details: "check finds dead imports, rules that match no file, files that are too long or unreadable, and files that contradict each other; exit code 1 when it found something. approve without a path takes all that are pending.",
    options: { agent: { type: "string", value: "AGENT", summary: "claude-code, codex, gemini, opencode or all" }, yes: YES },
    examples: [["memdir instructions check", "before a commit"], ["memdir instructions approve ~/team/style.md", "this project may import it"], ["memdir instructions list", "what is approved, what waits"]],
    load: () => import("./commands/instructions.ts"),
  },
  {
    name: "recall", group: "main", usage: "PROMPT [--as-of DATE] [--touched PATH]… [--session ID] [--explain] [--no-verify]", positionals: Number.POSITIVE_INFINITY,
    summary: "choose the notes that help with a prompt; none is a right answer",
    details: "No model and no network. Notes that are sure to help are shown whole, plausible ones in one line. Files, names, options, scripts, packages and branches that a note names are checked against the working tree, within 40 ms. The prompt may come from standard input (`-`).",
    options: { "as-of": AS_OF, explain: { type: "boolean", summary: "show terms, candidates and what decided" }, session: SESSION, touched: { type: "string", value: "PATH", multiple: true, summary: "a file the work is about: notes that name it come earlier (may be repeated)" }, "no-verify": { type: "boolean", summary: "do not check notes against the working tree" } },
    examples: [["memdir recall 'write tests for the importer'", "notes an agent would be given"]],
    load: () => import("./commands/recall.ts"),
  },
  {
    name: "why", group: "recall", usage: "PROMPT | --last [--session ID]", positionals: Number.POSITIVE_INFINITY,
    summary: "say why a prompt recalls what it recalls, or nothing",
    details: "Runs the recall without counting it, or with --last takes the last one that an agent asked for, from the log on this machine.",
    options: { last: { type: "boolean", summary: "the last recall that was logged" }, session: SESSION },
    examples: [["memdir why 'write tests for the importer'", "scores, words, and what became of each note"], ["memdir why --last", "what the agent was given a moment ago"]],
    load: () => import("./commands/why.ts"),
  },
  {
    name: "why-not", group: "recall", usage: "NOTE PROMPT [--session ID]", positionals: Number.POSITIVE_INFINITY,
    summary: "say why a note was not recalled, and what would make it be found",
    options: { session: SESSION },
    examples: [["memdir why-not no-mocks 'write tests for the importer'", "which words are missing"]],
    load: () => import("./commands/why-not.ts"),
  },
  {
    name: "replay", group: "recall", usage: "[--last N | --since DATE]", positionals: 0,
    summary: "run logged prompts again and show what changed",
    details: "What each prompt was given then is compared with what it would be given now: same, gained, lost. Exit code 1 when a note that was shown is no longer found.",
    options: { last: { type: "string", value: "N", summary: "the last N prompts (default 50)" }, since: { type: "string", value: "DATE", summary: "all since that day, or that ISO time" } },
    examples: [["memdir replay --last 20", "after an update, or after notes were merged"]],
    load: () => import("./commands/replay.ts"),
  },
  {
    name: "bench", group: "recall", usage: "FILE.jsonl | --init FILE.jsonl", positionals: 1,
    summary: "measure recall on prompts of your own, beside plain BM25",
    details: 'Each line is {"prompt": "…", "notes": ["file-or-name"]}; no notes means that nothing should be shown. --init writes a file to start from, made of the prompts in the log: correct it, then measure.',
    options: { init: { type: "string", value: "FILE", summary: "write a file to start from" } },
    examples: [["memdir bench --init prompts.jsonl", "from your own prompts"], ["memdir bench prompts.jsonl", "how often the right note is found"]],
    load: () => import("./commands/bench.ts"),
  },
  {
    name: "remember", group: "notes", usage: "[TEXT] [--type TYPE] [--name NAME] [--description LINE] [--scope SCOPE] [--force]", positionals: Number.POSITIVE_INFINITY,
    summary: "save a note; the text is the argument, or standard input (`-`)",
    details: "Types: user (who you are), feedback (corrections and confirmed ways), project (goals, decisions, deadlines), reference (where things live outside). Secrets and hidden characters are refused. A text that a note has already, under whatever type and name, is not written twice; one that says nearly the same is named instead (exit code 5), unless --name gives another name.",
    options: {
      type: { type: "string", value: "TYPE", summary: "user, feedback, project (default) or reference" },
      name: { type: "string", value: "NAME", summary: "short and stable; the file is named after it" },
      description: { type: "string", value: "LINE", summary: "the one line that recall and the index show" },
      scope: { type: "string", value: "SCOPE", summary: "user, group, project, team, agent or local" },
      force: { type: "boolean", summary: "write it although a note says the same or nearly" },
    },
    examples: [
      ["memdir remember 'Merge freeze starts Thursday' --type project", "dates become absolute"],
      ["git log -1 --format=%b | memdir remember --type feedback --name no-mocks", "from standard input"],
    ],
    load: () => import("./commands/remember.ts"),
  },
  {
    name: "list", group: "notes", usage: "[--as-of DATE] [--all]", positionals: 0,
    summary: "list notes of every scope",
    options: { "as-of": AS_OF, all: { type: "boolean", summary: "superseded notes too" } },
    examples: [["memdir list --as-of 2026-03-01", "what was known then"]],
    load: () => import("./commands/list.ts"),
  },
  {
    name: "show", group: "notes", usage: "NOTE [--version ID | --as-of DATE]", positionals: 1,
    summary: "print a note",
    options: { version: { type: "string", value: "ID", summary: "as of a version from `memdir history`" }, "as-of": AS_OF },
    examples: [["memdir show no-mocks", "by name"], ["memdir show feedback_no_mocks.md --version 3", "an older text"]],
    load: () => import("./commands/show.ts"),
  },
  {
    name: "edit", group: "notes", usage: "NOTE [--name NAME] [--description LINE] [--type TYPE] [--body -] | NOTE --convert", positionals: 1,
    summary: "change a note, in your editor or by options",
    details: "Without options it opens $VISUAL or $EDITOR. Words that somebody else saved meanwhile are merged or kept beside yours, never overwritten.",
    options: {
      name: { type: "string", value: "NAME", summary: "new name" },
      description: { type: "string", value: "LINE", summary: "new description" },
      type: { type: "string", value: "TYPE", summary: "new type" },
      body: { type: "string", value: "TEXT", summary: "new text; `-` reads standard input" },
      convert: { type: "boolean", summary: "make the file UTF-8: other bytes are read as Windows-1252, NUL bytes go" },
    },
    examples: [["memdir edit no-mocks --description 'Use the test container'", "one field, nothing else changes"]],
    load: () => import("./commands/edit.ts"),
  },
  {
    name: "pin", group: "notes", usage: "NOTE [--off]", positionals: 1,
    summary: "keep a note first in the index and whole in every session",
    options: { off: { type: "boolean", summary: "unpin" } },
    examples: [["memdir pin no-mocks", ""]],
    load: () => import("./commands/pin.ts"),
  },
  {
    name: "remove", group: "notes", usage: "NOTE", positionals: 1,
    summary: "take a note away; `memdir undo` brings it back for 30 days",
    options: {},
    examples: [["memdir remove old-plan", ""]],
    load: () => import("./commands/remove.ts"),
  },
  {
    name: "forget", group: "notes", usage: "NOTE [--yes]", positionals: 1,
    summary: "purge a note everywhere, history included; cannot be undone",
    options: { yes: YES },
    examples: [["memdir forget private-thing --yes", "leaves a receipt without content"]],
    load: () => import("./commands/forget.ts"),
  },
  {
    name: "history", group: "versions", usage: "[NOTE]", positionals: 1,
    summary: "list versions of a note or of the whole store, newest first",
    options: { most: { type: "string", value: "N", summary: "at most this many (default 20)" } },
    examples: [["memdir history no-mocks", ""]],
    load: () => import("./commands/history.ts"),
  },
  {
    name: "diff", group: "versions", usage: "[NOTE | ID] [--version ID]", positionals: 1,
    summary: "show what a version changed (default: the last)",
    options: { version: { type: "string", value: "ID", summary: "a version from `memdir history`" } },
    examples: [["memdir diff no-mocks", "its last change"]],
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "undo", group: "versions", usage: "[NOTE | ID] [--version ID | --steps N]", positionals: 1,
    summary: "take back the last change, or the one named",
    details: "Undoing again does it again; --steps N takes back the last N changes, or name a version as history prints it (12, user:12). Reaches back 30 days. Newer words in the same file are merged or kept, never lost.",
    options: { version: { type: "string", value: "ID", summary: "a version from `memdir history`" }, steps: { type: "string", value: "N", summary: "the last N changes of this project's notes, or of NOTE" } },
    examples: [["memdir undo", "the last change memdir made"], ["memdir undo --steps 3", "the last three"], ["memdir undo user:12", "a version of your own notes"], ["memdir undo no-mocks", "the last change of one note"]],
    load: () => import("./commands/undo.ts"),
  },
  {
    name: "verify", group: "care", usage: "[NOTE] [--all]", positionals: 1,
    summary: "check what notes claim against the working tree and git",
    details: "Prints what is gone or renamed. Gone is only said of what is known to have been there; what cannot be told is unchecked. Nothing is changed, and stale notes are no error.",
    options: { all: { type: "boolean", summary: "what holds and what is unchecked too" } },
    examples: [["memdir verify", "every note of the project"], ["memdir verify no-mocks --all", "one note, every claim"]],
    load: () => import("./commands/verify.ts"),
  },
  {
    name: "status", group: "care", usage: "", positionals: 0,
    summary: "show where notes live, how many, and what needs attention",
    options: {},
    examples: [["memdir status --json", ""]],
    load: () => import("./commands/status.ts"),
  },
  {
    name: "models", group: "care", usage: "[--use PROVIDER/MODEL] [--embed PROVIDER/MODEL] [--url URL] [--consent agent-cli] [--off]", positionals: 0,
    summary: "show or choose the model that is asked beside recall, and what it has cost today",
    details: "Without a choice memdir asks a model only where a key is in the environment. Asked are descriptions, never texts of notes; see docs/models.md. Nothing is sent by this command.",
    options: {
      use: { type: "string", value: "PROVIDER/MODEL", summary: "choose one; `auto` goes back to detection" },
      embed: { type: "string", value: "PROVIDER/MODEL", summary: "choose an embedder that finds notes of a like meaning; `off` takes it back" },
      url: { type: "string", value: "URL", summary: "address of an OpenAI-compatible server, with /v1; `off` takes it back" },
      consent: { type: "string", value: "WHAT", summary: "agent-cli: your own agent may be run; none: take that back" },
      off: { type: "boolean", summary: "ask no model" },
    },
    examples: [
      ["memdir models", "which one, and why"],
      ["memdir models --use ollama/qwen3:4b", "a model on this machine"],
      ["memdir models --embed ollama/nomic-embed-text", "find notes by meaning, on this machine"],
      ["memdir models --use claude-cli/haiku --consent agent-cli", "your own Claude Code, without a key"],
      ["memdir models --off", ""],
    ],
    load: () => import("./commands/models.ts"),
  },
  {
    name: "doctor", group: "care", usage: "", positionals: 0,
    summary: "check the installation and the stores, with a write-recall-forget canary",
    options: {},
    examples: [["memdir doctor", ""]],
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "link", group: "care", usage: "DIR [--yes]", positionals: 1,
    summary: "use the notes of a renamed or moved checkout for this project",
    options: { yes: YES },
    examples: [["memdir link ~/.claude/projects/-home-me-old-name/memory", ""]],
    load: () => import("./commands/link.ts"),
  },
  ...MODE_COMMANDS,
  ...DREAM_COMMANDS,
  ...CHECKPOINT_COMMANDS,
  ...GUARD_COMMANDS,
  ...INSTALL_COMMANDS,
  ...LOG_COMMANDS,
  ...MCP_COMMANDS,
  ...PAST_COMMANDS,
  ...SCOPE_COMMANDS,
  ...TIME_COMMANDS,
  ...LEAVING_COMMANDS,
];
