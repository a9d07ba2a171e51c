import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openMemory } from "../../../src/app/memory.ts";
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
const modes = async (more: Record<string, string> = {}): Promise<Record<string, { mode: string; reason: string }>> =>
  JSON.parse((await memdir(["status", "--json"], more)).out).modes;

async function session(text: string): Promise<string> {
  const line = JSON.stringify({
    type: "user",
    uuid: "m1",
    sessionId: "s1",
    timestamp: "2026-03-02T09:00:00Z",
    promptSource: "typed",
    message: { role: "user", content: text },
  });
  fs.writeFileSync(`${root}/session.jsonl`, `${line}\n`);
  return `${root}/session.jsonl`;
}

const WISH = "From now on always squash merges, because the history gets unreadable otherwise.";

describe("memdir mode", () => {
  it("says once what holds for every scope, and otherwise what holds for each", async () => {
    expect((await memdir(["mode", "off"])).out).toMatch(/^every scope +off +neither read nor written/u);
    expect((await memdir(["mode", "manual", "--scope", "user"])).out).toMatch(/^project +off [^]*^user +manual /mu);
  });

  it("sets what happens to skills, keeps what else is set for them, and refuses another word", async () => {
    fs.mkdirSync(`${home()}/.memdir`, { recursive: true });
    fs.writeFileSync(`${home()}/.memdir/settings.json`, JSON.stringify({ skills: { check: "never" } }));
    expect(await memdir(["mode", "--skills", "confirm"])).toMatchObject({ code: 0 });
    expect(settings()).toMatchObject({ skills: { mode: "confirm", check: "never" } });
    const refused = await memdir(["mode", "--skills", "sometimes"]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("use observe, confirm, auto or off")]);
    expect(settings()).toMatchObject({ skills: { mode: "confirm" } });
  });

  it("sets a mode for this project, keeps whatever else the file holds, and takes it back", async () => {
    fs.mkdirSync(`${home()}/.memdir`, { recursive: true });
    fs.writeFileSync(`${home()}/.memdir/settings.json`, JSON.stringify({ model: "off", own: [1] }));
    expect((await memdir(["mode", "manual"])).out).toContain("manual");
    expect(settings()).toEqual({
      model: "off",
      own: [1],
      modes: { everywhere: {}, projects: { [`${root}/orders`]: { all: "manual" } } },
    });
    expect(await modes()).toMatchObject({ project: { mode: "manual", reason: "set for this project" } });
    fs.mkdirSync(`${root}/other`);
    expect(
      JSON.parse((await cli(["mode", "--json"], { cwd: `${root}/other`, environment })).out).modes.project.mode,
    ).toBe("auto");
    await memdir(["mode", "default"]);
    expect(settings()).toEqual({ model: "off", own: [1] });
  });

  it.each([["--project"], ["--everywhere"], ["--scope", "user"]])(
    "asks for a mode where %s says only for what, and changes nothing",
    async (...options) => {
      await memdir(["mode", "manual"]);
      const before = settings();
      const asked = await memdir(["mode", ...options]);
      expect([asked.code, asked.err]).toEqual([2, expect.stringContaining("mode needs a value")]);
      const both = await memdir(["mode", "off", "--project", "--everywhere"]);
      expect([both.code, both.err]).toEqual([2, expect.stringContaining("not both")]);
      expect(settings()).toEqual(before);
    },
  );

  it("needs no mode to say for every project where capture writes, or what happens to skills", async () => {
    const log = await memdir(["mode", "--capture-to", "log", "--everywhere"]);
    expect([log.code, log.out]).toEqual([0, expect.stringContaining("daily log (set for everywhere)")]);
    const skills = await memdir(["mode", "--skills", "confirm", "--everywhere"]);
    expect([skills.code, skills.out]).toEqual([0, expect.stringContaining("skills: confirm, in every project")]);
    expect(settings()).toMatchObject({ capture: { to: "log" }, skills: { mode: "confirm" } });
    expect((await memdir(["mode"])).out).not.toContain("skills:");
  });

  it("names the other projects that keep a mode of their own when one is set for all, and only then", async () => {
    fs.mkdirSync(`${root}/other`);
    await cli(["mode", "manual"], { cwd: `${root}/other`, environment });
    expect((await memdir(["mode", "off"])).out).not.toContain("other project");
    expect((await memdir(["mode", "recall-only", "--everywhere"])).out).toMatch(
      new RegExp(`1 other project has a mode of its own, which stays: ${root}/other$`, "mu"),
    );
    // "on" is what people type after "off".
    await memdir(["mode", "on"]);
    expect(await modes()).toMatchObject({ project: { mode: "recall-only", reason: "set for everywhere" } });
  });

  it("shows what is in force now for a directory of notes, and for a type of sub-agent that alone is left on", async () => {
    expect((await memdir(["mode", "off", "--dir", `${root}/notes`])).out).toMatch(/^[a-z ]+ +off +neither/u);
    await memdir(["mode", "off"]);
    const { out } = await memdir(["mode", "auto", "--scope", "agent", "--agent-type", "reviewer"]);
    expect(out).toMatch(/^project +off [^]*^agent +auto /mu);
  });

  it("says how memory comes on again only where nothing of it is left on", async () => {
    expect((await memdir(["mode", "off", "--scope", "user"])).out).not.toContain("turns it on again");
    expect((await memdir(["mode", "off"])).out).toContain("`memdir mode default` turns it on again.");
  });

  it.each([
    ["MEMDIR_MODE", "off"],
    ["CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"],
  ])("says that %s overrides what is stored", async (name, value) => {
    const set = { [name]: value };
    const stored = await memdir(["mode", "confirm"], set);
    expect(stored.out).toContain(`\`confirm\` is stored, but ${name}=${value} overrides`);
    expect(stored.out).not.toContain("turns it on again");
    expect((await memdir(["mode"], set)).out).toContain(`${name}=${value} overrides`);
    expect((await memdir(["mode"])).out).not.toContain("overrides");
    expect(await modes()).toMatchObject({ project: { mode: "confirm" } });
  });

  it("lets this project's word count before everywhere's, a new mode for all before old ones for single scopes", async () => {
    await memdir(["mode", "recall-only", "--everywhere"]);
    await memdir(["mode", "off", "--scope", "user"]);
    expect(await modes()).toMatchObject({
      project: { mode: "recall-only", reason: "set for everywhere" },
      user: { mode: "off", reason: "set for this project" },
    });
    await memdir(["mode", "confirm"]);
    expect(await modes()).toMatchObject({ project: { mode: "confirm" }, user: { mode: "confirm" } });
    expect((await memdir(["mode", "auto", "--everywhere"])).out).toContain("confirm");
  });

  it("is overruled by MEMDIR_MODE and by Claude Code's switches", async () => {
    await memdir(["mode", "auto"]);
    expect(await modes({ MEMDIR_MODE: "recall-only" })).toMatchObject({
      user: { mode: "recall-only", reason: "MEMDIR_MODE=recall-only" },
    });
    for (const value of ["1", "true"])
      expect(await modes({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: value })).toMatchObject({ project: { mode: "off" } });
    for (const value of ["0", "false", ""])
      expect(await modes({ CLAUDE_CODE_DISABLE_AUTO_MEMORY: value })).toMatchObject({ project: { mode: "auto" } });
  });

  it("is off inside an agent that memdir started, whatever MEMDIR_MODE says", async () => {
    const [project] = locate({
      cwd: `${root}/orders`,
      environment: { ...environment, MEMDIR_NESTED: "1", MEMDIR_MODE: "auto" },
    }).modes.values();
    expect(project).toMatchObject({ mode: "off", reason: expect.stringContaining("MEMDIR_NESTED") });
  });

  it.each([
    ["the settings of the project", "orders", { "settings.json": false }, "off"],
    ["its local settings", "orders", { "settings.local.json": false }, "off"],
    ["its local settings against its own", "orders", { "settings.json": true, "settings.local.json": false }, "off"],
    [
      "its own, where the local ones switch it on",
      "orders",
      { "settings.json": false, "settings.local.json": true },
      "auto",
    ],
    ["the settings of the directory that it is asked in", "orders/src", { "settings.json": false }, "off"],
    ["no settings", "orders", { "settings.json": true }, "auto"],
  ] as const)("is switched by autoMemoryEnabled in %s", async (_, directory, files, mode) => {
    fs.mkdirSync(`${root}/${directory}/.claude`, { recursive: true });
    fs.mkdirSync(`${root}/orders/src/deep`, { recursive: true });
    fs.mkdirSync(`${root}/orders/.git`);
    for (const [name, autoMemoryEnabled] of Object.entries(files))
      fs.writeFileSync(`${root}/${directory}/.claude/${name}`, JSON.stringify({ autoMemoryEnabled }));
    const inside = directory === "orders" ? "orders/src/deep" : directory;
    for (const cwd of [`${root}/${directory}`, `${root}/${inside}`]) {
      const locations = locate({ cwd, environment });
      expect(locations.mode).toBe(mode);
      const named = locations.modeReason?.includes(`${directory}/.claude/settings`) === true;
      expect(named).toBe(mode === "off");
      expect(locate({ cwd, environment, dir: `${root}/notes` }).mode).toBe(mode);
    }
  });

  it("is off in a worktree whose own settings say so, and where the person's do, whatever the project's say", async () => {
    const worktree = `${root}/elsewhere`;
    fs.mkdirSync(`${root}/orders/.git/worktrees/elsewhere`, { recursive: true });
    fs.writeFileSync(`${root}/orders/.git/worktrees/elsewhere/commondir`, "../..\n");
    fs.mkdirSync(`${worktree}/src`, { recursive: true });
    fs.mkdirSync(`${worktree}/.claude`);
    fs.writeFileSync(`${worktree}/.git`, `gitdir: ${root}/orders/.git/worktrees/elsewhere\n`);
    fs.writeFileSync(`${worktree}/.claude/settings.local.json`, JSON.stringify({ autoMemoryEnabled: false }));
    expect(locate({ cwd: `${worktree}/src`, environment }).mode).toBe("off");
    expect(locate({ cwd: `${root}/orders`, environment }).mode).toBe("auto");
    fs.mkdirSync(`${home()}/.claude`, { recursive: true });
    fs.writeFileSync(`${home()}/.claude/settings.json`, JSON.stringify({ autoMemoryEnabled: false }));
    fs.mkdirSync(`${root}/orders/.claude`);
    fs.writeFileSync(`${root}/orders/.claude/settings.json`, JSON.stringify({ autoMemoryEnabled: true }));
    expect(locate({ cwd: `${root}/orders`, environment })).toMatchObject({ mode: "off" });
  });

  it("never guesses at a mode that there is not", async () => {
    expect(await memdir(["mode", "sometimes"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("recall-only, off or default"),
    });
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
    await memdir(["checkpoint", "save", "--goal", "port the importer", "--next", "measure"]);
    await memdir(["mode", "recall-only"]);
    const before = filesBelow(`${home()}/.memdir/projects`);
    const checkpoints = filesBelow(`${home()}/.memdir/checkpoints`);
    expect(checkpoints.size).toBeGreaterThan(0);
    for (const argv of [
      ["remember", "x"],
      ["capture", await session(WISH)],
      ["edit", "port", "--name", "y"],
      ["pin", "port"],
      ["remove", "port"],
      ["forget", "port", "--yes"],
      ["undo"],
      ["review", "accept", "--all"],
      ["checkpoint", "save", "--goal", "x"],
      ["checkpoint", "branch", "port the importer", "another task"],
      ["checkpoint", "dismiss"],
      ["checkpoint", "remove", "port the importer"],
    ]) {
      expect(await memdir(argv), argv.join(" ")).toMatchObject({
        code: 4,
        err: expect.stringContaining("recall-only"),
      });
    }
    expect((await memdir(["recall", "which port has the postgres container"])).out).toContain("5433");
    expect(filesBelow(`${home()}/.memdir/projects`)).toEqual(before);
    expect(filesBelow(`${home()}/.memdir/checkpoints`)).toEqual(checkpoints);
  });

  it("a scope that is off is neither recalled nor written, and the others are", async () => {
    await memdir(["remember", "I am Jané and I write embedded Rust for turbines.", "--type", "user", "--name", "jane"]);
    await memdir(["remember", "Turbines of the test field report every minute.", "--name", "turbines"]);
    await memdir(["mode", "off", "--scope", "user"]);
    const listed = (await memdir(["list"])).out;
    expect([listed.includes("turbines"), listed.includes("jane")]).toEqual([true, false]);
    expect((await memdir(["recall", "embedded Rust for turbines"])).out).not.toContain("Jané");
    expect(await memdir(["remember", "I like tabs", "--type", "user"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("user scope is off"),
    });
    const memory = openMemory({ cwd: `${root}/orders`, environment });
    expect(JSON.stringify(memory.context())).not.toContain("jane");
    await expect(memory.remember({ body: "I like tabs", type: "user" })).rejects.toThrow(/user scope is off/u);
    expect((await memory.remember({ body: "Releases are on Tuesdays." })).outcome).toBe("created");
    memory.close();
  });

  it("off refuses what reads or writes, in a clear sentence", async () => {
    await memdir(["mode", "off"]);
    for (const argv of [
      ["list"],
      ["show", "x"],
      ["history"],
      ["verify"],
      ["remember", "x"],
      ["review"],
      ["capture", await session(WISH)],
    ]) {
      expect(await memdir(argv), argv.join(" ")).toMatchObject({
        code: 4,
        err: expect.stringContaining(
          "memory is off (set for this project), so nothing is read or written; `memdir mode` shows and changes it",
        ),
      });
    }
    expect(await memdir(["recall", "anything at all"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("Memory is off"),
    });
    expect((await memdir(["status"])).out).toContain("mode      off (set for this project)");
  });
});
