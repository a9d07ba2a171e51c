import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openConversation } from "../../../src/surfaces/mcp/conversation.ts";
import type { JsonObject } from "../../../src/surfaces/mcp/json-rpc.ts";
import type { Call, Offer, Tool } from "../../../src/surfaces/mcp/offer.ts";
import { serveLines } from "../../../src/surfaces/mcp/mcp.ts";

function tool(name: string, run: (call: Call) => Promise<string>): Tool {
  return {
    spec: { name, title: name, description: name, inputSchema: { type: "object", properties: {} } },
    run: async (_input, call) => ({ content: [{ type: "text", text: await run(call) }] }),
  };
}

function offer(tools: readonly Tool[] = [], roots?: (uris: readonly string[]) => void): Offer {
  return {
    info: { name: "test", title: "Test", version: "1" },
    instructions: () => "",
    tools: () => tools,
    close: () => undefined,
    ...(roots && { rootsKnown: roots }),
  };
}

interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: JsonObject;
}

/** Writes lines, with pauses where a number (ms) stands, ends the input and gives what came back. */
async function exchange(lines: readonly (string | object | number)[], served = offer()): Promise<readonly Line[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  output.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const ended = serveLines(input, output, (send) => openConversation(served, { send }), new AbortController().signal);
  for (const line of lines) {
    if (typeof line === "number") await new Promise((done) => setTimeout(done, line));
    else input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }
  input.end();
  await ended;
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const initialize = (protocolVersion: unknown = "2025-11-25", capabilities: object = {}, id: unknown = 1): object => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo: { name: "test", version: "1" } },
});
const request = (id: unknown, method: string, params: object = {}): object => ({ jsonrpc: "2.0", id, method, params });

describe("the protocol", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "speaks %s with a client that asks for it",
    async (version) => {
      const [answer] = await exchange([initialize(version)]);
      expect(answer?.result).toMatchObject({ protocolVersion: version });
    },
  );

  it("offers its newest version to a client that asks for one it does not know", async () => {
    expect((await exchange([initialize("2031-01-01")]))[0]?.result).toMatchObject({ protocolVersion: "2025-11-25" });
    expect((await exchange([initialize(7)]))[0]?.error).toMatchObject({ code: -32_602 });
  });

  it("answers a probe for a newer protocol so that the client falls back, and anything else before initialize with what is missing", async () => {
    const [probe, early, ping] = await exchange([
      request(1, "server/discover"),
      request(2, "tools/list"),
      request(3, "ping"),
    ]);
    expect(probe?.error?.code).toBe(-32_601);
    expect(early?.error).toMatchObject({ code: -32_600, message: "tools/list came before initialize" });
    expect(ping?.result).toEqual({});
  });

  it("survives garbage and goes on", async () => {
    const answers = await exchange([
      "garbage",
      "",
      "[]",
      "7",
      '{"jsonrpc":"1.0","id":4,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}',
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '{"jsonrpc":"2.0","method":"notifications/nothing"}',
      request(6, "ping"),
    ]);
    expect(answers.map(({ error }) => error?.code)).toEqual([
      -32_700,
      -32_600,
      -32_600,
      -32_600,
      -32_600,
      -32_600,
      undefined,
    ]);
    expect(answers.at(-1)).toMatchObject({ id: 6, result: {} });
  });

  it("does what was asked in the order in which it was asked, while pings and cancellations go through", async () => {
    const done: string[] = [];
    const wait = (name: string, ms: number): Tool =>
      tool(name, async ({ signal }) => {
        await new Promise<void>((resolve) => {
          setTimeout(resolve, ms);
          signal.addEventListener("abort", () => resolve());
        });
        done.push(name);
        return name;
      });
    const call = (id: number, name: string): object => request(id, "tools/call", { name, arguments: {} });
    const cancel = (requestId: number): object => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    const answers = await exchange(
      [initialize(), call(2, "slow"), call(3, "quick"), call(4, "never"), request(5, "ping"), cancel(4)],
      offer([wait("slow", 60), wait("quick", 0), wait("never", 0)]),
    );
    expect(done).toEqual(["slow", "quick"]);
    expect(answers.map(({ id }) => id).filter((id) => id !== 1)).toEqual([5, 2, 3]);
    done.length = 0;
    await exchange(
      [initialize(), call(2, "endless"), call(3, "quick"), 5, cancel(2)],
      offer([wait("endless", 60_000), wait("quick", 0)]),
    );
    expect(done).toEqual(["endless", "quick"]);
  });

  it("keeps the order where a request in between was refused, too many being under way", async () => {
    const done: string[] = [];
    const wait = (name: string, ms: number): Tool =>
      tool(name, async () => {
        await new Promise<void>((resolve) => void setTimeout(resolve, ms));
        done.push(name);
        return name;
      });
    const conversation = openConversation(offer([wait("first", 20), wait("second", 60), wait("last", 0)]), {
      maxRequests: 2,
    });
    const answers: unknown[] = [];
    const receive = (id: number, method: string, params: JsonObject): Promise<void> =>
      conversation.receive({ kind: "request", id, method, params }, (message) => answers.push(message));
    const call = (id: number, name: string): Promise<void> => receive(id, "tools/call", { name, arguments: {} });
    await receive(1, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    const first = call(2, "first");
    const second = call(3, "second");
    await call(4, "last");
    await first;
    await Promise.all([second, call(5, "last")]);
    expect(done).toEqual(["first", "second", "last"]);
    conversation.close();
  });

  it("refuses a line without end and reads the next", async () => {
    const answers = await exchange(["x".repeat(9_000_000), request(1, "ping")]);
    expect(answers[0]?.error?.message).toContain("at most 8000000 characters");
    expect(answers[1]).toMatchObject({ id: 1, result: {} });
  });

  it("takes several messages in one line as long as the version allows it", async () => {
    const both = JSON.stringify([request(2, "ping"), request(3, "ping")]);
    expect((await exchange([initialize("2025-03-26"), 20, both])).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect((await exchange([initialize("2025-06-18"), 20, both])).map(({ error }) => error?.code)).toEqual([
      undefined,
      -32_600,
    ]);
  });

  it("does not offer what there is not", async () => {
    const answers = await exchange([
      initialize(),
      ...[
        "resources/list",
        "prompts/list",
        "logging/setLevel",
        "completion/complete",
        "resources/subscribe",
        "tasks/list",
      ].map((method, index) => request(index + 2, method)),
    ]);
    expect(answers.slice(1).map(({ error }) => error?.code)).toEqual(Array.from({ length: 6 }, () => -32_601));
    expect(answers[0]?.result?.["capabilities"]).toEqual({ tools: {} });
  });

  it("ends a cancelled request without an answer", async () => {
    let aborted = false;
    const slow = tool(
      "slow",
      (call) =>
        new Promise((done) =>
          call.signal.addEventListener("abort", () => {
            aborted = true;
            done("late");
          }),
        ),
    );
    const answers = await exchange(
      [
        initialize(),
        request(2, "tools/call", { name: "slow" }),
        20,
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } },
        request(3, "ping"),
      ],
      offer([slow]),
    );
    expect(aborted).toBe(true);
    expect(answers.map(({ id }) => id)).toEqual([1, 3]);
  });

  it("does not begin what was cancelled before its turn", async () => {
    let began = false;
    const late = tool("late", async () => String((began = true)));
    await exchange(
      [
        initialize("2025-11-25", { roots: {} }),
        { jsonrpc: "2.0", method: "notifications/initialized" },
        request(2, "tools/call", { name: "late" }),
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } },
        { jsonrpc: "2.0", id: "memdir-1", result: {} },
        20,
      ],
      offer([late], () => undefined),
    );
    expect(began).toBe(false);
  });

  it("tells progress only to who asked for it", async () => {
    const counting = tool("counting", async (call) => {
      call.progress(1, 2, "half");
      return "done";
    });
    const answers = await exchange(
      [
        initialize(),
        request(2, "tools/call", { name: "counting" }),
        request(3, "tools/call", { name: "counting", _meta: { progressToken: "t" } }),
      ],
      offer([counting]),
    );
    expect(answers.filter(({ method }) => method !== undefined)).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "t", progress: 1, total: 2, message: "half" },
      },
    ]);
  });

  it("answers what was asked before the input ended, and says a bug of its own", async () => {
    const late = tool("late", () => new Promise((done) => setTimeout(() => done("done"), 50)));
    const broken = tool("broken", async () => {
      throw new RangeError("off by one");
    });
    const answers = await exchange(
      [initialize(), request(2, "tools/call", { name: "late" }), request(3, "tools/call", { name: "broken" })],
      offer([late, broken]),
    );
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ content: [{ text: "done" }] });
    expect(answers.find(({ id }) => id === 3)?.error).toMatchObject({
      code: -32_603,
      message: "a bug in memdir: off by one",
    });
  });

  it("refuses more requests at a time than it is bound to", async () => {
    const slow = tool("slow", () => new Promise((done) => setTimeout(() => done("done"), 100)));
    const answers = await exchange(
      [
        initialize(),
        20,
        ...Array.from({ length: 70 }, (_, index) => request(index + 2, "tools/call", { name: "slow" })),
      ],
      offer([slow]),
    );
    expect(answers.filter(({ error }) => error?.message.includes("under way already"))).toHaveLength(6);
  });

  it("waits for the client's roots before the first tool, but not for ever", async () => {
    const known: (readonly string[])[] = [];
    const looking = tool("looking", async () => String(known.length));
    const answers = await exchange(
      [
        initialize("2025-11-25", { roots: {} }),
        { jsonrpc: "2.0", method: "notifications/initialized" },
        request(2, "tools/call", { name: "looking" }),
        { jsonrpc: "2.0", id: "memdir-1", result: { roots: [{ uri: "file:///x" }] } },
      ],
      offer([looking], (uris) => known.push(uris)),
    );
    expect(answers.find(({ method }) => method === "roots/list")).toBeDefined();
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ content: [{ text: "1" }] });
    expect(known).toEqual([["file:///x"]]);
  });
});
