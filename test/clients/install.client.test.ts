import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pluginFiles } from "../../src/core/install/opencode-plugin.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { claudeCodeBinary } from "./claude-code.ts";
import { codexBinary } from "./codex.ts";
import { type Protocol, startFakeModel, type ToolCall } from "./fake-model.ts";
import { geminiGenerate } from "./gemini-generate.ts";
import { geminiScript, QUIET_SETTINGS } from "./gemini.ts";
import { installation } from "./installed.ts";
import type { Layout } from "./layout.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { openCodeBinary } from "./opencode.ts";
import { type ClientRun, runClient } from "./run-client.ts";
import { treeOf, withMemdir, type WithMemdir } from "./with-memdir.ts";

/** One headless session of a client with memdir installed. */
interface Session {
  readonly run: ClientRun;
  /** Everything the model was sent, as text. */
  readonly sent: string;
}

type Start = (url: string) => {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

async function session(
  { ground }: WithMemdir,
  protocol: Protocol,
  calls: readonly ToolCall[],
  start: Start,
): Promise<Session> {
  const model = await startFakeModel([protocol], calls);
  try {
    const { command, args, environment } = start(model.url);
    const run = await runClient({
      command,
      args,
      cwd: ground.cwd,
      environment: { ...ground.environment, ...environment },
      timeoutMs: 120_000,
    });
    return { run, sent: model.asked.map(({ body }) => JSON.stringify(body)).join("\n") };
  } finally {
    await model.close();
  }
}

const CLAUDE = {
  binary: claudeCodeBinary(installation("claude") ?? ""),
  start:
    (binary: string): Start =>
    (url) => ({
      command: binary,
      args: ["-p", "Say OK.", "--output-format", "json", "--allowedTools", "mcp__memdir__recall"],
      environment: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_TELEMETRY: "1",
        ANTHROPIC_API_KEY: "not-a-key",
        ANTHROPIC_BASE_URL: url,
      },
    }),
};

const SETTINGS =
  '{\n    "model" : "claude-opus-5-5",\n    "hooks": {\n        "Stop": [ { "hooks": [ { "type": "command", "command": "true" } ] } ]\n    }\n}\n';

/** Files that were there before are there still, byte for byte; those that the client rewrites are named. */
function expectRestored(before: ReadonlyMap<string, string>, home: string, rewritten: readonly string[] = []): void {
  const after = treeOf(home);
  for (const [file, bytes] of [...before].filter(([name]) => !rewritten.includes(name)))
    expect(after.get(file), file).toBe(bytes);
  for (const file of after.keys()) expect(path.basename(file)).not.toMatch(/^\.?memdir|^hooks\.json$/u);
}

describe("Claude Code", () => {
  const layout: Layout = { name: "install", proves: "", home: { ".claude/settings.json": SETTINGS } };

  it.skipIf(CLAUDE.binary === undefined)(
    "runs the hooks and the server of the user's settings, and keeps nothing afterwards",
    async () => {
      const memdir = withMemdir("claude-code", layout);
      const { ground } = memdir;
      try {
        const before = treeOf(ground.home);
        memdir.install();
        const { run, sent } = await session(
          memdir,
          anthropicMessages,
          [{ tool: "mcp__memdir__recall", input: { query: "q" } }],
          CLAUDE.start(CLAUDE.binary ?? ""),
        );
        expect(run).toMatchObject({ code: 0, err: "" });
        expect(memdir.hooks().map(({ event }) => event)).toEqual([
          "SessionStart",
          "UserPromptSubmit",
          "PreToolUse",
          "Stop",
          "SessionEnd",
        ]);
        expect(memdir.hooks().every(({ client }) => client === "claude-code")).toBe(true);
        expect(memdir.methods()).toEqual(expect.arrayContaining(["initialize", "tools/list", "tools/call"]));
        for (const mark of ["MARK-SessionStart", "MARK-UserPromptSubmit", "MARK-INSTRUCTIONS", "MARK-CALLED"])
          expect(sent).toContain(mark);
        memdir.uninstall();
        expectRestored(before, ground.home, [".claude.json"]);
        expect(fs.readFileSync(path.join(ground.home, ".claude.json"), "utf8")).not.toMatch(
          /memdir\.cjs|mcpServers":\s*\{\s*"/u,
        );
      } finally {
        ground.remove();
      }
    },
  );

  it.skipIf(CLAUDE.binary === undefined)("runs those of a project, and of settings moved elsewhere", async () => {
    const memdir = withMemdir("claude-code", {
      ...layout,
      environment: { CLAUDE_CONFIG_DIR: "{root}/moved" },
      project: { ".claude/settings.json": SETTINGS },
    });
    const { ground } = memdir;
    try {
      const before = treeOf(ground.project);
      memdir.install("project");
      const { run } = await session(
        memdir,
        anthropicMessages,
        [{ tool: "mcp__memdir__recall", input: { query: "q" } }],
        CLAUDE.start(CLAUDE.binary ?? ""),
      );
      expect(run).toMatchObject({ code: 0 });
      expect(memdir.hooks().map(({ event }) => event)).toEqual([
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "Stop",
        "SessionEnd",
      ]);
      expect(memdir.methods()).toContain("tools/call");
      memdir.uninstall();
      expect(treeOf(ground.project)).toEqual(before);
      memdir.install();
      expect(fs.readFileSync(path.join(ground.root, "moved", ".claude.json"), "utf8")).toContain("memdir.cjs");
      expect((await session(memdir, anthropicMessages, [], CLAUDE.start(CLAUDE.binary ?? ""))).sent).toContain(
        "MARK-SessionStart",
      );
    } finally {
      ground.remove();
    }
  });
});

describe("The plugin for Claude Code", () => {
  it.skipIf(CLAUDE.binary === undefined)(
    "passes the client's validation, runs its hooks and starts its server",
    async () => {
      const memdir = withMemdir("claude-code", { name: "plugin", proves: "" });
      const { ground, place } = memdir;
      try {
        const folder = path.join(path.dirname(place.program.hook), "plugins", "claude-code");
        for (const [name, content] of Object.entries(pluginFiles("1.2.3")["claude-code"])) {
          fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
          fs.writeFileSync(path.join(folder, name), content);
        }
        const validation = await runClient({
          command: CLAUDE.binary ?? "",
          args: ["plugin", "validate", folder],
          cwd: ground.cwd,
          environment: ground.environment,
          timeoutMs: 60_000,
        });
        expect(validation).toMatchObject({ code: 0, out: expect.stringContaining("Validation passed") });
        const { run, sent } = await session(
          memdir,
          anthropicMessages,
          [{ tool: "mcp__plugin_memdir_memdir__recall", input: { query: "q" } }],
          (url) => {
            const { args, ...rest } = CLAUDE.start(CLAUDE.binary ?? "")(url);
            return {
              ...rest,
              args: ["--plugin-dir", folder, ...args.slice(0, -1), "mcp__plugin_memdir_memdir__recall"],
            };
          },
        );
        expect(run).toMatchObject({ code: 0, err: "" });
        expect(memdir.hooks().map(({ event }) => event)).toEqual([
          "SessionStart",
          "UserPromptSubmit",
          "PreToolUse",
          "Stop",
          "SessionEnd",
        ]);
        for (const mark of ["MARK-SessionStart", "MARK-INSTRUCTIONS", "MARK-CALLED"]) expect(sent).toContain(mark);
      } finally {
        ground.remove();
      }
    },
  );
});

describe("Codex", () => {
  const binary = codexBinary(installation("codex") ?? "");
  const config =
    '# mine\nmodel = "none"\nmodel_provider = "fake"\n\n[model_providers.fake]\nname = "fake"\nwire_api = "responses"\nenv_key = "FAKE_MODEL_KEY"';
  const start =
    (...more: readonly string[]): Start =>
    (url) => ({
      command: binary ?? "",
      args: [
        "exec",
        "--json",
        "--skip-git-repo-check",
        "-s",
        "read-only",
        "-c",
        `model_providers.fake.base_url="${url}/v1"`,
        ...more,
        "Say OK.",
      ],
      environment: { FAKE_MODEL_KEY: "not-a-key" },
    });

  it.skipIf(binary === undefined)(
    "runs the hooks once they are trusted and not before, connects to the server, and keeps nothing afterwards",
    async () => {
      const memdir = withMemdir("codex", { name: "install", proves: "", home: { ".codex/config.toml": config } });
      const { ground } = memdir;
      try {
        const before = treeOf(ground.home);
        memdir.install();
        const untrusted = await session(memdir, openAiResponses, [], start());
        expect(untrusted.run.code).toBe(0);
        expect(memdir.hooks()).toEqual([]);
        expect(memdir.methods()).toEqual(expect.arrayContaining(["initialize", "tools/list"]));
        expect(untrusted.sent).toContain("MARK-TOOL");
        const { run, sent } = await session(
          memdir,
          openAiResponses,
          [{ tool: "exec_command", input: { cmd: "true" } }],
          start("--dangerously-bypass-hook-trust"),
        );
        expect(run.code).toBe(0);
        expect(memdir.hooks().map(({ event }) => event)).toEqual([
          "SessionStart",
          "UserPromptSubmit",
          "PreToolUse",
          "Stop",
          "SessionEnd",
        ]);
        for (const mark of ["MARK-SessionStart", "MARK-UserPromptSubmit"]) expect(sent).toContain(mark);
        memdir.uninstall();
        expectRestored(before, ground.home);
      } finally {
        ground.remove();
      }
    },
  );
});

describe("Gemini CLI", () => {
  const script = geminiScript(installation("gemini") ?? "");

  it.skipIf(script === undefined)("runs the hooks, connects to the server, and keeps nothing afterwards", async () => {
    const memdir = withMemdir("gemini", {
      name: "install",
      proves: "",
      home: { ".gemini/settings.json": `// mine\n${JSON.stringify(QUIET_SETTINGS, undefined, "\t")}` },
    });
    const { ground } = memdir;
    try {
      const before = treeOf(ground.home);
      memdir.install();
      const { run, sent } = await session(
        memdir,
        geminiGenerate,
        [{ tool: "mcp_memdir_recall", input: { query: "q" } }],
        (url) => ({
          command: process.execPath,
          args: [script ?? "", "-p", "Say OK.", "-o", "json", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
          environment: {
            GEMINI_API_KEY: "not-a-key",
            GEMINI_CLI_TRUST_WORKSPACE: "true",
            GEMINI_CLI_NO_RELAUNCH: "true",
            GEMINI_SANDBOX: "false",
            GOOGLE_GEMINI_BASE_URL: url,
          },
        }),
      );
      expect(run.code, run.err).toBe(0);
      expect(memdir.hooks().map(({ event }) => event)).toEqual([
        "SessionStart",
        "BeforeAgent",
        "BeforeTool",
        "AfterTool",
        "AfterAgent",
        "SessionEnd",
      ]);
      expect(memdir.methods()).toEqual(expect.arrayContaining(["initialize", "tools/list", "tools/call"]));
      for (const mark of ["MARK-SessionStart", "MARK-BeforeAgent", "MARK-CALLED"]) expect(sent).toContain(mark);
      memdir.uninstall();
      expectRestored(before, ground.home);
    } finally {
      ground.remove();
    }
  });
});

describe("OpenCode", () => {
  const binary = openCodeBinary(installation("opencode") ?? "");
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "fake",
    models: { none: { name: "Fake", limit: { context: 1_000_000, output: 1000 } } },
  };

  it.skipIf(binary === undefined)("runs the plugin, connects to the server, and keeps nothing afterwards", async () => {
    const config = '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "autoupdate": false,\n}\n';
    const memdir = withMemdir("opencode", {
      name: "install",
      proves: "",
      home: { ".config/opencode/opencode.jsonc": config },
    });
    const { ground } = memdir;
    try {
      const before = treeOf(ground.home);
      memdir.install();
      const { run, sent } = await session(
        memdir,
        openAiChat,
        [{ tool: "memdir_recall", input: { query: "q" } }],
        (url) => ({
          command: binary ?? "",
          args: ["run", "Say OK."],
          environment: {
            OPENCODE_DISABLE_AUTOUPDATE: "1",
            OPENCODE_DISABLE_MODELS_FETCH: "1",
            OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
            OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
            OPENCODE_CONFIG_CONTENT: JSON.stringify({
              model: "fake/none",
              small_model: "fake/none",
              share: "disabled",
              snapshot: false,
              provider: { fake: { ...provider, options: { baseURL: `${url}/v1`, apiKey: "not-a-key" } } },
              permission: { "*": "allow" },
            }),
          },
        }),
      );
      expect(run.code, run.err).toBe(0);
      expect(memdir.hooks().map(({ event }) => event)).toEqual([
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "Stop",
        "SessionEnd",
      ]);
      expect(memdir.methods()).toEqual(expect.arrayContaining(["initialize", "tools/list", "tools/call"]));
      for (const mark of ["MARK-SessionStart", "MARK-UserPromptSubmit", "MARK-CALLED"]) expect(sent).toContain(mark);
      memdir.uninstall();
      expectRestored(before, ground.home);
    } finally {
      ground.remove();
    }
  });
});
