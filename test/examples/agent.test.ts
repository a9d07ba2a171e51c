import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runAgent } from "../../examples/agent/loop.mjs";
import { chatModel, scriptedModel } from "../../examples/agent/models.mjs";
import { type Memory, openMemory } from "../../src/index.ts";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const LOOK = { tool: "read_file", argument: "README.md", say: "" };
const DONE = { tool: "none", argument: "", say: "Done." };
let memory: Memory;

beforeEach(() => {
  const root = scratch();
  memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
});

afterEach(() => memory.close());

const tools = { read_file: async (path: string) => `the text of ${path}` };

describe("the example agent", () => {
  it("captures in one session what the next one recalls", async () => {
    const first = await runAgent(
      { memory, model: scriptedModel([DONE]), tools, session: "one" },
      "Remember that integration tests use the postgres container, never mocks.",
    );
    expect(first).toMatchObject({ said: "Done.", recalled: "" });
    expect(first.captured).toHaveLength(1);
    const model = scriptedModel([LOOK, DONE]);
    const second = await runAgent({ memory, model, tools, session: "two" }, "write integration tests for the importer");
    expect(second.recalled).toContain("never mocks");
    expect(JSON.stringify(model.asked[0])).toContain("never mocks");
    expect(JSON.stringify(model.asked[1])).toContain("the text of README.md");
    expect(second.captured).toEqual([]);
  });

  it("says why when the model gives no answer", async () => {
    await expect(runAgent({ memory, model: scriptedModel([]), tools, session: "one" }, "anything")).rejects.toThrow(
      "the script has ended",
    );
  });

  it("speaks to a server of chat completions", async () => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          choices: [{ message: { content: JSON.stringify(DONE) } }],
          usage: { prompt_tokens: 5, completion_tokens: 2 },
        }),
      ),
    );
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const model = chatModel({ url: `http://127.0.0.1:${port}/v1`, model: "none" });
      expect(await runAgent({ memory, model, tools, session: "one" }, "say done")).toMatchObject({ said: "Done." });
    } finally {
      server.close();
    }
  });
});
