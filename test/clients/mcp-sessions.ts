import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { anthropicMessages } from "./anthropic-messages.ts";
import { SWITCHES as CLAUDE_SWITCHES } from "./claude-code.ts";
import { modelArgs } from "./codex.ts";
import { type FakeModel, type Protocol, startFakeModel, type ToolCall } from "./fake-model.ts";
import { QUIET_SETTINGS, SWITCHES as GEMINI_SWITCHES } from "./gemini.ts";
import { geminiGenerate } from "./gemini-generate.ts";
import type { Ground } from "./layout.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { configFor, SWITCHES as OPENCODE_SWITCHES } from "./opencode.ts";
import { type ClientCommand, runClient } from "./run-client.ts";

const TIMEOUT_MS = 120_000;
const GRACE_MS = 3000;
const SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url)), "mcp"],
};

/** One headless session of a client that is connected to memdir and whose model asks memdir's recall once. */
export interface McpSession {
  /** Everything that the client sent to its model. */
  readonly requests: readonly string[];
  /** Processes of memdir that ran some seconds after the client had ended, by command line. */
  readonly left: readonly string[];
}

interface McpClient {
  readonly protocol: Protocol;
  readonly call: Omit<ToolCall, "input">;
  /** Writes the client's own configuration, and says how it is started. */
  prepare(
    ground: Ground,
    model: FakeModel,
  ): Pick<ClientCommand, "args" | "environment"> & { readonly command?: string };
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

export const MCP_CLIENTS: Readonly<Record<"claude" | "codex" | "gemini" | "opencode", McpClient>> = {
  claude: {
    protocol: anthropicMessages,
    call: { tool: "mcp__memdir__recall" },
    prepare(ground, model) {
      const file = path.join(ground.root, "mcp.json");
      write(file, JSON.stringify({ mcpServers: { memdir: { type: "stdio", ...SERVER } } }));
      return {
        args: [
          "-p",
          "Write the integration tests.",
          "--output-format",
          "json",
          "--mcp-config",
          file,
          "--strict-mcp-config",
          "--allowedTools",
          "mcp__memdir__recall",
        ],
        environment: { ...CLAUDE_SWITCHES, ANTHROPIC_BASE_URL: model.url },
      };
    },
  },
  codex: {
    protocol: openAiResponses,
    call: { tool: "recall", namespace: "mcp__memdir" },
    prepare(ground, model) {
      const settings = [
        "[mcp_servers.memdir]",
        `command = ${JSON.stringify(SERVER.command)}`,
        `args = ${JSON.stringify(SERVER.args)}`,
        'default_tools_approval_mode = "approve"',
        "",
      ];
      write(path.join(ground.home, ".codex", "config.toml"), settings.join("\n"));
      return {
        args: [
          "exec",
          "--json",
          "--skip-git-repo-check",
          "-s",
          "read-only",
          ...modelArgs(model.url),
          "Write the integration tests.",
        ],
        environment: { FAKE_MODEL_KEY: "not-a-key" },
      };
    },
  },
  gemini: {
    protocol: geminiGenerate,
    call: { tool: "mcp_memdir_recall" },
    prepare(ground, model) {
      write(
        path.join(ground.home, ".gemini", "settings.json"),
        JSON.stringify({ ...QUIET_SETTINGS, mcpServers: { memdir: { ...SERVER, trust: true } } }),
      );
      return {
        args: ["-p", "Write the integration tests.", "-o", "json", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
        environment: { ...GEMINI_SWITCHES, GOOGLE_GEMINI_BASE_URL: model.url },
      };
    },
  },
  opencode: {
    protocol: openAiChat,
    call: { tool: "memdir_recall" },
    prepare(ground, model) {
      write(
        path.join(ground.project, "opencode.json"),
        JSON.stringify({
          mcp: { memdir: { type: "local", command: [SERVER.command, ...SERVER.args], enabled: true } },
        }),
      );
      return {
        args: ["run", "Write the integration tests."],
        environment: { ...OPENCODE_SWITCHES, OPENCODE_CONFIG_CONTENT: configFor(model.url) },
      };
    },
  },
};

/** `start` is the client's binary, or Node with the client's script. */
export async function runMcpSession(
  client: McpClient,
  start: readonly [command: string, ...args: string[]],
  ground: Ground,
): Promise<McpSession> {
  const model = await startFakeModel(
    [client.protocol],
    [{ ...client.call, input: { prompt: "write integration tests for the importer" } }],
  );
  let left: readonly string[] = [];
  const [command, ...first] = start;
  try {
    const { args, environment } = client.prepare(ground, model);
    const run = await runClient({
      command,
      args: [...first, ...args],
      cwd: ground.cwd,
      environment: { ...ground.environment, ...environment },
      timeoutMs: TIMEOUT_MS,
      afterwards: async () => {
        left = await processesLeft(ground.root);
      },
    });
    if (run.code !== 0) throw new Error(`the client ended with ${run.code ?? "its time limit"}: ${run.err}${run.out}`);
    return { requests: model.asked.map(({ body }) => JSON.stringify(body)), left };
  } finally {
    await model.close();
  }
}

/** memdir ends when its client does; it is given a moment for it. */
async function processesLeft(root: string): Promise<readonly string[]> {
  for (const end = performance.now() + GRACE_MS; ;) {
    const left = memdirsBelow(root);
    if (left.length === 0 || performance.now() > end) return left;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Processes that were started in a directory below, as Linux tells; elsewhere nothing can be said. */
function memdirsBelow(root: string): readonly string[] {
  if (!fs.existsSync("/proc/self/cwd")) return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((id) => {
      try {
        const [cwd, line] = [
          fs.readlinkSync(`/proc/${id}/cwd`),
          fs.readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " "),
        ];
        return cwd.startsWith(root) && line.includes("memdir.cjs") ? [line] : [];
      } catch {
        // Ended meanwhile, or somebody else's.
        return [];
      }
    });
}
