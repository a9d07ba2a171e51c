import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { record } from "../../src/core/shared/json.ts";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const AGENT = fileURLToPath(new URL("../../examples/agent/memory-tool.mjs", import.meta.url));

let server: Server | undefined;
afterEach(() => server?.close());

/** A model that makes the given calls of the memory tool, one a request, and says what the last one gave. */
async function modelThat(calls: readonly object[]): Promise<{ readonly url: string; readonly seen: string[] }> {
  const seen: string[] = [];
  let made = 0;
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { messages, tools } = record(JSON.parse(Buffer.concat(parts).toString()));
      seen.push(JSON.stringify({ messages, tools }));
      const call = calls[made];
      made += 1;
      const content =
        call === undefined
          ? [{ type: "text", text: "Done." }]
          : [{ type: "tool_use", id: `toolu_${made}`, name: "memory", input: call }];
      const stop_reason = call === undefined ? "end_turn" : "tool_use";
      const usage = { input_tokens: 1, output_tokens: 1 };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          id: `msg_${made}`,
          type: "message",
          role: "assistant",
          model: "m",
          content,
          stop_reason,
          usage,
        }),
      );
    });
  });
  const listening = server;
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`, seen };
}

it("the example agent reads in one run what it wrote in the one before, and recall finds it", async () => {
  const root = scratch();
  const run = async (url: string, prompt: string) =>
    promisify(execFile)(process.execPath, [AGENT, prompt], {
      cwd: root,
      env: { ...emptyHome(root), ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" },
    });
  const file_text = "# Deploys\n\nDeploys go out on Tuesdays from the release branch.\n";
  const first = await modelThat([{ command: "create", path: "/memories/deploys.md", file_text }]);
  expect((await run(first.url, "Deploys go out on Tuesdays.")).stdout).toBe("Done.\n");
  expect(first.seen[0]).toContain("memory_20250818");
  expect(first.seen[1]).toContain("File created successfully at: /memories/deploys.md");
  server?.close();
  const second = await modelThat([
    { command: "view", path: "/memories" },
    { command: "view", path: "/memories/deploys.md" },
  ]);
  await run(second.url, "When do deploys go out?");
  expect(second.seen[1]).toContain("deploys.md");
  expect(second.seen[2]).toContain("Deploys go out on Tuesdays");
  const memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
  try {
    expect(memory.recall("when do deploys go out from the release branch?").text).toContain("Tuesdays");
  } finally {
    memory.close();
  }
});
