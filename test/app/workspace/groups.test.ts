import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import {
  changeGroup,
  listGroups,
  revokeTeam,
  teamPlace,
  trustTeam,
  useTeamDirectory,
} from "../../../src/app/workspace/groups.ts";
import { type Locations, locate } from "../../../src/app/workspace/locations.ts";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";

let root: string;

beforeEach(() => {
  root = scratch();
  for (const name of ["a", "b", "c"]) fs.mkdirSync(`${root}/${name}/.git`, { recursive: true });
});

const at = (name: string): string => `${root}/${name}`;
const here = (name = "a"): Locations => locate({ cwd: at(name), environment: emptyHome(root) });
const groups = (): unknown =>
  listGroups(here()).map(({ name, projects }) => [name, projects.map((one) => one.slice(-1))]);
const NOW = "2026-03-02T09:00:00.000Z";

describe("groups of projects", () => {
  it("take the present project or those that are named, each once, in order", () => {
    changeGroup(here(), "add", "shops", []);
    changeGroup(here(), "add", "shops", [at("c"), at("b"), at("a")]);
    changeGroup(here("c"), "add", "shops", []);
    expect(groups()).toEqual([["shops", ["a", "b", "c"]]]);
    fs.mkdirSync(`${at("d")}/.git`, { recursive: true });
    fs.mkdirSync(`${at("d")}/src`);
    changeGroup(here(), "add", "apps", [`${at("d")}/src`]);
    expect(groups()).toEqual([
      ["apps", ["d"]],
      ["shops", ["a", "b", "c"]],
    ]);
    const [, shops] = listGroups(here());
    fs.mkdirSync(shops?.directory ?? "", { recursive: true });
    fs.writeFileSync(`${shops?.directory}/x.md`, noteText("x", "d", "b"));
    expect(listGroups(here()).map(({ notes }) => notes)).toEqual([0, 1]);
  });

  it("let go whom they are told to, all where nobody is named, and are gone with the last", () => {
    changeGroup(here(), "add", "shops", [at("a"), at("b"), at("c")]);
    changeGroup(here(), "remove", "shops", [at("b")]);
    expect(groups()).toEqual([["shops", ["a", "c"]]]);
    // A project that is gone can still leave.
    fs.rmSync(at("c"), { recursive: true });
    changeGroup(here(), "remove", "shops", [at("c")]);
    expect(groups()).toEqual([["shops", ["a"]]]);
    changeGroup(here(), "remove", "shops", [at("a")]);
    expect(groups()).toEqual([]);
    changeGroup(here(), "add", "shops", [at("a"), at("b")]);
    changeGroup(here(), "remove", "shops", []);
    expect(groups()).toEqual([]);
  });

  it("refuse what is not there, what is elsewhere, and a name that is none", () => {
    changeGroup(here(), "add", "shops", [at("a")]);
    const refusal = (...given: [what: "add" | "remove", name: string, ...directories: string[]]): (() => void) => {
      const [what, name, ...directories] = given;
      return () => changeGroup(here(), what, name, directories);
    };
    expect(refusal("remove", "none")).toThrow("there is no group none");
    expect(refusal("remove", "shops", at("b"))).toThrow(`${at("b")} is not in the group shops`);
    expect(refusal("add", "shops", at("x"))).toThrow(`${at("x")} is not a directory`);
    expect(refusal("add", "apps", at("a"))).toThrow(`${at("a")} is in the group shops; take it out first`);
    expect(refusal("add", "a/b")).toThrow(/cannot be the name of a group/u);
    const given = locate({ cwd: at("a"), environment: emptyHome(root), dir: `${root}/notes` });
    expect(() => changeGroup(given, "add", "apps", [])).toThrow("no meaning with --dir");
    expect(groups()).toEqual([["shops", ["a"]]]);
  });
});

describe("the team's notes", () => {
  const note = (directory: string, name: string): void => {
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(`${directory}/${name}`, noteText("x", `about ${name}`, "b"));
  };

  it("are trusted at once where the directory was empty, and else once somebody says so", () => {
    expect(teamPlace(here())).toMatchObject({ inRepository: false, trusted: true, notes: [] });
    useTeamDirectory(here(), "team", NOW);
    expect(teamPlace(here())).toMatchObject({ directory: `${at("a")}/team`, inRepository: true, trusted: true });
    for (const name of ["b.md", "a.MD", "MEMORY.md", "c.txt", "d.md.bak"]) note(`${at("b")}/notes`, name);
    useTeamDirectory(here("b"), "notes", NOW);
    expect(teamPlace(here("b"))).toMatchObject({ trusted: false, directory: `${at("b")}/notes` });
    expect(teamPlace(here("b")).notes).toEqual([
      { file: "a.MD", description: "about a.MD" },
      { file: "b.md", description: "about b.md" },
    ]);
    expect(revokeTeam(here("b"))).toBe(false);
    trustTeam(here("b"), NOW);
    expect(teamPlace(here("b")).trusted).toBe(true);
    expect([revokeTeam(here("b")), teamPlace(here("b")).trusted, revokeTeam(here("c"))]).toEqual([true, false, false]);
    useTeamDirectory(here("b"), undefined, NOW);
    expect(teamPlace(here("b"))).toMatchObject({ inRepository: false, trusted: true });
  });

  it("may lie beside the project, and never in its root or in the place of a file", () => {
    useTeamDirectory(here(), "../c/shared", NOW);
    expect(teamPlace(here()).directory).toBe(`${at("c")}/shared`);
    fs.writeFileSync(`${at("a")}/file`, "");
    for (const [given, why] of [
      [".", "the root of the project cannot hold the notes"],
      ["file", "is a file; a directory of notes is needed"],
    ] as const)
      expect(() => useTeamDirectory(here(), given, NOW)).toThrow(why);
    const dir = locate({ cwd: at("a"), environment: emptyHome(root), dir: `${root}/notes` });
    expect(() => useTeamDirectory(dir, "team", NOW)).toThrow("no meaning with --dir");
    expect(revokeTeam(dir)).toBe(false);
  });
});

describe("memdir mode", () => {
  const mode = (...argv: readonly string[]): Promise<CliResult> =>
    cli(["mode", ...argv], { cwd: at("a"), environment: emptyHome(root) });

  it("says what it needs where words are missing or say the opposite", async () => {
    expect(await mode("manual", "--project", "--everywhere")).toMatchObject({
      code: 2,
      err: expect.stringContaining("not both"),
    });
    for (const argv of [["--scope", "user"], ["--project"], ["--everywhere"]])
      expect(await mode(...argv), argv.join()).toMatchObject({
        code: 2,
        err: expect.stringContaining("needs a value"),
      });
    expect(await mode("manual", "--project")).toMatchObject({ code: 0 });
    expect(await mode("confirm", "--everywhere")).toMatchObject({ code: 0 });
    expect(await mode("--capture-to", "log", "--everywhere")).toMatchObject({
      code: 0,
      out: expect.stringContaining("daily log"),
    });
  });

  it("shows each scope with what it does and why, and the projects that stay as they are", async () => {
    expect((await mode()).out).toMatch(/every scope\s+auto\s+recalled; captured automatically \(the default\)/u);
    await cli(["mode", "off"], { cwd: at("b"), environment: emptyHome(root) });
    await mode("recall-only", "--scope", "user");
    const { out } = await mode("confirm", "--everywhere");
    expect(out).toMatch(/user\s+recall-only\s+recalled; never written \(set for this project\)/u);
    expect(out).toMatch(/project\s+confirm\s+recalled; captured notes wait/u);
    expect(out).toContain(`1 other project has a mode of its own, which stays: ${at("b")}`);
    expect((await mode()).out).not.toContain("other project");
    expect(JSON.parse((await mode("--json")).out)).toMatchObject({
      modes: { user: { mode: "recall-only" }, project: { mode: "confirm", reason: "set for everywhere" } },
      captureTo: "notes",
      project: at("a"),
      projectsWithTheirOwn: [at("b")],
    });
    expect((await cli(["status"], { cwd: at("a"), environment: emptyHome(root) })).out).toContain(
      "user: recall-only (set for this project)",
    );
  });

  it("says where what is captured goes, for one project or everywhere", async () => {
    const target = async (name: string): Promise<unknown> =>
      JSON.parse((await cli(["mode", "--json"], { cwd: at(name), environment: emptyHome(root) })).out).captureTo;
    await mode("--capture-to", "log");
    expect([await target("a"), await target("b")]).toEqual(["log", "notes"]);
    await mode("--capture-to", "log", "--everywhere");
    await mode("--capture-to", "notes");
    expect([await target("a"), await target("b")]).toEqual(["notes", "log"]);
  });

  it("is of the directory of notes that is given, and told in one line where all scopes agree", async () => {
    fs.mkdirSync(`${root}/notes`);
    const given = await mode("manual", "--dir", `${root}/notes`, "--json");
    expect(JSON.parse(given.out)).toMatchObject({
      project: `${root}/notes`,
      modes: { project: { mode: "manual", reason: "set for this project" } },
    });
    expect((await cli(["status"], { cwd: at("a"), environment: emptyHome(root) })).out).toMatch(/mode +auto\n/u);
  });
});
