import { anthropicMessages } from "./anthropic-messages.ts";
import { CLAUDE_CODE_PACKAGE, claudeCodeBinary, SWITCHES as CLAUDE_SWITCHES } from "./claude-code.ts";
import { CODEX_PACKAGE, codexBinary, modelArgs } from "./codex.ts";
import type { Protocol, ToolCall } from "./fake-model.ts";
import { geminiGenerate } from "./gemini-generate.ts";
import { GEMINI_PACKAGE, geminiScript, QUIET_SETTINGS, SWITCHES as GEMINI_SWITCHES } from "./gemini.ts";
import { howToInstall, installation } from "./installed.ts";
import { field, list, text } from "./json.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { configFor, OPENCODE_PACKAGE, openCodeBinary, SWITCHES as OPENCODE_SWITCHES } from "./opencode.ts";

/** One text of a request, with the role it is sent under; in the order of the request. */
export interface Piece {
  readonly role: string;
  readonly text: string;
}

export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A client as a person uses it from a script: one prompt, one turn. */
export interface RealAgent {
  readonly name: "claude-code" | "codex" | "gemini" | "opencode";
  readonly title: string;
  /** The role under which recalled notes reach its model. */
  readonly place: string;
  readonly protocol: Protocol;
  /** Its settings as a person wrote them before memdir came, by path in the home directory. */
  readonly settings: Readonly<Record<string, string>>;
  /** Those of them that it rewrites itself while it runs. */
  readonly rewrites: readonly string[];
  /** `undefined` where it is not installed. */
  readonly program: string | undefined;
  start(url: string, prompt: string, more: readonly string[]): Start;
  shell(command: string): ToolCall;
  memory(tool: string, input: ToolCall["input"]): ToolCall;
  pieces(body: unknown): readonly Piece[];
}

function found(folder: string, packageName: string, find: (folder: string) => string | undefined): string | undefined {
  const directory = installation(folder);
  const program = directory === undefined ? undefined : find(directory);
  if (program === undefined) process.stderr.write(howToInstall(folder, packageName));
  return program;
}

/** Messages whose content is a text or a list of parts with texts. */
function messagePieces(messages: unknown): readonly Piece[] {
  return list(messages).flatMap((message) => {
    const [role, content] = [text(field(message, "role")), field(message, "content")];
    return typeof content === "string"
      ? [{ role, text: content }]
      : list(content).flatMap((part) => partPieces(role, part));
  });
}

function partPieces(role: string, part: unknown): readonly Piece[] {
  if (field(part, "type") !== "tool_result") return [{ role, text: text(field(part, "text")) }];
  const content = field(part, "content");
  const texts = typeof content === "string" ? [content] : list(content).map((one) => text(field(one, "text")));
  return texts.map((one) => ({ role: "tool", text: one }));
}

const claudeProgram = process.env["CLAUDE_BIN"] ?? found("claude", CLAUDE_CODE_PACKAGE, claudeCodeBinary);
const codexProgram = found("codex", CODEX_PACKAGE, codexBinary);
const geminiProgram = found("gemini", GEMINI_PACKAGE, geminiScript);
const openCodeProgram = found("opencode", OPENCODE_PACKAGE, openCodeBinary);

const claude: RealAgent = {
  name: "claude-code",
  title: "Claude Code",
  place: "system",
  protocol: anthropicMessages,
  settings: {
    ".claude/settings.json":
      '{\n    "hooks": {\n        "Stop": [ { "hooks": [ { "type": "command", "command": "true" } ] } ]\n    }\n}\n',
  },
  rewrites: [".claude.json"],
  program: claudeProgram,
  start: (url, prompt, more) => ({
    command: claudeProgram ?? "",
    args: ["-p", prompt, "--output-format", "json", ...more, "--allowedTools", "Bash", "Read", "mcp__memdir"],
    environment: { ...CLAUDE_SWITCHES, ANTHROPIC_BASE_URL: url },
  }),
  shell: (command) => ({ tool: "Bash", input: { command, description: "run it" } }),
  memory: (tool, input) => ({ tool: `mcp__memdir__${tool}`, input }),
  pieces: (body) => [
    ...list(field(body, "system")).map((block) => ({ role: "prompt of the client", text: text(field(block, "text")) })),
    ...messagePieces(field(body, "messages")),
  ],
};

const codex: RealAgent = {
  name: "codex",
  title: "Codex",
  place: "developer",
  protocol: openAiResponses,
  settings: { ".codex/config.toml": '# mine\nsandbox_mode = "danger-full-access"' },
  rewrites: [],
  program: codexProgram,
  // A person looks at the hooks with /hooks and says yes to tool calls; a script cannot, and says so on its command line.
  start: (url, prompt, more) => ({
    command: codexProgram ?? "",
    args: [
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      ...modelArgs(url),
      "-c",
      'mcp_servers.memdir.default_tools_approval_mode="approve"',
      ...more,
      prompt,
    ],
    environment: { FAKE_MODEL_KEY: "not-a-key" },
  }),
  shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
  memory: (tool, input) => ({ tool, namespace: "mcp__memdir", input }),
  pieces: (body) => [
    ...messagePieces(field(body, "input")),
    ...list(field(body, "input"))
      .filter((item) => text(field(item, "type")).endsWith("_call_output"))
      .map((item) => ({ role: "tool", text: JSON.stringify(field(item, "output")) })),
  ],
};

const gemini: RealAgent = {
  name: "gemini",
  title: "Gemini CLI",
  place: "user",
  protocol: geminiGenerate,
  settings: { ".gemini/settings.json": `// mine\n${JSON.stringify(QUIET_SETTINGS, undefined, "\t")}` },
  rewrites: [],
  program: geminiProgram,
  start: (url, prompt, more) => ({
    command: process.execPath,
    args: [geminiProgram ?? "", "-p", prompt, "-o", "json", "--approval-mode", "yolo", "-m", "gemini-2.5-pro", ...more],
    environment: { ...GEMINI_SWITCHES, GOOGLE_GEMINI_BASE_URL: url },
  }),
  shell: (command) => ({ tool: "run_shell_command", input: { command } }),
  memory: (tool, input) => ({ tool: `mcp_memdir_${tool}`, input }),
  pieces: (body) =>
    list(field(body, "contents")).flatMap((content) =>
      list(field(content, "parts")).map((part) => {
        const response = field(part, "functionResponse");
        if (response !== undefined) return { role: "tool", text: JSON.stringify(field(response, "response")) };
        // It writes what a hook says with its brackets escaped.
        return {
          role: text(field(content, "role")),
          text: text(field(part, "text")).replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
        };
      }),
    ),
};

/** Without the switch that keeps plugins out. */
const openCodeSwitches = Object.fromEntries(
  Object.entries(OPENCODE_SWITCHES).filter(([name]) => name !== "OPENCODE_PURE"),
);

const openCode: RealAgent = {
  name: "opencode",
  title: "OpenCode",
  place: "user",
  protocol: openAiChat,
  settings: {
    ".config/opencode/opencode.jsonc":
      '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "autoupdate": false,\n}\n',
  },
  rewrites: [],
  program: openCodeProgram,
  start: (url, prompt, more) => ({
    command: openCodeProgram ?? "",
    args: ["run", ...more, prompt],
    environment: { ...openCodeSwitches, OPENCODE_CONFIG_CONTENT: configFor(url) },
  }),
  shell: (command) => ({ tool: "bash", input: { command, description: "run it" } }),
  memory: (tool, input) => ({ tool: `memdir_${tool}`, input }),
  pieces: (body) => messagePieces(field(body, "messages")),
};

export const REAL_AGENTS: readonly RealAgent[] = [claude, codex, gemini, openCode];
