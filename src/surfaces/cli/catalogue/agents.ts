import type { CommandSpec, OptionSpec } from "../command.ts";
import { DRY_RUN, scopeOption, YES } from "./options.ts";

const CLIENTS =
  "claude-code codex gemini opencode qwen vscode cursor cline pi openclaw hermes windsurf crush roo zed goose amp mcp".split(
    " ",
  );
const WHERE: Readonly<Record<string, OptionSpec>> = {
  user: { type: "boolean", summary: "your own settings, for every project" },
  project: { type: "boolean", summary: "the settings files of this project" },
  "dry-run": DRY_RUN,
  yes: YES,
};

/** Commands that connect memdir with agents and models, and control what it may do. */
export const AGENT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "install",
    triedAs: ["setup", "init", "enable", "configure", "connect"],
    group: "agents",
    isEveryday: true,
    usage: "[CLIENT]… [--user|--project] [--rule] [--dry-run] [--yes]",
    positionals: CLIENTS.length,
    actions: CLIENTS,
    summary: "connect memdir with your agents: hooks and MCP server (`uninstall` undoes it)",
    details:
      "Without names it connects every client on this machine. It shows each change to each file, asks, keeps the old contents in ~/.memdir/installs, and says what the client will ask you. Formatting and comments stay; a file that cannot be parsed stays untouched; a second run changes nothing. Clients are claude-code, codex, gemini, opencode, qwen, vscode, cursor, cline, pi, openclaw and hermes. For windsurf, crush, roo, zed, goose and amp it prints what to put where. `mcp` is for any other: it prints what they need, and with --project it writes .mcp.json. Agents without hooks have to be told to use their memory: --rule adds a line to the project's AGENTS.md.",
    options: {
      ...WHERE,
      rule: { type: "boolean", summary: "tell an agent without hooks in AGENTS.md to use its memory" },
    },
    examples: [
      ["memdir install", "every client on this machine"],
      ["memdir install codex --dry-run", "look first"],
      ["memdir install claude-code --project", "only for this project"],
    ],
    load: () => import("../commands/install.ts"),
  },
  {
    name: "uninstall",
    triedAs: ["deinstall", "disable", "disconnect", "teardown"],
    group: "agents",
    usage: "[CLIENT]… [--user|--project] [--dry-run] [--yes]",
    positionals: CLIENTS.length,
    actions: CLIENTS,
    summary: "remove memdir from your agents; notes stay",
    details:
      "A settings file that has not changed since gets its old bytes back; from any other file only memdir's entries are removed. Without names it removes memdir everywhere, from other projects too.",
    options: WHERE,
    examples: [
      ["memdir uninstall", "everywhere"],
      ["memdir uninstall gemini", "one client"],
    ],
    load: () => import("../commands/uninstall.ts"),
  },
  {
    name: "mode",
    isEveryday: true,
    triedAs: ["off", "on", "auto", "config", "settings", "pause"],
    group: "agents",
    usage: "[MODE] [--scope SCOPE] [--capture-to notes|log] [--skills MODE] [--project | --everywhere]",
    positionals: 1,
    actions: ["auto", "confirm", "manual", "recall-only", "off", "default"],
    summary: "show or set what memdir may do: auto, confirm, manual, recall-only, off",
    details:
      "auto: recalls and captures automatically. confirm: what capture would save waits for `memdir review`. manual: saves only what you ask for. recall-only: writes nothing. off: reads nothing, writes nothing, asks no model. Without --scope the mode applies to all scopes; it is set for this project unless you give --everywhere. `default` removes a setting. MEMDIR_MODE and Claude Code's own switches win.",
    options: {
      scope: scopeOption("user, group, project, team, agent (agent-user, agent-local) or local; others keep theirs"),
      project: { type: "boolean", summary: "in this project only (the default)" },
      everywhere: { type: "boolean", summary: "in every project that has no mode of its own" },
      skills: {
        type: "string",
        value: "MODE",
        values: ["observe", "confirm", "auto", "off"],
        summary: "learnt skills, in every project: observe (default, offers nothing), confirm, auto or off",
      },
      "capture-to": {
        type: "string",
        value: "TARGET",
        values: ["notes", "log", "default"],
        summary:
          "notes, or log: capture writes to today's log, and dreams turn entries into notes; default removes the setting",
      },
    },
    examples: [
      ["memdir mode", "the mode of each scope, and why"],
      ["memdir mode --skills confirm", "offer the skills that you agreed to"],
      ["memdir mode confirm", "look at notes before they are saved"],
      ["memdir mode off --scope user", "this project neither reads nor writes notes about you"],
      ["memdir mode default", "back to the setting for everywhere"],
    ],
    load: () => import("../commands/mode.ts"),
  },
  {
    name: "models",
    triedAs: ["model", "provider", "budget", "cost"],
    group: "agents",
    usage:
      "[--use PROVIDER/MODEL] [--embed PROVIDER/MODEL] [--url URL] [--consent agent-cli | --consent none] [--judge AGENT] [--off]",
    positionals: 0,
    summary: "show or choose the model that helps recall, and what it cost today",
    details:
      "Unless you choose one, memdir asks a model only if the environment holds a key. Only note descriptions are sent, never their text; see docs/models.md. This command sends nothing.",
    options: {
      use: { type: "string", value: "PROVIDER/MODEL", summary: "choose a model; `auto` goes back to detection" },
      embed: {
        type: "string",
        value: "PROVIDER/MODEL",
        summary: "choose an embedder that finds similar notes; `off` removes it",
      },
      url: {
        type: "string",
        value: "URL",
        summary: "address of an OpenAI-compatible server, with /v1; `off` removes it",
      },
      consent: {
        type: "string",
        value: "WHAT",
        values: ["agent-cli", "none"],
        summary: "agent-cli: memdir may run your own agent; none: it may not",
      },
      judge: {
        type: "string",
        value: "AGENT",
        summary: "your own agent that looks through each finished session, as claude-cli; `none`: no agent does",
      },
      off: { type: "boolean", summary: "ask no model" },
    },
    examples: [
      ["memdir models", "which one, and why"],
      ["memdir models --use ollama/qwen3:4b", "a model on this machine"],
      ["memdir models --embed ollama/nomic-embed-text", "find similar notes, on this machine"],
      ["memdir models --use claude-cli/haiku --consent agent-cli", "your own Claude Code, without a key"],
      ["memdir models --off", ""],
    ],
    load: () => import("../commands/models.ts"),
  },
  {
    name: "guard",
    triedAs: ["guards", "block"],
    group: "agents",
    usage: "list | set NOTE | enable NOTE | disable NOTE | test NOTE TOOL INPUT | try NOTE",
    positionals: 4,
    actions: { list: 0, set: 1, enable: 1, disable: 1, test: 3, try: 1 },
    standard: "list",
    summary: "let a feedback note warn, ask or stop before a tool call",
    details:
      "A guard is `metadata.guard` of a feedback note: tool (a name or glob), pattern (a regular expression over the command, else the path, else the whole input), action (warn, ask or deny) and a message. It does nothing until you enable it on this machine, and stops working when anyone changes it. try shows which past tool calls it would have caught.",
    options: {
      tool: { type: "string", value: "TOOL", only: ["set"], summary: "set: Bash, Edit|Write, mcp__*, …" },
      pattern: { type: "string", value: "REGEX", only: ["set"], summary: "set: what it looks for" },
      action: {
        type: "string",
        value: "ACTION",
        values: ["warn", "ask", "deny"],
        only: ["set"],
        summary: "set: warn (default), ask or deny",
      },
      message: { type: "string", value: "LINE", only: ["set"], summary: "set: what the agent is told" },
      transcripts: {
        type: "string",
        value: "PATH",
        only: ["try"],
        summary: "try: a transcript or a directory of them (default: Claude Code's sessions of this project)",
      },
      yes: YES,
    },
    examples: [
      [
        "memdir guard set no-force-push --tool Bash --pattern 'git push.*(--force|-f)\\b' --action deny",
        "written into the note, not enabled yet",
      ],
      ["memdir guard try no-force-push", "what it would have caught"],
      ["memdir guard enable no-force-push", "on this machine"],
    ],
    load: () => import("../commands/guard.ts"),
  },
  {
    name: "instructions",
    triedAs: ["rules", "claude-md", "agents-md"],
    group: "agents",
    usage: "check | list | approve [PATH…] | revoke PATH…",
    positionals: Number.POSITIVE_INFINITY,
    actions: { check: 0, list: 0, approve: Number.POSITIVE_INFINITY, revoke: Number.POSITIVE_INFINITY },
    summary: "check instruction files; approve imports from outside the project",
    details:
      "check finds dead imports, rules that match no file, files that are too long or unreadable, and files that contradict each other; exit code 1 if it found a problem. approve without a path approves everything that is pending.",
    options: {
      agent: {
        type: "string",
        value: "AGENT",
        values: ["claude-code", "codex", "gemini", "opencode", "all"],
        summary: "claude-code, codex, gemini, opencode or all",
      },
      yes: YES,
    },
    examples: [
      ["memdir instructions check", "before a commit"],
      ["memdir instructions approve ~/team/style.md", "this project may import it"],
      ["memdir instructions list", "what is approved, what is pending"],
    ],
    load: () => import("../commands/instructions.ts"),
  },
  {
    // Started before the full command line is loaded, so this entry only provides the help.
    name: "web",
    triedAs: ["ui", "page", "browse", "dashboard", "viewer"],
    group: "agents",
    usage: "[--port N] [--no-open]",
    positionals: 0,
    summary: "see and tend the memory in a page on this machine",
    details:
      'Listens on 127.0.0.1 only and prints a link that works once, within a minute. Your browser is asked to open it, through a file that only you can read. The page ends at Ctrl-C and after half an hour without use. --json prints { "url": … } for programs and opens nothing. See docs/web.md.',
    options: {
      port: { type: "string", value: "N", summary: "the port to listen on (default 0: a free one)" },
      "no-open": { type: "boolean", summary: "print the link and open no browser" },
    },
    examples: [
      ["memdir web", "opens the page"],
      ["memdir web --no-open --port 0 --json", "for scripts"],
    ],
    load: () => import("../commands/web.ts"),
  },
  {
    // Started before the full command line is loaded, so this entry only provides the help.
    name: "mcp",
    triedAs: ["serve", "server"],
    group: "agents",
    without: ["json", "agent-type"],
    usage: "[--profile NAME | --tools LIST] [--http [--port N] [--token-file FILE] [--project DIR…]]",
    positionals: 0,
    summary: "serve memory to an agent over the Model Context Protocol",
    details:
      "Speaks over standard input and output and ends with them. With --http it listens only on 127.0.0.1 and requires a token. It makes the token at the first start, shows it once and keeps it in ~/.memdir/mcp-token. See docs/mcp.md.",
    options: {
      profile: {
        type: "string",
        value: "NAME",
        values: ["default", "full", "minimal", "read-only"],
        summary: "default (recall, remember, forget, read), full (all eight), minimal (no forget) or read-only",
      },
      tools: { type: "string", value: "LIST", summary: "only these, separated by commas: recall,read" },
      http: { type: "boolean", summary: "listen on 127.0.0.1 instead" },
      port: { type: "string", value: "N", summary: "with --http; 0 takes a free one (default 7332)" },
      "token-file": { type: "string", value: "FILE", summary: "with --http: the token, or where to keep a new one" },
      project: {
        type: "string",
        value: "DIR",
        multiple: true,
        summary: "with --http: a directory that clients may name as their project (default: this one)",
      },
    },
    examples: [
      ["memdir mcp", "what an agent's settings start"],
      ["memdir mcp --http --port 7332", "for clients that connect"],
    ],
    load: () => import("../commands/mcp.ts"),
  },
];
