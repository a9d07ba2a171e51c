/** The clients that memdir installs itself into. */
export const AGENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
export type Agent = (typeof AGENTS)[number];
/** Clients whose hooks are commands in a settings file. */
export type HookAgent = Exclude<Agent, "opencode">;

export const AGENT_TITLES: Readonly<Record<Agent, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
};

/** Where memdir runs from, as absolute paths. */
export interface Program {
  readonly node: string;
  /** The one file that answers every hook of every client. */
  readonly hook: string;
  /** The `memdir` command. */
  readonly command: string;
}

/** The name of memdir's MCP server in every client. */
export const SERVER_NAME = "memdir";

/** Events that memdir answers, and the longest that a client waits for each (s). Codex allows a session's end no more than 3. */
const CLAUDE_EVENTS = {
  SessionStart: 10,
  UserPromptSubmit: 5,
  PreToolUse: 5,
  Stop: 5,
  PreCompact: 10,
  PostCompact: 10,
  SessionEnd: 3,
};
/** Gemini CLI's PreCompress comes before every request to the model, so it says nothing. It takes text for the agent after a tool, not before. */
const GEMINI_EVENTS = { SessionStart: 10, BeforeAgent: 5, BeforeTool: 5, AfterTool: 5, AfterAgent: 5, SessionEnd: 3 };
const EVENTS: Readonly<Record<HookAgent, Readonly<Record<string, number>>>> = {
  "claude-code": CLAUDE_EVENTS,
  codex: CLAUDE_EVENTS,
  gemini: GEMINI_EVENTS,
};

/** How long the plugin for OpenCode waits for an answer (s), by event in Claude Code's words. */
export const OPENCODE_EVENTS: Readonly<Record<string, number>> = { ...CLAUDE_EVENTS, SessionEnd: 2 };

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** Settings by key, in the order they are written. */
export type JsonTree = { readonly [key: string]: Json };

/**
 * One command for every event of a client; the event is on its standard input. Codex trusts it by its hash, so it stays
 * the same. It is a guard too, of builtins alone: where memdir or its Node is gone it ends with 0 and says nothing,
 * but for one line to the person the first time, which a folder below `~/.memdir` remembers. It is written for sh,
 * bash, zsh and fish, without a `$`, which some clients fill in themselves. On Windows a client may ask cmd, PowerShell
 * or Git Bash: the one form that all three read the same begins with a bare `node` and has no backslash.
 */
export function hookCommand({ node, hook }: Pick<Program, "node" | "hook">, agent: string): string {
  if (isOfWindows(hook)) return `node ${shellWord(hook.replaceAll("\\", "/"))} ${agent}`;
  const run = `${shellWord(node)} ${shellWord(hook)} ${agent}`;
  const gone = `mkdir ~/.memdir 2>/dev/null; mkdir ~/.memdir/${goneMark(agent)} 2>/dev/null && echo '${GONE}'`;
  return `[ -x ${shellWord(node)} ] && [ -f ${shellWord(hook)} ] && exec ${run} ; ${gone}; exit 0`;
}

/** A path with a drive, or of a share (`\\\\server\\share`). */
function isOfWindows(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/u.test(path);
}

/** The folder whose existence says that a person was told that the hooks of this client find no memdir. */
export function goneMark(agent: string): string {
  return `gone-for-${agent}`;
}

const GONE = JSON.stringify({
  systemMessage: "memdir has moved or is gone. Run `memdir install` again, or remove its hooks. You are told once.",
});

/** The `hooks` of a client's settings: by event, one group with one command. */
export function hookSettings(agent: HookAgent, command: string): JsonTree {
  const handler = (seconds: number): JsonTree =>
    agent === "gemini"
      ? { name: SERVER_NAME, type: "command", command, timeout: seconds * 1000 }
      : { type: "command", command, timeout: seconds };
  return {
    hooks: Object.fromEntries(
      Object.entries(EVENTS[agent]).map(([event, seconds]) => [event, [{ hooks: [handler(seconds)] }]]),
    ),
  };
}

/** How a client is told to start memdir's MCP server; `mcp` is the form that most other clients read. */
export function serverSettings(agent: Agent | "mcp", command: string, args: readonly string[]): JsonTree {
  if (agent === "opencode")
    return { mcp: { [SERVER_NAME]: { type: "local", command: [command, ...args], enabled: true } } };
  const server = { command, args: [...args] };
  return { mcpServers: { [SERVER_NAME]: agent === "claude-code" ? { type: "stdio", ...server } : server } };
}

/** The arguments after `node` that start the MCP server. */
export function serverArguments({ command }: Pick<Program, "command">): readonly string[] {
  return [command, "mcp"];
}

/** The paths in a hook command that memdir wrote for this client, wherever memdir was then; a bare `node` is none. */
export function ownHookWords(command: string, agent: string): readonly string[] | undefined {
  const words = shellWords(command);
  const isHook = (at: number): boolean => words[at + 1] === agent && /(?:^|[\\/])hook\.cjs$/u.test(words[at] ?? "");
  const guarded = words.lastIndexOf("exec") + 2;
  if (words[0] === "[" && words[guarded + 2] === ";" && isHook(guarded)) return words.slice(guarded - 1, guarded + 1);
  return isHook(words.length - 2) ? words.slice(0, -1).filter((word) => word !== "node") : undefined;
}

/** The words that start memdir's MCP server, when a client's entry does that. */
export function ownServerWords(entry: unknown): readonly string[] | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { command, args } = { command: undefined, args: [], ...entry };
  const words = [...(Array.isArray(command) ? command : [command]), ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === "string",
  );
  return words.at(-1) === "mcp" && /(?:^|[\\/])memdir\.cjs$/u.test(words.at(-2) ?? "") ? words.slice(0, -1) : undefined;
}

/**
 * A word that a POSIX shell reads back as `text`. After a `$` the quotes are closed and opened again: some
 * clients put variables of their own into a command before the shell sees it.
 */
export function shellWord(text: string): string {
  return `"${text.replace(/[\\"`]/gu, "\\$&").replace(/\$/gu, '\\$""')}"`;
}

/** The words of a simple command, quotes and backslashes undone; what a shell would expand stays as it is written. */
export function shellWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part, single, double, escaped] of command.matchAll(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|\s+|[^\s'"\\]+|['"\\]/gu,
  )) {
    if (/^\s/u.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (single ?? double?.replace(/\\([\\"`$])/gu, "$1") ?? escaped ?? part);
  }
  return word === undefined ? words : [...words, word];
}
