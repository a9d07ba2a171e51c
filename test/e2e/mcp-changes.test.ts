import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";
import { callTool } from "../surfaces/mcp/linked.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const OLD = "project_staging_database.md";
const NEW = "project_staging_host.md";

let root: string;
let notes: string;
let environment: Record<string, string>;
let client: Client;

beforeEach(async () => {
  root = scratch();
  notes = path.join(root, "notes");
  environment = { HOME: `${root}/home`, PATH: emptyHome(root)["PATH"] ?? "" };
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, "mcp", "--dir", notes],
      cwd: root,
      env: environment,
      stderr: "ignore",
    }),
  );
  await callTool(client, "remember", { text: "The staging database is called zebra.", name: "staging database" });
});

afterEach(async () => {
  await client.close();
});

function undo(...what: readonly string[]): void {
  execFileSync(process.execPath, [COMMAND, "undo", ...what, "--dir", notes], { cwd: root, env: environment });
}

function bytes(file: string): string | undefined {
  const whole = path.join(notes, file);
  return fs.existsSync(whole) ? fs.readFileSync(whole, "base64") : undefined;
}

function text(file: string): string {
  return fs.readFileSync(path.join(notes, file), "utf8");
}

describe("what a model decides about notes that its own takes the place of", () => {
  it("is offered by the four tools of the default profile", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(["forget", "read", "recall", "remember"]);
  });

  it("supersedes the note that `replaces` names, and undo gives back its bytes", async () => {
    const before = bytes(OLD);
    const { isError } = await callTool(client, "remember", {
      text: "Staging lives with the hosting company in Bern.",
      name: "staging host",
      replaces: [OLD],
    });
    expect(isError).toBe(false);
    expect(text(OLD)).toContain("supersededBy");
    expect(text(OLD)).toContain("The staging database is called zebra.");
    undo(NEW);
    expect([bytes(OLD), bytes(NEW)]).toEqual([before, undefined]);
  });

  it("leaves the rival alone with `beside`, and undo takes back the new note alone", async () => {
    const before = bytes(OLD);
    await callTool(client, "remember", {
      text: "The staging database is called yak.",
      name: "staging host",
      beside: true,
    });
    expect(bytes(OLD)).toBe(before);
    expect(text(NEW)).toContain(`agreesWith`);
    const both = await callTool(client, "recall", { prompt: "how is the staging database called" });
    expect(both.text).toContain("zebra");
    expect(both.text).toContain("yak");
    undo(NEW);
    expect([bytes(OLD), bytes(NEW)]).toEqual([before, undefined]);
  });

  it("settles what it left open before, and undo gives that back as well", async () => {
    const said = { text: "The staging database is called yak.", name: "staging host" };
    await callTool(client, "remember", { ...said, beside: true });
    const [old, fresh] = [bytes(OLD), bytes(NEW)];
    await callTool(client, "remember", { ...said, replaces: [OLD] });
    expect(text(OLD)).toContain("supersededBy");
    undo("--steps", "1");
    expect([bytes(OLD), bytes(NEW)]).toEqual([old, fresh]);
  });
});
