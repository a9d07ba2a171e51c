import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { stateName } from "../../../src/app/workspace/locations.ts";
import { slugOf } from "../../../src/core/notes/names.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const FIXTURE = path.join(import.meta.dirname, "..", "..", "fixtures", "layout-1");

/** A home as the first layout of memdir left it, with its paths made those of this machine. */
function home() {
  const root = scratch();
  const cwd = `${root}/shop`;
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const memdirHome = `${homeOf(root)}/.memdir`;
  const notes = { project: `${memdirHome}/projects/${slugOf(cwd)}/memory`, user: `${memdirHome}/user/memory` };
  const stateOf = (directory: string): string => `${memdirHome}/stores/${stateName(directory)}`;
  for (const scope of ["project", "user"] as const) {
    fs.cpSync(`${FIXTURE}/notes/${scope}`, notes[scope], { recursive: true });
    fs.cpSync(`${FIXTURE}/state/${scope}`, stateOf(notes[scope]), { recursive: true });
  }
  fs.cpSync(`${FIXTURE}/checkpoints`, `${memdirHome}/checkpoints/${slugOf(cwd)}`, { recursive: true });
  const withRoot = (from: string, to: string): void =>
    fs.writeFileSync(to, fs.readFileSync(`${FIXTURE}/${from}`, "utf8").replaceAll("ROOT", cwd));
  withRoot("settings.json", `${memdirHome}/settings.json`);
  withRoot("state/project/recalls.jsonl", `${stateOf(notes.project)}/recalls.jsonl`);
  const memdir = (argv: readonly string[]) => cli(argv, { environment: emptyHome(root), cwd });
  const json = async (argv: readonly string[]) => JSON.parse((await memdir([...argv, "--json"])).out);
  return { root, memdirHome, state: stateOf(notes.project), memdir, json };
}

describe("what the first layout left", () => {
  it("opens without loss: notes, history, modes, checkpoints, logs, recalls", async () => {
    const { memdir, json, memdirHome } = home();
    const before = filesBelow(memdirHome);
    const files = (await json(["list"])).notes.map(({ file }: { file: string }) => file).toSorted();
    expect(files).toEqual([
      "feedback_no_mocks.md",
      "project_later.md",
      "project_port.md",
      "project_waiting.md",
      "user_role.md",
    ]);
    const { versions } = await json(["history"]);
    expect(versions.map(({ ref }: { ref: string }) => ref).filter((ref: string) => !ref.includes(":"))).toEqual([
      "8",
      "7",
      "6",
      "5",
      "4",
      "3",
      "2",
      "1",
    ]);
    expect((await json(["show", "port", "--version", "1"])).body).toContain("8080");
    expect((await json(["show", "port"])).body).toContain("9090");
    const { modes } = await json(["mode"]);
    expect([modes.project.mode, modes.user.mode]).toEqual(["confirm", "recall-only"]);
    expect(await json(["checkpoint", "list"])).toMatchObject([{ name: "importer" }]);
    expect((await memdir(["log", "--date", "2026-11-22"])).out).toContain("The vendor moves the API in spring");
    expect((await memdir(["doctor"])).out).not.toContain("✗ project");
    const notes = (all: ReadonlyMap<string, Buffer>) =>
      [...all].filter(([file]) => file.endsWith(".md") && !file.startsWith("stores/"));
    expect(notes(filesBelow(memdirHome))).toEqual(notes(before));
  });

  it("is written to without loss: old and new versions stand in one history, and undo reaches back", async () => {
    const { memdir, json } = home();
    expect((await memdir(["edit", "later", "--body", "Deploys go out on Fridays"])).code).toBe(0);
    expect((await memdir(["restore", "gone"])).code).toBe(0);
    expect((await json(["show", "gone"])).body).toContain("zebra");
    expect((await memdir(["undo", "later"])).code).toBe(0);
    expect((await json(["show", "later"])).body).toContain("Tuesdays");
    expect((await memdir(["undo", "2"])).code).toBe(0);
    expect((await json(["show", "port"])).body).toContain("8080");
    expect((await memdir(["forget", "waiting", "--yes"])).code).toBe(0);
    expect((await json(["history"])).versions.length).toBeGreaterThanOrEqual(10);
    expect((await memdir(["doctor"])).out).toContain("✓ project: history: sound");
  });

  it("gets its number with the first write; a higher one is refused by every command, and nothing is touched", async () => {
    const { memdir, state, memdirHome } = home();
    await memdir(["remember", "--name", "cache", "The cache is emptied at night"]);
    expect(fs.readFileSync(`${state}/layout`, "utf8")).toBe("1\n");
    fs.writeFileSync(`${state}/layout`, "2\n");
    const before = filesBelow(memdirHome);
    for (const argv of [["list"], ["recall", "which port?"], ["remember", "Another one"], ["history"], ["undo"]])
      expect(await memdir(argv)).toMatchObject({
        code: 6,
        err: expect.stringContaining("a newer memdir wrote it; update"),
      });
    expect(filesBelow(memdirHome)).toEqual(before);
  });
});
