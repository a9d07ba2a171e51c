import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { emptyHome } from "../support/cli.ts";
import { memoryToolModel } from "../support/memory-tool-model.ts";
import { scratch } from "../support/scratch.ts";

const AGENT = fileURLToPath(new URL("../../examples/agent/memory-tool.mjs", import.meta.url));

it("the example agent reads in one run what it wrote in the one before, and recall finds it", async () => {
  const root = scratch();
  const run = async (url: string, prompt: string) =>
    promisify(execFile)(process.execPath, [AGENT, prompt], {
      cwd: root,
      env: { ...emptyHome(root), ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" },
    });
  const file_text = "# Deploys\n\nDeploys go out on Tuesdays from the release branch.\n";
  const first = await memoryToolModel([{ command: "create", path: "/memories/deploys.md", file_text }]);
  expect((await run(first.url, "Deploys go out on Tuesdays.")).stdout).toBe("Done.\n");
  expect(first.seen[0]).toContain("memory_20250818");
  expect(first.seen[1]).toContain("File created successfully at: /memories/deploys.md");
  first.close();
  const second = await memoryToolModel([
    { command: "view", path: "/memories" },
    { command: "view", path: "/memories/deploys.md" },
  ]);
  await run(second.url, "When do deploys go out?");
  expect(second.seen[1]).toContain("deploys.md");
  expect(second.seen[2]).toContain("Deploys go out on Tuesdays");
  second.close();
  const memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
  try {
    expect(memory.recall("when do deploys go out from the release branch?").text).toContain("Tuesdays");
  } finally {
    memory.close();
  }
});
