import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { person } from "../../support/person.ts";

const GUARD = ["--tool", "Bash", "--pattern", "scrub"];

describe("--json", () => {
  it("prints JSON alone where a command would ask, and asks nothing", async () => {
    const { memdir, cwd } = person();
    await memdir(["remember", "Never scrub the mill by hand.", "--name", "scrub", "--type", "feedback"]);
    await memdir(["guard", "set", "scrub", ...GUARD]);
    await memdir(["group", "add", "mills"]);
    fs.writeFileSync(`${cwd}/notes.md`, "---\nname: a\n---\n\nOf others.\n");
    fs.mkdirSync(`${cwd}/shared`);
    fs.renameSync(`${cwd}/notes.md`, `${cwd}/shared/notes.md`);
    await memdir(["team", "use", "shared"]);
    for (const argv of [
      ["guard", "enable", "scrub"],
      ["group", "remove", "mills"],
      ["forget", "scrub"],
      ["team", "trust"],
      ["project", "merge", "../elsewhere"],
    ]) {
      const asked: string[] = [];
      const { code, out } = await memdir([...argv, "--json"], { answer: true, asked });
      expect(JSON.parse(out), argv.join(" ")).toHaveProperty("error");
      expect([code, asked], argv.join(" ")).toEqual([expect.any(Number), []]);
      expect(code).toBeGreaterThan(0);
    }
  });

  it.each([
    [["search", "--drop-index"], { index: { dropped: false } }],
    [["search", "--index"], { index: { files: 0, bytes: 0 } }],
    [["sync", "now", "--pending"], { done: true }],
  ])("prints something also where there is nothing to show: %j", async (argv, wanted) => {
    expect(await person().json(argv)).toEqual(wanted);
  });

  it("says redone of a redo", async () => {
    const { memdir, json } = person();
    await memdir(["remember", "The mill grinds rye."]);
    expect(await json(["undo"])).toMatchObject({ outcome: "undone" });
    expect(await json(["redo"])).toMatchObject({ outcome: "redone" });
  });

  it("is no option of the server for agents, and its help does not name it", async () => {
    const { memdir } = person();
    expect((await memdir(["mcp", "--help"])).out).not.toMatch(/^ +--json/mu);
    expect((await memdir(["web", "--help"])).out).toMatch(/^ +--json/mu);
    expect((await memdir(["completion", "bash"])).out).toContain("--profile");
  });
});

describe("a list of all notes", () => {
  it("says which note took the place of a superseded one", async () => {
    const { memdir } = person();
    await memdir(["remember", "The mill grinds on port 9090", "--name", "old"]);
    await memdir(["remember", "The silo is painted green", "--name", "new"]);
    await memdir(["supersede", "old", "new"]);
    const { out } = await memdir(["list", "--all"]);
    expect(out).toMatch(/project_old\.md.*\(superseded by project_new\.md\) /u);
    expect(out).not.toMatch(/project_new\.md.*superseded by/u);
    expect((await memdir(["list"])).out).not.toContain("superseded");
  });
});

describe("a guard tried on transcripts that are not there", () => {
  it("is an error, and no session at all is none", async () => {
    const { memdir, cwd } = person();
    await memdir(["remember", "Never scrub the mill by hand.", "--name", "scrub", "--type", "feedback"]);
    await memdir(["guard", "set", "scrub", ...GUARD]);
    expect(await memdir(["guard", "try", "scrub", "--transcripts", "/nonexist"])).toMatchObject({
      code: 3,
      err: "memdir: there is no /nonexist\n",
    });
    expect(await memdir(["guard", "try", "scrub"])).toMatchObject({ code: 0, err: "" });
    fs.mkdirSync(`${cwd}/empty`);
    expect(await memdir(["guard", "try", "scrub", "--transcripts", "empty"])).toMatchObject({ code: 0, err: "" });
  });
});
