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
  /** The one file that handles every hook of every client. */
  readonly hook: string;
  /** Path of the `memdir` command. */
  readonly command: string;
}

/** The MCP server's name in every client. */
export const SERVER_NAME = "memdir";

/** Events that memdir handles, with each client timeout (s). Codex allows at most 3 for a session's end. */
const CLAUDE_EVENTS = {
  SessionStart: 10,
  UserPromptSubmit: 5,
  PreToolUse: 5,
  Stop: 5,
  PreCompact: 10,
  PostCompact: 10,
  SessionEnd: 3,
};
/** No PreCompress: it precedes every model request. Gemini CLI takes text for the agent only after a tool. */
const GEMINI_EVENTS = { SessionStart: 10, BeforeAgent: 5, BeforeTool: 5, AfterTool: 5, AfterAgent: 5, SessionEnd: 3 };
const EVENTS: Readonly<Record<HookAgent, Readonly<Record<string, number>>>> = {
  "claude-code": CLAUDE_EVENTS,
  codex: CLAUDE_EVENTS,
  gemini: GEMINI_EVENTS,
};

/** How long the OpenCode plugin waits for an answer (s), by Claude Code's event names. */
export const OPENCODE_EVENTS: Readonly<Record<string, number>> = { ...CLAUDE_EVENTS, SessionEnd: 2 };

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** Settings by key, in output order. */
export type JsonTree = { readonly [key: string]: Json };

/**
 * One command for every event of a client, which gets the event on standard input. Codex trusts it by its hash, so it
 * must not change. It also handles a missing memdir or Node, using only builtins: it exits with 0 and prints nothing,
 * except for one line to the user the first time, which a folder below `~/.memdir` records. It works in sh, bash, zsh
 * and fish, and has no `$`, which some clients expand themselves. On Windows a client may use cmd, PowerShell or Git
 * Bash: the only form that all three read the same begins with a bare `node` and has no backslash.
 */
export function hookCommand({ node, hook }: Pick<Program, "node" | "hook">, agent: string): string {
  if (isOfWindows(hook)) return `node ${shellWord(hook.replaceAll("\\", "/"))} ${agent}`;
  const run = `${shellWord(node)} ${shellWord(hook)} ${agent}`;
  const gone = `mkdir ~/.memdir 2>/dev/null; mkdir ~/.memdir/${goneMark(agent)} 2>/dev/null && echo '${GONE}'`;
  return `[ -x ${shellWord(node)} ] && [ -f ${shellWord(hook)} ] && exec ${run} ; ${gone}; exit 0`;
}

/** A path with a drive letter, or on a share (`\\\\server\\share`). */
function isOfWindows(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/u.test(path);
}

/** A folder that records that the user was told that this client's hooks find no memdir. */
export function goneMark(agent: string): string {
  return `gone-for-${agent}`;
}

const GONE = JSON.stringify({
  systemMessage: "memdir has moved or is gone. Run `memdir install` again, or remove its hooks. You are told once.",
});

/** The `hooks` of a client's settings: one group with one command per event. */
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

/** The settings that make a client start memdir's MCP server; `mcp` is the form of most other clients. */
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

/** The paths in a hook command that memdir wrote for this client, from any location; a bare `node` is omitted. */
export function ownHookWords(command: string, agent: string): readonly string[] | undefined {
  const words = shellWords(command);
  const isHook = (at: number): boolean => words[at + 1] === agent && /(?:^|[\\/])hook\.cjs$/u.test(words[at] ?? "");
  const guarded = words.lastIndexOf("exec") + 2;
  if (words[0] === "[" && words[guarded + 2] === ";" && isHook(guarded)) return words.slice(guarded - 1, guarded + 1);
  return isHook(words.length - 2) ? words.slice(0, -1).filter((word) => word !== "node") : undefined;
}

/** The words that start memdir's MCP server, if this is memdir's entry in a client's settings. */
export function ownServerWords(entry: unknown): readonly string[] | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { command, args } = { command: undefined, args: [], ...entry };
  const words = [...(Array.isArray(command) ? command : [command]), ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === "string",
  );
  return words.at(-1) === "mcp" && /(?:^|[\\/])memdir\.cjs$/u.test(words.at(-2) ?? "") ? words.slice(0, -1) : undefined;
}

/**
 * Quotes a word so that a POSIX shell reads it back as `text`. Quotes are closed and reopened after a `$`: some
 * clients expand their own variables in a command before the shell sees it.
 */
export function shellWord(text: string): string {
  return `"${text.replace(/[\\"`]/gu, "\\$&").replace(/\$/gu, '\\$""')}"`;
}

/** The words of a simple command, with quotes and backslashes removed; shell expansions are left as written. */
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
