import { hookCommand, type JsonTree, type Program, serverArguments, serverSettings } from "./agents.ts";
import { hermesConfig, hermesProvider } from "./hermes-provider.ts";
import { piExtension } from "./pi-extension.ts";

/**
 * Clients in addition to the four that memdir knows best, as data: the settings files and their content. A path
 * begins with `~` (the home), `.` (the project) or `%` (the client's own directory).
 */
export const OTHER_CLIENTS = ["qwen", "vscode", "cursor", "cline", "pi", "openclaw", "hermes"] as const;
export type OtherClient = (typeof OTHER_CLIENTS)[number];

export interface ClientSpec {
  readonly title: string;
  /** Its own directory, and the environment variable that overrides it. */
  readonly directory: string;
  readonly variable?: string;
  /** Its command on the path, if any. */
  readonly command?: string;
  /** `run`: tests run the client itself. `documentation`: written from its documentation and not tested. */
  readonly seen: "run" | "documentation";
  readonly files: readonly ClientFile[];
  /** It has no hooks that memdir can use: its agent must be told to call the tools. */
  readonly wantsRule?: boolean;
  /** What its parser accepts beyond plain JSON. */
  readonly reads?: { readonly comments: boolean; readonly trailingCommas: boolean; readonly bom: boolean };
  /** Steps left to the user. */
  readonly review: readonly string[];
  /** The step left after memdir is uninstalled. */
  readonly leave?: string;
}

export interface ClientFile {
  readonly scope: "user" | "project";
  readonly path: string;
  readonly what: string;
  /** Entries of a JSON file, or the whole text of a file that only memdir writes. */
  readonly content: (program: Program) => JsonTree | string;
}

/** Events of Qwen Code that memdir handles, with each timeout (s); names and payload are Claude Code's. */
const QWEN_EVENTS = { SessionStart: 10, UserPromptSubmit: 5, Stop: 5, SessionEnd: 3 };

const servers = (program: Program): JsonTree => serverSettings("mcp", program.node, serverArguments(program));
const files = (scope: ClientFile["scope"], path: string, what: string, content: ClientFile["content"]): ClientFile => ({
  scope,
  path,
  what,
  content,
});
const both = (user: string, project: string, what: string, content: ClientFile["content"]): readonly ClientFile[] => [
  files("user", user, what, content),
  files("project", project, what, content),
];

const qwenSettings = (program: Program): JsonTree => {
  const command = hookCommand(program, "qwen");
  const hooks = Object.entries(QWEN_EVENTS).map(([event, seconds]) => [
    event,
    [{ hooks: [{ type: "command", name: "memdir", command, timeout: seconds * 1000 }] }],
  ]);
  return { hooks: Object.fromEntries(hooks), ...servers(program) };
};

const codeServers = (program: Program): JsonTree => ({
  servers: { memdir: { type: "stdio", command: program.node, args: [...serverArguments(program)] } },
});

const cursorHooks = (program: Program): JsonTree => {
  const command = hookCommand(program, "cursor");
  return { version: 1, hooks: { sessionStart: [{ command }], beforeSubmitPrompt: [{ command }] } };
};

/** OpenClaw drops the plugin's hooks unless the settings let it see conversations. */
const openClawSettings = ({ command }: Program): JsonTree => {
  const dist = command.replace(/[\\/][^\\/]*$/u, "");
  return {
    plugins: {
      slots: { memory: "memdir" },
      load: { paths: [`${dist}/plugins/openclaw`] },
      entries: {
        memdir: {
          enabled: true,
          hooks: { allowConversationAccess: true },
          config: { library: `${dist}/index.js` },
        },
      },
    },
  };
};

const WITH_COMMENTS = { comments: true, trailingCommas: true, bom: false };
const ASKS = "It asks before it calls a tool of the MCP server.";

export const CLIENTS: Readonly<Record<OtherClient, ClientSpec>> = {
  qwen: {
    title: "Qwen Code",
    directory: "~/.qwen",
    command: "qwen",
    seen: "run",
    files: both("%/settings.json", "./.qwen/settings.json", "hooks and MCP server", qwenSettings),
    reads: { comments: true, trailingCommas: false, bom: false },
    review: [ASKS],
  },
  vscode: {
    title: "VS Code",
    directory: "~/.config/Code/User",
    command: "code",
    seen: "documentation",
    files: both("%/mcp.json", "./.vscode/mcp.json", "MCP server", codeServers),
    wantsRule: true,
    reads: WITH_COMMENTS,
    review: [
      "VS Code asks once whether you trust the server. It runs the hooks of Claude Code's settings too: with `memdir install claude-code` it gets what a session starts with.",
    ],
  },
  cursor: {
    title: "Cursor",
    directory: "~/.cursor",
    command: "cursor",
    seen: "documentation",
    files: [
      ...both("%/mcp.json", "./.cursor/mcp.json", "MCP server", servers),
      ...both("%/hooks.json", "./.cursor/hooks.json", "hooks", cursorHooks),
    ],
    wantsRule: true,
    review: ["Cursor shows the server under Settings, MCP: switch it on there.", ASKS],
  },
  cline: {
    title: "Cline",
    directory: "~/.cline",
    command: "cline",
    seen: "documentation",
    files: [files("user", "%/data/settings/cline_mcp_settings.json", "MCP server", servers)],
    wantsRule: true,
    review: [ASKS],
  },
  pi: {
    title: "Pi",
    directory: "~/.pi/agent",
    command: "pi",
    seen: "run",
    files: both("%/extensions/memdir.ts", "./.pi/extensions/memdir.ts", "extension", piExtension),
    review: ["Nothing to approve: Pi loads the extension at its next start."],
  },
  openclaw: {
    title: "OpenClaw",
    directory: "~/.openclaw",
    variable: "OPENCLAW_STATE_DIR",
    command: "openclaw",
    seen: "run",
    files: [files("user", "%/openclaw.json", "plugin in the slot `memory`", openClawSettings)],
    reads: WITH_COMMENTS,
    review: [
      "The settings allow the plugin to see conversations (hooks.allowConversationAccess); without that OpenClaw drops its hooks silently. A running Gateway takes the plugin over within seconds; `openclaw plugins inspect memdir --runtime` shows it.",
    ],
  },
  hermes: {
    title: "Hermes",
    directory: "~/.hermes",
    variable: "HERMES_HOME",
    command: "hermes",
    seen: "run",
    files: [
      files("user", "%/plugins/memdir/__init__.py", "memory provider", hermesProvider),
      files("user", "%/plugins/memdir/plugin.yaml", "manifest of the provider", hermesConfig),
    ],
    review: [
      "Choose it: `hermes config set memory.provider memdir`, or `memory: {provider: memdir}` in Hermes' config.yaml. Hermes has one provider at a time; `hermes memory status` says which.",
    ],
    leave: "Hermes' config.yaml still names memdir as its memory: `hermes memory off` clears that.",
  },
};

/** Clients whose files memdir does not edit: it prints what to add. */
export const PRINTED_CLIENTS = ["windsurf", "crush", "roo", "zed", "goose", "amp"] as const;
export type PrintedClient = (typeof PRINTED_CLIENTS)[number];

export interface PrintedSpec {
  readonly title: string;
  readonly file: string;
  readonly text: (program: Program) => string;
}

const asJson = (value: unknown): string => JSON.stringify(value, undefined, 2);
const server = ({ node, command }: Program): { readonly command: string; readonly args: readonly string[] } => ({
  command: node,
  args: serverArguments({ command }),
});

export const PRINTED: Readonly<Record<PrintedClient, PrintedSpec>> = {
  windsurf: {
    title: "Windsurf",
    file: "~/.codeium/windsurf/mcp_config.json",
    text: (program) => asJson(servers(program)),
  },
  crush: {
    title: "Crush",
    file: "~/.config/crush/crush.json",
    text: (program) => asJson({ mcp: { memdir: { type: "stdio", ...server(program) } } }),
  },
  roo: { title: "Roo Code", file: ".roo/mcp.json", text: (program) => asJson(servers(program)) },
  zed: {
    title: "Zed",
    file: "~/.config/zed/settings.json",
    text: (program) => asJson({ context_servers: { memdir: { source: "custom", ...server(program), env: {} } } }),
  },
  goose: {
    title: "Goose",
    file: "~/.config/goose/config.yaml",
    text: (program) =>
      [
        "extensions:",
        "  memdir:",
        "    type: stdio",
        "    enabled: true",
        `    cmd: ${JSON.stringify(program.node)}`,
        `    args: ${JSON.stringify(serverArguments(program))}`,
        "    timeout: 60",
      ].join("\n"),
  },
  amp: {
    title: "Amp",
    file: "~/.config/amp/settings.json",
    text: (program) => asJson({ "amp.mcpServers": { memdir: server(program) } }),
  },
};

/** What an agent without hooks must be told; written into AGENTS.md only on request. */
export const RULE =
  "Before you begin a task, call memdir's tool `recall` with the task in a sentence. When the person states a lasting preference, rule or decision, call `remember`.";
