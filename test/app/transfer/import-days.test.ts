import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckpoints } from "../../../src/app/checkpoints/checkpoints.ts";
import { importDays } from "../../../src/app/transfer/import-days.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

const FDS = "/proc/self/fd";
let workspace: OpenWorkspace;
beforeEach(() => {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }));
});
afterEach(() => workspace.close());

const rows = (table: string, ...all: readonly object[]) => ({
  path: table,
  text: all.map((row) => `${JSON.stringify(row)}\n`).join(""),
});

describe("states of tasks of db0", () => {
  const STATES = rows(
    "db0_state",
    {
      id: "s1",
      session_id: "of-the-day",
      label: "half way",
      metadata: '{"goal": "Ship it", "next": "Ask Ann", "x": 1}',
    },
    { id: "s2", session_id: "of-the-night", label: "", metadata: '{"next": ["one", "two"]}' },
    { id: "s3" },
  );
  const NAMES = ["half way", "of-the-night", "db0:s3"];

  it("are checkpoints called as they were, or as their session, or as their id, once", async () => {
    expect((await importDays(workspace, "db0", [STATES], false)).checkpoints).toEqual(NAMES);
    expect(openCheckpoints(workspace).list()).toEqual([]);
    expect((await importDays(workspace, "db0", [STATES], true)).checkpoints).toEqual(NAMES);
    const taken = openCheckpoints(workspace).list();
    expect(taken.map(({ name, by }) => [name, by]).toSorted()).toEqual([
      ["db0:s3", "db0:s3"],
      ["half way", "db0:s1"],
      ["of-the-night", "db0:s2"],
    ]);
    expect((await importDays(workspace, "db0", [STATES], true)).checkpoints).toEqual([]);
    expect((await importDays(workspace, "openclaw", [STATES], true)).checkpoints).toEqual([]);
  });

  it("keep what they say under goal, next and notes", async () => {
    await importDays(workspace, "db0", [STATES], true);
    const shown = openCheckpoints(workspace)
      .list()
      .toSorted((a, b) => a.by.localeCompare(b.by))
      .map(({ sections }) => sections);
    expect(shown).toEqual([
      { goal: "Ship it", next: "Ask Ann", notes: "- x: 1" },
      { goal: "of-the-night", next: "- one\n- two" },
      { goal: "db0:s3" },
    ]);
  });
});

describe("entries of days", () => {
  const said = async (kind: "db0" | "openclaw", ...files: readonly { path: string; text: string }[]) =>
    importDays(workspace, kind, files, true);

  it("come once, and what is a secret stays out and is named", async () => {
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    const log = rows(
      "db0_log",
      { id: "1", event: "deploy", data: '"done"', created_at: "2026-02-01T10:00:00Z" },
      { id: "2", event: "note", data: `"the token is ${secret}"`, created_at: "2026-02-02T10:00:00Z" },
      { id: "3", event: "", data: "", created_at: "2026-02-03T10:00:00Z" },
      { id: "4", event: "never", data: "", created_at: "no day" },
    );
    const first = await said("db0", log);
    expect(first.days).toHaveLength(1);
    expect(first.skipped.map(({ path }) => path)).toEqual(["db0_log"]);
    expect((await said("db0", log)).days).toEqual([]);
  });

  it.skipIf(!fs.existsSync(FDS))("leave no more files open the more often they come", async () => {
    const open = (): number =>
      fs.readdirSync(FDS).filter((fd) => {
        const link = `${FDS}/${fd}`;
        return fs.existsSync(link) && fs.readlinkSync(link).includes("/daily-log/");
      }).length;
    const day = (n: number) =>
      said("db0", rows("db0_log", { id: n, event: "deploy", data: "", created_at: `2026-02-0${n}T10:00:00Z` }));
    await day(1);
    const first = open();
    for (const n of [2, 3, 4]) expect((await day(n)).days).toHaveLength(1);
    expect(open()).toBeLessThanOrEqual(first);
  });
});
