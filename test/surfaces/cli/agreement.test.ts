import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { person } from "../../support/person.ts";

describe("exit codes", () => {
  it("say that a file is no transcript, not that the command line is wrong", async () => {
    const { memdir, json, cwd } = person();
    fs.writeFileSync(`${cwd}/bad.jsonl`, "no transcript\n");
    for (const argv of [
      ["capture", "bad.jsonl"],
      ["demo", "bad.jsonl"],
      ["session", "update", "bad.jsonl"],
    ]) {
      const given = argv.map((word) => (word === "bad.jsonl" ? `${cwd}/${word}` : word));
      expect((await memdir(given)).code, argv.join(" ")).toBe(1);
      expect(await json(given), argv.join(" ")).toHaveProperty("error.code", "corrupt");
    }
  });

  it("say of a setup of sync what is wrong with the words before anything is asked", async () => {
    const { memdir } = person();
    for (const [more, told] of [
      [["--scope", "barn"], "barn"],
      [["--scope", "user", "--space", "../x"], "cannot name a branch"],
    ] as const) {
      const asked: string[] = [];
      const options = { asked, answer: true };
      const result = await memdir(["sync", "setup", "git@git.invalid:me/notes.git", ...more], options);
      expect(result, told).toMatchObject({ code: 2, err: expect.stringContaining(told) });
      expect(asked).toEqual([]);
    }
  });
});

describe("options that exclude each other", () => {
  it.each([
    [["search", "grain", "--index", "--no-index"], "give only one of"],
    [["search", "--index", "--drop-index"], "give only one of"],
    [["search", "grain", "--drop-index"], "searches nothing"],
  ])("%j", async (argv, told) => {
    expect(await person().memdir(argv)).toMatchObject({ code: 2, err: expect.stringContaining(told) });
  });
});

describe("--yes", () => {
  it("is taken by every action of a command that asks somewhere", async () => {
    const { memdir, cwd } = person();
    for (const argv of [
      ["group", "add", "mills"],
      ["team", "use", "shared"],
      ["team"],
      ["project", "list"],
      ["guard", "list"],
      ["instructions", "list"],
      ["skill", "list"],
      ["sync", "status"],
      ["export", `${cwd}/out.tar.gz`],
    ])
      expect((await memdir([...argv, "--yes"])).code, argv.join(" ")).toBe(0);
    expect(await memdir(["sync", "off", "--yes"])).toMatchObject({ code: 3 });
  });

  it("changes nothing beside --dry-run, which says so", async () => {
    const { memdir, json, cwd } = person();
    fs.mkdirSync(`${cwd}/old`);
    fs.writeFileSync(`${cwd}/old/barn.md`, "---\nname: barn\ntype: project\n---\n\nThe barn holds nine cows.\n");
    const { out } = await memdir(["import", "claude-code", `${cwd}/old`, "--dry-run", "--yes"]);
    expect(out).toContain("nothing was imported: --dry-run");
    expect((await json(["list"])).notes).toEqual([]);
  });
});

describe("status and doctor", () => {
  it("count the same notes: those in force, and beside them the superseded ones", async () => {
    const { memdir } = person();
    for (const [name, text] of [
      ["old", "The mill grinds on port 9090"],
      ["new", "The silo is painted green"],
      ["barn", "The barn holds nine cows"],
    ] as const)
      await memdir(["remember", text, "--name", name]);
    await memdir(["supersede", "old", "new"]);
    expect((await memdir(["status"])).out).toContain("2 notes and 1 superseded, 0 pinned");
    expect((await memdir(["doctor"])).out.replaceAll(/\s+/gu, " ")).toContain(
      "project: notes: 2 notes and 1 superseded in",
    );
  });
});

describe("an action that a command does not have", () => {
  it.each([
    "group",
    "guard",
    "conflicts",
    "dream",
    "sync",
    "team",
    "skill",
    "instructions",
    "checkpoint",
    "review",
    "session",
    "project",
  ])("is answered by %s with those that it has", async (command) => {
    const { code, err } = await person().memdir([command, "frobnicate"]);
    expect([code, err]).toEqual([2, expect.stringMatching(/unknown action "frobnicate"; use one of [a-z-]+, /u)]);
  });
});

describe("what was probably meant", () => {
  it.each([
    [["list", "--scope", "agent"], "--agent-type"],
    [["list", "--scope", "group"], "memdir group add"],
    [["remember", "The mill grinds rye", "--scope", "group"], "memdir group add"],
    [["remember", "The mill grinds rye", "--scope", "agent"], "--agent-type"],
    [["remember", "The mill grinds rye", "--replaces", "x", "--beside"], "--replaces or --beside, not both"],
  ])("%j is told of %s", async (argv, told) => {
    expect(await person().memdir(argv)).toMatchObject({ code: 2, err: expect.stringContaining(told) });
  });

  it("a guard without a tool is told its options, an export its missing directory", async () => {
    const { memdir } = person();
    await memdir(["remember", "Never scrub the mill by hand.", "--name", "scrub", "--type", "feedback"]);
    expect(await memdir(["guard", "set", "scrub"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--tool TOOL and --pattern REGEX"),
    });
    expect(await memdir(["export", "/no/dir/y.tgz"])).toMatchObject({
      code: 3,
      err: "memdir: /no/dir/y.tgz cannot be written: there is no directory /no/dir\n",
    });
  });

  it("a second note of one name is named", async () => {
    const { memdir } = person();
    await memdir(["remember", "The mill grinds on port 9090", "--name", "mill"]);
    await memdir(["remember", "The silo is painted green", "--name", "silo"]);
    expect(await memdir(["edit", "silo", "--name", "mill"])).toMatchObject({
      code: 0,
      err: expect.stringContaining('project_mill.md has the name "mill" too'),
    });
    expect((await memdir(["edit", "project_silo", "--name", "silo"])).err).toBe("");
  });
});
