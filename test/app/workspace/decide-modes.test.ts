import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { type Mode } from "../../../src/app/workspace/modes.ts";
import { changeMode, decideModes, parseMode, readModeSettings } from "../../../src/app/workspace/decide-modes.ts";
import {
  checkName,
  groupOf,
  isName,
  readScopeSettings,
  teamDirectory,
} from "../../../src/app/workspace/scope-settings.ts";
import { writeGroups, writeTeam } from "../../../src/app/workspace/scope-settings.ts";
import { SCOPES, type Scope } from "../../../src/core/notes/note.ts";
import { planter } from "../../support/planted.ts";
import { scratch } from "../../support/scratch.ts";

let home: string;
beforeEach(() => {
  home = scratch();
});

const write = (settings: unknown): void => fs.writeFileSync(`${home}/settings.json`, JSON.stringify(settings));
const settings = (): unknown => JSON.parse(fs.readFileSync(`${home}/settings.json`, "utf8"));

interface Asked {
  readonly environment?: Readonly<Record<string, string>>;
  readonly offInClaude?: string;
  readonly projects?: readonly string[];
  readonly scope?: Scope;
}

function decided({ environment = {}, offInClaude, projects = ["/a"], scope = "project" }: Asked): string {
  const choice = decideModes({ environment, offInClaude, memdirHome: home, projects }).get(scope);
  return `${choice?.mode}${choice?.reason === undefined ? "" : ` (${choice.reason})`}`;
}

describe("the mode of a scope", () => {
  const OFF = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";

  it.each([
    [{}, "auto"],
    [{ environment: { MEMDIR_MODE: "" } }, "auto"],
    [{ environment: { MEMDIR_MODE: "manual" } }, "manual (MEMDIR_MODE=manual)"],
    [{ environment: { MEMDIR_MODE: "manual", [OFF]: "1" } }, "manual (MEMDIR_MODE=manual)"],
    [{ environment: { MEMDIR_MODE: "manual" }, offInClaude: "/s.json" }, "manual (MEMDIR_MODE=manual)"],
    [{ environment: { [OFF]: "1" } }, `off (${OFF}=1)`],
    [{ environment: { [OFF]: "true" } }, `off (${OFF}=true)`],
    [{ environment: { [OFF]: "0" } }, "auto"],
    [{ environment: { [OFF]: "yes" } }, "auto"],
    [{ offInClaude: "/s.json" }, "off (autoMemoryEnabled is false in /s.json)"],
    [{ environment: { MEMDIR_NESTED: "0" } }, "auto"],
    [
      { environment: { MEMDIR_NESTED: "1", MEMDIR_MODE: "auto" } },
      "off (MEMDIR_NESTED=1: this runs inside an agent that memdir started)",
    ],
  ])("%j: %s", (asked, expected) => {
    for (const scope of SCOPES) expect(decided({ ...asked, scope })).toBe(expected);
  });

  it.each([
    [["/a"], "project", "manual (set for this project)"],
    [["/a"], "user", "confirm (set for this project)"],
    [["/b"], "user", "off (set for everywhere)"],
    [["/b"], "project", "recall-only (set for everywhere)"],
    [["/new", "/a", "/c"], "user", "confirm (set for this project)"],
    [["/c", "/a"], "user", "auto (set for this project)"],
    [[], "user", "off (set for everywhere)"],
  ] as const)("of %j, %s: %s", (projects, scope, expected) => {
    write({
      modes: {
        everywhere: { all: "recall-only", user: "off" },
        projects: { "/a": { all: "manual", user: "confirm" }, "/c": { all: "auto" } },
      },
    });
    expect(decided({ projects, scope })).toBe(expected);
  });

  it("is not looked for in the settings where something stronger decides", () => {
    write({ modes: { everywhere: { all: "of" } } });
    expect(decided({ environment: { MEMDIR_MODE: "manual" } })).toContain("manual");
    expect(() => decided({})).toThrow(
      /the mode of all in .*settings\.json is "of"; use auto, confirm, manual, recall-only or off/u,
    );
  });

  it.each([
    [{ everywhere: { somewhere: "off" } }, /"somewhere" under "modes" in .* is not a scope; use all, /u],
    [{ projects: { "/a": { all: "auto", hers: "off" } } }, /"hers" under "modes"/u],
    [{ projects: { "/a": { user: true } } }, /the mode of user in .* is "true"/u],
  ])("in settings %j: %s", (modes, refusal) => {
    write({ modes });
    expect(() => readModeSettings(home)).toThrow(refusal);
  });

  it("may be set for any scope", () => {
    write({ modes: { everywhere: { team: "off" } } });
    expect(readModeSettings(home).everywhere).toEqual({ team: "off" });
  });

  it("is one of five words", () => {
    expect(parseMode("off", "x")).toBe("off");
    expect(() => parseMode("Off", "MEMDIR_MODE")).toThrow(
      'MEMDIR_MODE is "Off"; use auto, confirm, manual, recall-only or off',
    );
  });
});

describe("a change of modes", () => {
  const change = (
    mode: Mode | "default",
    scope?: Scope,
    project?: string,
    formerly: readonly string[] = [],
  ): unknown => {
    const kept = changeMode(home, { mode, scope, project, formerly });
    expect(readModeSettings(home)).toEqual(kept);
    return kept;
  };

  it("keeps what is set for other scopes and projects, and whatever else the file holds", () => {
    write({ own: 1 });
    expect(change("off", "user")).toEqual({ everywhere: { user: "off" }, projects: {} });
    expect(change("manual", "team")).toEqual({ everywhere: { user: "off", team: "manual" }, projects: {} });
    expect(change("confirm", "user", "/a")).toMatchObject({ projects: { "/a": { user: "confirm" } } });
    expect(change("auto", undefined, "/b")).toEqual({
      everywhere: { user: "off", team: "manual" },
      projects: { "/a": { user: "confirm" }, "/b": { all: "auto" } },
    });
    expect(change("auto", undefined)).toMatchObject({ everywhere: { all: "auto" }, projects: { "/a": {} } });
    expect(settings()).toMatchObject({ own: 1 });
  });

  it("takes a setting back: of one scope, of all, and the project with its last", () => {
    write({ own: 1, modes: { everywhere: { user: "off", team: "off" }, projects: { "/a": { user: "off" } } } });
    expect(change("default", "user")).toEqual({ everywhere: { team: "off" }, projects: { "/a": { user: "off" } } });
    expect(change("default", "user", "/a")).toEqual({ everywhere: { team: "off" }, projects: {} });
    expect(settings()).toHaveProperty("modes");
    expect(change("default", undefined)).toEqual({ everywhere: {}, projects: {} });
    expect(settings()).toEqual({ own: 1 });
  });

  it("keeps the modes of a project where only those for everywhere are taken back", () => {
    write({ modes: { everywhere: { all: "off" }, projects: { "/a": { user: "off" } } } });
    change("default", undefined);
    expect(settings()).toEqual({ modes: { everywhere: {}, projects: { "/a": { user: "off" } } } });
  });

  it("goes on from what a project had under a former name, and leaves nothing there", () => {
    write({ modes: { projects: { "/old": { user: "off" }, "/older": { team: "off" }, "/b": { all: "auto" } } } });
    expect(change("manual", "team", "/new", ["/old", "/older"])).toEqual({
      everywhere: {},
      projects: { "/b": { all: "auto" }, "/new": { user: "off", team: "manual" } },
    });
    expect(change("default", "user", "/new", ["/b"])).toEqual({
      everywhere: {},
      projects: { "/new": { team: "manual" } },
    });
  });
});

describe("settings of groups and teams", () => {
  it("are read as they were written, and what is of another kind is passed over", () => {
    writeGroups(home, [{ name: "shops", projects: ["/a", "/b"] }]);
    writeTeam(home, "/a", "notes");
    writeTeam(home, "/b", "/abs");
    expect(readScopeSettings(home)).toEqual({
      groups: [{ name: "shops", projects: ["/a", "/b"] }],
      teamEverywhere: undefined,
      teamOf: { "/a": "notes", "/b": "/abs" },
    });
    write({ groups: { x: "no list" }, team: { directory: "  ", projects: { "/a": 5, "/b": "", "/c": "d" } } });
    expect(readScopeSettings(home)).toEqual({
      groups: [{ name: "x", projects: [] }],
      teamEverywhere: undefined,
      teamOf: { "/c": "d" },
    });
  });

  it("are gone from the file with the last of them, and keep the others", () => {
    write({ own: 1, team: { directory: "team" } });
    writeTeam(home, "/a", "x");
    writeTeam(home, "/b", "y");
    writeTeam(home, "/a", "z");
    expect(settings()).toEqual({ own: 1, team: { directory: "team", projects: { "/a": "z", "/b": "y" } } });
    for (const root of ["/a", "/b"]) writeTeam(home, root, undefined);
    expect(settings()).toEqual({ own: 1, team: { directory: "team" } });
    write({ own: 1, team: { projects: { "/a": "x" } } });
    writeTeam(home, "/a", undefined);
    expect(settings()).toEqual({ own: 1 });
    writeGroups(home, [{ name: "g", projects: ["/a"] }]);
    writeGroups(home, []);
    expect(settings()).toEqual({ own: 1 });
  });

  it("find the group of a project by its root, else by one that it had before", () => {
    const all = {
      groups: [
        { name: "one", projects: ["/a"] },
        { name: "two", projects: ["/b"] },
      ],
      teamEverywhere: undefined,
      teamOf: {},
    };
    expect([groupOf(all, "/b", "/a"), groupOf(all, "/x", "/a"), groupOf(all, "/x")].map((one) => one?.name)).toEqual([
      "two",
      "one",
      undefined,
    ]);
  });

  it("find the team's directory: the project's, one that it had before, that of all, none", () => {
    const given = { groups: [], teamEverywhere: "all", teamOf: { "/old": "was", "/a": "own", "/abs": "/elsewhere" } };
    expect(teamDirectory(given, "/a", ["/a", "/old"])).toBe("/a/own");
    expect(teamDirectory(given, "/new", ["/new", "/old"])).toBe("/new/was");
    expect(teamDirectory(given, "/abs")).toBe("/elsewhere");
    expect(teamDirectory(given, "/new")).toBe("/new/all");
    expect(teamDirectory({ ...given, teamEverywhere: undefined }, "/new")).toBeUndefined();
  });

  it("take a name only that can be a directory and holds no token", () => {
    for (const name of ["a", "Größe-2_x.y", "1", "x".repeat(64)]) expect(checkName(name, "the name")).toBe(name);
    for (const name of ["", ".a", "-a", "a/b", "a b", "x".repeat(65), "a\n"]) {
      expect(isName(name), name).toBe(false);
      expect(() => checkName(name, "the name of a group")).toThrow(/cannot be the name of a group: use letters/u);
    }
    expect(() => checkName(planter(7).plant("token"), "it")).toThrow(/it looks like a secret; nothing was written/u);
  });
});
