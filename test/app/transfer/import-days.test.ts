import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCheckpoints } from "../../../src/app/checkpoints/checkpoints.ts";
import { importDays, isDayFile } from "../../../src/app/transfer/import-days.ts";
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

  it("that are called the same are as many checkpoints", async () => {
    const twice = rows("db0_state", { id: "s1", label: "half way" }, { id: "s2", label: "half way" });
    expect((await importDays(workspace, "db0", [twice], true)).checkpoints).toEqual(["half way", "half way"]);
    const taken = openCheckpoints(workspace).list();
    expect(taken.map(({ by }) => by).toSorted()).toEqual(["db0:s1", "db0:s2"]);
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

  it("of OpenClaw's are said when a heading says so, the others one after the other from where they stand", async () => {
    const text =
      "Woke up.\n\nTea.\n## 09:30 Standup\nMoved the queue.\n## Later\nAsked Ann.\n## On time 7:05\nFed the cat.\n## 24:10\nSlept.\n";
    expect((await said("openclaw", { path: "memory/2026-02-01-log.md", text })).days).toEqual(["2026-02-01"]);
    const entries = workspace.openLogs?.()?.store.day("2026-02-01") ?? [];
    const midnight = Date.parse("2026-02-01T00:00:00Z");
    expect(
      entries.map(({ time, offset, text: words }) => [(time - midnight) / 1_000 + (offset ?? 0) * 60, words]),
    ).toEqual([
      [0, "Woke up.\n\nTea."],
      [25_500, "Fed the cat."],
      [25_501, "24:10: Slept."],
      [34_200, "Moved the queue."],
      [34_201, "Later: Asked Ann."],
    ]);
  });

  it("of OpenClaw's are said at the local time that they name, on the day that their file names", async () => {
    const clock = { ...workspace.clock, timeZone: "Asia/Tokyo" };
    const there: OpenWorkspace = Object.create(workspace, { clock: { value: clock } });
    const file = { path: "memory/2026-02-01.md", text: "Woke up.\n## 09:30\nMoved the queue.\n" };
    expect((await importDays(there, "openclaw", [file], true)).days).toEqual(["2026-02-01"]);
    const entries = workspace.openLogs?.()?.store.day("2026-02-01") ?? [];
    expect(entries.map(({ time, offset }) => [new Date(time).toISOString(), offset])).toEqual([
      ["2026-01-31T15:00:00.000Z", 540],
      ["2026-02-01T00:30:00.000Z", 540],
    ]);
  });

  it.each([
    ["memory/2026-02-01.md", true],
    ["memory/2026-02-01-evening.md", true],
    ["memory/old/deep/2026-02-01.md", true],
    ["memory/2026-02-01.md.bak", false],
    ["memory/2026-02-01.mdx", false],
    ["my/memory/2026-02-01.md", false],
    ["2026-02-01.md", false],
    ["memory/x-2026-02-01.md", false],
    ["memory/2026-02-01/notes.md", false],
  ])("stand in files that are called as a day is, in memory/: %s", (path, isDay) => {
    expect(isDayFile(path)).toBe(isDay);
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
