import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/surfaces/cli/catalogue.ts";
import { EXIT } from "../../src/surfaces/cli/io.ts";
import { emptyHome } from "../support/cli.ts";
import { scratchForFile } from "../support/scratch-for-file.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
/** They run until they are stopped, and are tried on their own. */
const SERVERS: ReadonlySet<string> = new Set(["mcp", "web"]);
const AT_ONCE = 4;
const LONGEST_MS = 10_000;
/** How long a server is watched (ms). */
const ALIVE_MS = 5_000;

interface Ended {
  readonly line: string;
  readonly code: number | null;
  readonly said: string;
}

let root: string;

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...args], { cwd: root, env: emptyHome(root), timeout: LONGEST_MS });
}

function run(args: readonly string[]): Promise<Ended> {
  const child = start(args);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (said += part.toString()));
  child.stdin?.on("error", () => undefined); // it may end without reading
  child.stdin?.end();
  return new Promise((resolve) => child.on("close", (code) => resolve({ line: args.join(" "), code, said })));
}

/** All of them, some at a time, in an empty home that they share. */
async function runAll(lines: readonly (readonly string[])[]): Promise<readonly Ended[]> {
  const waiting = [...lines];
  const ended: Ended[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) ended.push(await run(next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ended;
}

const CODES: ReadonlySet<number | null> = new Set<number | null>(
  Object.values(EXIT).filter((code) => code !== EXIT.interrupted),
);

/** What a person must never see: a stack, a bug, or a code that help does not explain. */
function faultsOf(ended: readonly Ended[]): readonly Ended[] {
  return ended.filter(
    ({ code, said }) =>
      !CODES.has(code) || /^\s+at .+:\d+:\d+\)?$|This is a bug|\[object Object\]|^memdir: .*\bundefined\b/mu.test(said),
  );
}

describe.concurrent("the built command, in an empty home", () => {
  beforeAll(() => {
    root = scratchForFile();
  });

  it("explains every command", async () => {
    const ended = await runAll(COMMANDS.map(({ name }) => [name, "--help"]));
    expect(faultsOf(ended)).toEqual([]);
    expect(
      ended.filter(({ code, line, said }) => code !== 0 || !said.includes(`memdir ${line.split(" ")[0] ?? ""}`)),
    ).toEqual([]);
  });

  it("answers every command with an argument that means nothing, or without any where it takes none", async () => {
    const plain = COMMANDS.filter(({ name }) => !SERVERS.has(name));
    const lines = plain.map(({ name, positionals }) => (positionals === 0 ? [name] : [name, "no-such-thing"]));
    expect(faultsOf(await runAll(lines))).toEqual([]);
  });

  it("serves MCP as long as its input is open, and answers initialize", async () => {
    const child = start(["mcp"]);
    let ended: number | null | undefined;
    child.on("close", (code) => (ended = code));
    const answered = new Promise<string>((resolve) => {
      let said = "";
      child.stdout?.on("data", (part: Buffer) => {
        said += part.toString();
        if (said.includes("\n")) resolve(said);
      });
    });
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "smoke", version: "1" } };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    expect(JSON.parse(await answered)).toMatchObject({ id: 1, result: { serverInfo: { name: "memdir" } } });
    await new Promise((resolve) => setTimeout(resolve, ALIVE_MS));
    expect(ended).toBeUndefined();
    child.stdin?.end();
    await new Promise((resolve) => child.on("close", resolve));
    expect(ended).toBe(0);
  });
});
