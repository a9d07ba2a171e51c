import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { clearAfterTest } from "../support/after-every-test.ts";
import { startMemdirServer } from "../support/memdir-server.ts";
import { memoryToolModel } from "../support/memory-tool-model.ts";
import { layOutForAgents, occurrences } from "./agent-ground.ts";
import { REAL_AGENTS } from "./real-agents.ts";

const AGENT = fileURLToPath(new URL("../../examples/agent/memory-tool.mjs", import.meta.url));
const claude = REAL_AGENTS.find(({ name }) => name === "claude-code");

it.skipIf(claude?.program === undefined)(
  "one note through the memory tool, through memdir-server and in Claude Code",
  async () => {
    if (claude === undefined) return;
    const ground = layOutForAgents({ home: claude.settings });
    /** A run of the example agent, whose model makes these calls; what that model was told. */
    const agent = async (prompt: string, ...calls: readonly object[]): Promise<string> => {
      const model = await memoryToolModel(calls);
      const env = { ...ground.environment, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none" };
      try {
        await promisify(execFile)(process.execPath, [AGENT, prompt], { cwd: ground.cwd, env });
        return model.seen.join("\n");
      } finally {
        model.close();
      }
    };
    try {
      const file_text = "# Deploys\n\nDeploys of the shop go out on Tuesdays from the release branch.\n";
      await agent("Deploys go out on Tuesdays.", { command: "create", path: "/memories/deploys.md", file_text });

      const server = await startMemdirServer(path.join(ground.root, "server"));
      const token = path.join(ground.root, "token");
      fs.writeFileSync(token, `${server.token}\n`);
      const remote = ["--remote", server.url, "--scope", "project", "--token-file", token];
      ground.memdir("sync", "setup", ...remote, "--manual", "--yes");
      const { memoryStores } = new Anthropic({ baseURL: server.url, apiKey: server.token ?? "" }).beta;
      const [store] = (await memoryStores.list()).data;
      const [memory] = (await memoryStores.memories.list(store?.id ?? "", { view: "full" })).data;
      expect(memory).toMatchObject({ type: "memory", path: "/deploys.md", content: file_text });
      const content = file_text.replace("Tuesdays", "Thursdays");
      if (memory?.type !== "memory") throw new Error("no memory");
      await memoryStores.memories.update(memory.id, { memory_store_id: store?.id ?? "", content });
      ground.memdir("sync", "now");

      const told = await agent(
        "When do deploys go out?",
        { command: "view", path: "/memories" },
        { command: "view", path: "/memories/deploys.md" },
      );
      expect(told).toContain("go out on Thursdays from the release branch");

      ground.memdir("install", "claude-code", "--yes");
      const { run, requests } = await ground.ask(claude, { prompt: "When do deploys of the shop go out?" });
      expect(run.code, run.err).toBe(0);
      expect(occurrences(requests[0] ?? [], "go out on Thursdays from the release branch")).toBeGreaterThan(0);
      expect(occurrences(requests[0] ?? [], "go out on Tuesdays")).toBe(0);
    } finally {
      await clearAfterTest();
      ground.remove();
    }
  },
);
