import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../../../src/compose/memory.ts";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

let root: string;
const home = (): string => `${root}/home`;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch();
  environment = emptyHome(root);
  fs.mkdirSync(`${root}/orders`);
});

function memdir(argv: readonly string[], more: Record<string, string> = {}): Promise<CliResult> {
  return cli(argv, { cwd: `${root}/orders`, environment: { ...environment, ...more } });
}

const settings = (): unknown => JSON.parse(fs.readFileSync(`${home()}/.memdir/settings.json`, "utf8"));
const modes = async (more: Record<string, string> = {}): Promise<Record<string, { mode: string; reason: string }>> => JSON.parse((await memdir(["status", "--json"], more)).out).modes;

async function session(text: string): Promise<string> {
  const line = JSON.stringify({ type: "user", uuid: "m1", sessionId: "s1", timestamp: "2026-03-02T09:00:00Z", promptSource: "typed", message: { role: "user", content: text } });
  fs.writeFileSync(`${root}/session.jsonl`, `${line}\n`);
  return `${root}/session.jsonl`;
}

const WISH = "From now on always squash merges, because the history gets unreadable otherwise.";

describe("memdir mode", () => {
  it("sets a mode for this project, keeps whatever else the file holds, and takes it back", async () => {
    fs.mkdirSync(`${home()}/.memdir`, { recursive: true });
    fs.writeFileSync(`${home()}/.memdir/settings.json`, JSON.stringify({ model: "off", own: [1] }));
    expect((await memdir(["mode", "manual"])).out).toContain("manual");
    expect(settings()).toEqual({ model: "off", own: [1], modes: { everywhere: {}, projects: { [`${root}/orders`]: { all: "manual" } } } });
    expect(await modes()).toMatchObject({ project: { mode: "manual", reason: "set for this project" } });
    fs.mkdirSync(`${root}/other`);
    expect(JSON.parse((await cli(["mode", "--json"], { cwd: `${root}/other`, environment })).out).modes.project.mode).toBe("auto");
    await memdir(["mode", "default"]);
    expect(settings()).toEqual({ model: "off", own: [1] });
  });

  it("lets this project's word count before everywhere's, a new mode for all before old ones for single scopes", async () => {
    await memdir(["mode", "recall-only", "--everywhere"]);
    await memdir(["mode", "off", "--scope", "user"]);
    expect(await modes()).toMatchObject({ project: { mode: "recall-only", reason: "set for everywhere" }, user: { mode: "off", reason: "set for this project" } });
    await memdir(["mode", "confirm"]);
    expect(await modes()).toMatchObject({ project: { mode: "confirm" }, user: { mode: "confirm" } });
    expect((await memdir(["mode", "auto", "--everywhere"])).out).toContain("confirm");
  });

  it("is overruled by MEMDIR_MODE and by Claude Code's switches", async () => {
    await memdir(["mode", "auto"]);
    expect(await modes({ MEMDIR_MODE: "recall-only" })).toMatchObject({ user: { mode: "recall-only", reason: "MEMDIR_MODE=recall-only" } });
    expect(await modes({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1" })).toMatchObject({ project: { mode: "off" } });
  });

  it("never guesses at a mode that there is not", async () => {
    expect(await memdir(["mode", "sometimes"])).toMatchObject({ code: 2, err: expect.stringContaining("recall-only or off") });
    fs.mkdirSync(`${home()}/.memdir`, { recursive: true });
    fs.writeFileSync(`${home()}/.memdir/settings.json`, JSON.stringify({ modes: { everywhere: { all: "of" } } }));
    expect(await memdir(["recall", "anything"])).toMatchObject({ code: 2, err: expect.stringContaining('"of"') });
  });
});

describe("what a mode allows", () => {
  it("manual captures nothing by itself, but writes what somebody asks for", async () => {
    await memdir(["mode", "manual"]);
    expect((await memdir(["remember", "The postgres container listens on port 5433."])).code).toBe(0);
    expect((await memdir(["capture", await session(WISH)])).out).toContain("1 note");
    const memory = openMemory({ cwd: `${root}/orders`, environment });
    expect(memory.list()).toHaveLength(2);
    memory.close();
  });

  it("recall-only reads everything and refuses every command that writes, with exit code 4", async () => {
    await memdir(["remember", "The postgres container listens on port 5433.", "--name", "port"]);
    await memdir(["mode", "recall-only"]);
    const before = filesBelow(`${home()}/.memdir/projects`);
    for (const argv of [["remember", "x"], ["capture", await session(WISH)], ["edit", "port", "--name", "y"], ["pin", "port"], ["remove", "port"], ["forget", "port", "--yes"], ["undo"], ["review", "accept", "--all"]]) {
      expect(await memdir(argv), argv.join(" ")).toMatchObject({ code: 4, err: expect.stringContaining("recall-only") });
    }
    expect((await memdir(["recall", "which port has the postgres container"])).out).toContain("5433");
    expect(filesBelow(`${home()}/.memdir/projects`)).toEqual(before);
  });

  it("a scope that is off is neither recalled nor written, and the others are", async () => {
    await memdir(["remember", "I am Jané and I write embedded Rust for turbines.", "--type", "user", "--name", "jane"]);
    await memdir(["remember", "Turbines of the test field report every minute.", "--name", "turbines"]);
    await memdir(["mode", "off", "--scope", "user"]);
    const listed = (await memdir(["list"])).out;
    expect([listed.includes("turbines"), listed.includes("jane")]).toEqual([true, false]);
    expect((await memdir(["recall", "embedded Rust for turbines"])).out).not.toContain("Jané");
    expect(await memdir(["remember", "I like tabs", "--type", "user"])).toMatchObject({ code: 4, err: expect.stringContaining("user scope is off") });
    const memory = openMemory({ cwd: `${root}/orders`, environment });
    expect(JSON.stringify(memory.context())).not.toContain("jane");
    await expect(memory.remember({ body: "I like tabs", type: "user" })).rejects.toThrow(/user scope is off/u);
    expect((await memory.remember({ body: "Releases are on Tuesdays." })).outcome).toBe("created");
    memory.close();
  });

  it("off refuses what reads or writes, in a clear sentence", async () => {
    await memdir(["mode", "off"]);
    for (const argv of [["list"], ["show", "x"], ["history"], ["verify"], ["remember", "x"], ["review"], ["capture", await session(WISH)]]) {
      expect(await memdir(argv), argv.join(" ")).toMatchObject({ code: 4, err: expect.stringContaining("memory is off (set for this project), so nothing is read or written; `memdir mode` shows and changes it") });
    }
    expect(await memdir(["recall", "anything at all"])).toMatchObject({ code: 0, out: expect.stringContaining("memory is off") });
    expect((await memdir(["status"])).out).toContain("mode      off (set for this project)");
  });
});
