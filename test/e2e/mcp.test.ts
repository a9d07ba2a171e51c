import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";
import { callTool } from "../surfaces/mcp/linked.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));

let root: string;
let environment: Record<string, string>;

beforeEach(() => {
  root = scratch();
  environment = { HOME: `${root}/home`, PATH: emptyHome(root)["PATH"] ?? "" };
});

async function connect(): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, "mcp", "--profile", "full"],
    cwd: root,
    env: environment,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return { client, transport };
}

function start(args: readonly string[] = []): ChildProcess & { readonly said: () => string } {
  const child = spawn(process.execPath, [COMMAND, "mcp", ...args], {
    cwd: root,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  return Object.assign(child, { said: () => said });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) =>
    child.exitCode === null ? child.once("exit", (code) => done(code)) : done(child.exitCode),
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process any more.
    return false;
  }
}

describe("memdir mcp", () => {
  it("lets several clients write to one store at once, and ends with each of them", async () => {
    const connected = await Promise.all(Array.from({ length: 4 }, connect));
    await Promise.all(
      connected.flatMap(({ client }, process) =>
        Array.from({ length: 5 }, (_, note) =>
          callTool(client, "remember", {
            text: `Service ${process}-${note} deploys on its own.`,
            name: `service ${process} ${note}`,
          }),
        ),
      ),
    );
    for (const { client } of connected) expect((await callTool(client, "list")).fields).toMatchObject({ total: 20 });
    const ids = connected.map(({ transport }) => transport.pid ?? 0);
    await Promise.all(connected.map(({ client }) => client.close()));
    await expect.poll(() => ids.filter(isRunning), { timeout: 3000 }).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends on %s, and when its input ends, with nothing to say",
    async (signal) => {
      const closed = start();
      closed.stdin?.end();
      expect(await ended(closed)).toBe(0);
      const told = start();
      told.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
      await new Promise((done) => told.stdout?.once("data", done));
      told.kill(signal);
      expect([await ended(told), told.said()]).toEqual([0, ""]);
    },
  );

  it("listens on loopback with a token that is shown once, and ends on a signal", async () => {
    const first = start(["--http", "--port", "0"]);
    await expect.poll(first.said, { timeout: 10_000 }).toMatch(/shown this once/u);
    const [, url = "", token = ""] = /listens on (\S+)[\s\S]*shown this once: (\S+)/u.exec(first.said()) ?? [];
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(fs.statSync(path.join(root, "home", ".memdir", "mcp-token")).mode & 0o777).toBe(0o600);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("remember");
    expect(
      (
        await fetch(`${url}?project=${encodeURIComponent("/")}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "initialize",
            params: { protocolVersion: "2025-11-25" },
          }),
        })
      ).status,
    ).toBe(403);
    first.kill("SIGTERM");
    expect(await ended(first)).toBe(0);
    const second = start(["--http", "--port", "0"]);
    await expect.poll(second.said, { timeout: 10_000 }).toMatch(/listens on/u);
    expect(second.said()).not.toContain(token);
    second.kill("SIGINT");
    expect(await ended(second)).toBe(0);
  });

  it("says a mistake in one line and does not start", async () => {
    const child = start(["--profile", "huge"]);
    expect(await ended(child)).toBe(2);
    expect(child.said()).toContain('there is no profile "huge"');
  });
});
