import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";
import { callTool } from "../surfaces/mcp/linked.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const NOTE = "project_release_plan.md";

let root: string;
let notes: string;
let clients: Client[];

beforeEach(() => {
  root = scratch();
  notes = path.join(root, "notes");
  clients = [];
});

afterEach(async () => {
  for (const client of clients) await client.close();
});

async function connect(): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, "mcp", "--profile", "full", "--dir", notes],
    cwd: root,
    env: { HOME: `${root}/home`, PATH: emptyHome(root)["PATH"] ?? "" },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  clients.push(client);
  return client;
}

/** Whole numbers below `limit`, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** All that is live: the note and every copy that was kept beside it. */
function live(): string {
  return fs
    .readdirSync(notes)
    .filter((name) => name.endsWith(".md"))
    .map((name) => fs.readFileSync(path.join(notes, name), "utf8"))
    .join("\n");
}

async function read(client: Client): Promise<{ readonly body: string; readonly version: string }> {
  const { text, fields } = await callTool(client, "read", { note: NOTE });
  const body = text.slice(text.lastIndexOf("# Plan"), text.lastIndexOf("\n</memdir-context>"));
  return { body, version: String(fields["version"]) };
}

/** One model: it reads now and then, rewrites its own lines, and keeps the person's lines that it read. */
async function model(client: Client, choose: (limit: number) => number, turns: number, name: string): Promise<void> {
  let seen: Awaited<ReturnType<typeof read>> | undefined;
  for (let turn = 0; turn < turns; turn++) {
    const kind = choose(5);
    if (kind === 0 || (seen === undefined && kind !== 4)) seen = await read(client);
    else {
      const persons = (seen?.body ?? "").split("\n").filter((line) => line.startsWith("Person "));
      const own = Array.from({ length: 1 + choose(4) }, (_, line) => `${name} says ${turn}.${line}`);
      const text = ["# Plan", ...(kind === 1 ? [...persons, ...own] : [...own, ...persons])].join("\n");
      await callTool(client, "revise", {
        note: NOTE,
        text,
        ...(kind === 3 && seen !== undefined && { version: seen.version }),
      });
    }
    await pause(choose(4));
  }
}

describe("revise over a real stdio server", () => {
  it("merges a line that a person added after the model read the note", async () => {
    const client = await connect();
    await callTool(client, "remember", {
      text: "# Plan\n\nFirst line.\n\nSecond line.\n\nThird line.",
      name: "release plan",
    });
    await read(client);
    fs.appendFileSync(path.join(notes, NOTE), "Person adds this.\n");
    await callTool(client, "revise", {
      note: NOTE,
      text: "# Plan\n\nFirst line, better.\n\nSecond line.\n\nThird line.",
    });
    const text = fs.readFileSync(path.join(notes, NOTE), "utf8");
    expect(text).toContain("First line, better.");
    expect(text).toContain("Person adds this.");
  });

  it("keeps what a model wrote without reading beside the note, and lets nothing of it replace a field", async () => {
    const writer = await connect();
    await callTool(writer, "remember", { text: "# Plan\n\nOnly the person knows this.", name: "release plan" });
    const stranger = await connect();
    expect((await callTool(stranger, "revise", { note: NOTE, text: "# Plan\n\nA guess." })).fields).toMatchObject({
      outcome: "kept-both",
    });
    expect(await callTool(stranger, "revise", { note: NOTE, description: "a guess" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Read it"),
    });
    expect(live()).toContain("Only the person knows this.");
    expect(live()).toContain("A guess.");
    // What only adds is merged.
    expect(
      (await callTool(stranger, "revise", { note: NOTE, text: "# Plan\n\nOnly the person knows this.\n\nMore." }))
        .fields,
    ).toMatchObject({ outcome: "written" });
  });

  it("takes the version from an earlier server process, found in the history", async () => {
    const first = await connect();
    await callTool(first, "remember", { text: "# Plan\n\nOne.\n\nTwo.\n\nThree.", name: "release plan" });
    const { version } = await read(first);
    fs.appendFileSync(path.join(notes, NOTE), "Person adds this.\n");
    const second = await connect();
    expect(
      (await callTool(second, "revise", { note: NOTE, text: "# Plan\n\nOne!\n\nTwo.\n\nThree.", version })).fields,
    ).toMatchObject({ outcome: "merged" });
    expect(fs.readFileSync(path.join(notes, NOTE), "utf8")).toMatch(/One!\n\nTwo\.\n\nThree\.\nPerson adds this\./u);
  });

  it("does not remove a note that a person changed since the model read it", async () => {
    const client = await connect();
    await callTool(client, "remember", { text: "# Plan\n\nOne.", name: "release plan" });
    await read(client);
    fs.appendFileSync(path.join(notes, NOTE), "Person adds this.\n");
    expect(await callTool(client, "forget", { note: NOTE })).toMatchObject({ isError: true });
    expect(live()).toContain("Person adds this.");
  });

  it.each([1, 2, 3])(
    "loses no line of a person who writes while two models revise (seed %d)",
    { tags: ["slow"], timeout: 120_000 },
    async (seed) => {
      const choose = numbers(seed);
      const [one, two] = [await connect(), await connect()];
      await callTool(one, "remember", { text: "# Plan\n\nOne.\n\nTwo.", name: "release plan" });
      const added: string[] = [];
      const models = Promise.all([
        model(one, numbers(seed * 7 + 1), 30, "Model one"),
        model(two, numbers(seed * 7 + 2), 30, "Model two"),
      ]).then(() => "done" as const);
      for (let isDone = false; !isDone;) {
        const line = `Person adds ${added.length} (${choose(1_000_000)})`;
        fs.appendFileSync(path.join(notes, NOTE), `${line}\n`);
        added.push(line);
        isDone = (await Promise.race([models, pause(1 + choose(12))])) === "done";
      }
      expect(added.length).toBeGreaterThan(20);
      // A line that was written into a copy that was just moved aside comes back within seconds.
      const missing = (): readonly string[] => {
        const text = live();
        return added.filter((line) => !text.includes(line));
      };
      await expect
        .poll(async () => (await callTool(one, "list"), missing()), { timeout: 10_000, interval: 200 })
        .toEqual([]);
    },
  );
});
