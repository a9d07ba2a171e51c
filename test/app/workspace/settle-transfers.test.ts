import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { holdSqliteLock } from "../../../src/adapters/sqlite/lock.ts";
import { everyScope, type Mode } from "../../../src/app/workspace/modes.ts";
import { isTransferPending } from "../../../src/app/workspace/pending-transfers.ts";
import {
  settleTransfers,
  dropFromTransfers,
  findTransfer,
  recordsIn,
  sweepTransfers,
} from "../../../src/app/workspace/transfer-records.ts";
import { transferOf } from "../../../src/core/notes/history.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { scratch } from "../../support/scratch.ts";
import { bytes, noteText } from "../../support/store.ts";

const FILE = "project_deploy.md";
const TEXT = noteText("deploy", "When we deploy", "Deploys go out on Tuesdays");
const NOW = Date.parse("2026-03-02T09:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface CutOffMove {
  readonly pid?: number;
  readonly agoMs?: number;
  readonly modes?: Partial<Record<"project" | "user", Mode>>;
}

const ended = (): number => spawnSync(process.execPath, ["--version"]).pid;

/** A note that stands in both stores, since the process that moved it to the other went away. */
function cutOff({ pid = ended(), agoMs = 1_000, modes = {} }: CutOffMove = {}) {
  const root = scratch();
  const memdirHome = `${root}/home`;
  const end = <S extends "project" | "user">(scope: S) => ({
    scope,
    directory: `${root}/${scope}/notes`,
    state: `${root}/${scope}/state`,
    excluded: [],
  });
  const [from, to] = [end("project"), end("user")];
  for (const { directory } of [from, to]) {
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(`${directory}/${FILE}`, TEXT);
  }
  const hash = sha256(bytes(TEXT));
  const move = { id: "0a1b2c3d", time: new Date(NOW - agoMs).toISOString(), pid, from, to };
  recordsIn(memdirHome).begin({ ...move, files: [{ from: FILE, to: FILE, before: hash, after: hash, made: true }] });
  const choices = new Map(everyScope({ mode: "auto", reason: "test" }));
  for (const scope of ["project", "user"] as const)
    choices.set(scope, { mode: modes[scope] ?? "auto", reason: "test" });
  const settle = (now = NOW) =>
    settleTransfers(
      { memdirHome, hasGit: () => false, environment: {}, modes: choices },
      { now: () => now, timeZone: "UTC" },
    ).map(({ kind }) => kind);
  const left = (): readonly string[] =>
    ["project", "user"].filter((scope) => fs.existsSync(`${root}/${scope}/notes/${FILE}`));
  return { root, memdirHome, settle, left };
}

describe("a move between two stores that was cut off", () => {
  it.each<[string, CutOffMove]>([
    ["by a process that ended", {}],
    ["in this process", { pid: process.pid }],
    ["so long ago that another process has its number now", { pid: process.ppid, agoMs: 10 * MINUTE + 1 }],
    ["where both scopes are manual", { modes: { project: "manual", user: "confirm" } }],
  ])("%s is finished once", (_, how) => {
    const { memdirHome, settle, left } = cutOff(how);
    expect([settle(), left(), isTransferPending(memdirHome)]).toEqual([["finished"], ["user"], false]);
    expect(settle()).toEqual([]);
  });

  it.each<[string, CutOffMove]>([
    ["is at work", { pid: process.ppid, agoMs: 10 * MINUTE }],
    ["is forbidden to write where it came from", { modes: { project: "recall-only" } }],
    ["is forbidden to write where it goes", { modes: { user: "off" } }],
  ])("waits while it %s", (_, how) => {
    const { memdirHome, settle, left } = cutOff(how);
    expect([settle(), left(), isTransferPending(memdirHome)]).toEqual([[], ["project", "user"], true]);
  });

  it("that cannot be finished says so and waits for the next command", () => {
    const { root, memdirHome, settle, left } = cutOff();
    fs.mkdirSync(`${root}/project/state`);
    const held = holdSqliteLock(`${root}/project/state/lock.db`, 0);
    expect([settle(), left(), isTransferPending(memdirHome)]).toEqual([["stuck"], ["project", "user"], true]);
    held?.release();
    expect([settle(), left()]).toEqual([["finished"], ["user"]]);
  });

  it("whose record is torn is laid aside, so that nobody waits for it for ever", () => {
    const { memdirHome, settle } = cutOff();
    fs.writeFileSync(`${memdirHome}/transfers/pending/torn.json`, '{"id":"to');
    expect([settle(), isTransferPending(memdirHome)]).toEqual([["finished"], false]);
    expect(fs.existsSync(`${memdirHome}/transfers/torn.json.unreadable`)).toBe(true);
  });

  it("can be undone for thirty days, and its record goes when a later one is settled", () => {
    const { memdirHome, settle } = cutOff();
    settle();
    const another = (): void => fs.writeFileSync(`${memdirHome}/transfers/pending/torn.json`, "{");
    another();
    settle(NOW + 30 * DAY - 1_000);
    expect(findTransfer(memdirHome, "0a1b2c3d")).toBeDefined();
    another();
    settle(NOW + 30 * DAY);
    expect(findTransfer(memdirHome, "0a1b2c3d")).toBeUndefined();
  });
});

describe("a note that was written to after its move was cut off", () => {
  it.each(["project", "user"])("stays in both stores, with what was written in the scope %s", (scope) => {
    const { root, settle, left } = cutOff();
    const edited = `${TEXT}written since\n`;
    fs.writeFileSync(`${root}/${scope}/notes/${FILE}`, edited);
    expect([settle(), left()]).toEqual([["both-kept"], ["project", "user"]]);
    expect(fs.readFileSync(`${root}/${scope}/notes/${FILE}`, "utf8")).toBe(edited);
    expect(settle()).toEqual([]);
  });

  it("of several notes, the others are moved, and one that is gone at its new place stays at its old", () => {
    const { root, memdirHome, settle } = cutOff();
    const file = `${memdirHome}/transfers/pending/0a1b2c3d.json`;
    const transfer = JSON.parse(fs.readFileSync(file, "utf8"));
    const [moved] = transfer.files;
    const names = [FILE, "edited.md", "gone.md"];
    fs.writeFileSync(
      file,
      JSON.stringify({ ...transfer, files: names.map((name) => ({ ...moved, from: name, to: name })) }),
    );
    for (const scope of ["project", "user"])
      for (const name of names.slice(1)) fs.writeFileSync(`${root}/${scope}/notes/${name}`, TEXT);
    fs.appendFileSync(`${root}/project/notes/edited.md`, "written since\n");
    fs.rmSync(`${root}/user/notes/gone.md`);
    expect(settle()).toEqual(["both-kept"]);
    const notes = (scope: string): readonly string[] =>
      fs
        .readdirSync(`${root}/${scope}/notes`)
        .filter((name) => name !== "MEMORY.md")
        .toSorted();
    expect([notes("project"), notes("user")]).toEqual([
      ["edited.md", "gone.md"],
      ["edited.md", FILE],
    ]);
  });
});

describe("a record of moves", () => {
  it.each([
    ["the name before", "old.md"],
    ["the name after", "new.md"],
  ])("loses a forgotten note by %s, and keeps the others", (_, forgotten) => {
    const { memdirHome, settle } = cutOff();
    settle();
    const file = `${memdirHome}/transfers/0a1b2c3d.json`;
    const transfer = JSON.parse(fs.readFileSync(file, "utf8"));
    const [moved] = transfer.files;
    fs.writeFileSync(file, JSON.stringify({ ...transfer, files: [moved, { ...moved, from: "old.md", to: "new.md" }] }));
    dropFromTransfers(memdirHome, new Set([forgotten, "another.md"]));
    expect(findTransfer(memdirHome, "0a1b2c3d")?.files).toEqual([moved]);
    expect(fs.readFileSync(file, "utf8")).not.toMatch(/old\.md|new\.md/u);
    dropFromTransfers(memdirHome, new Set([FILE]));
    expect(fs.existsSync(file)).toBe(false);
  });
});

it("a torn record that names a forgotten note goes with it, and another stays", () => {
  const { memdirHome } = cutOff();
  const torn = (name: string): string => `${memdirHome}/transfers/${name}.json`;
  fs.writeFileSync(torn("1"), '{"id": "1", "files": [{"from": "old.md"');
  fs.writeFileSync(torn("2"), '{"id": "2", "files": [{"from": "other.md"');
  dropFromTransfers(memdirHome, new Set(["old.md"]));
  expect(["1", "2"].map((name) => fs.existsSync(torn(name)))).toEqual([false, true]);
});

it("a record of a move that a process had not put in its place yet is none", () => {
  const { memdirHome, settle } = cutOff();
  const pending = `${memdirHome}/transfers/pending`;
  fs.copyFileSync(`${pending}/0a1b2c3d.json`, `${pending}/11112222.json.${process.pid}`);
  expect(settle()).toEqual(["finished"]);
});

it("a version is half of a move where its reason ends with that", () => {
  const reasons = [
    "moved to user:x.md (transfer 0a1b2c3d)",
    "(transfer 0a1b2c3d) and more",
    "(transfer 0a1b)",
    "edited",
  ];
  expect(reasons.map(transferOf)).toEqual(["0a1b2c3d", undefined, undefined, undefined]);
});

it.each([
  ["one end", { to: undefined }],
  ["the other end", { from: undefined }],
  ["an end without a directory", { to: { scope: "user" } }],
  ["an end of an unknown scope", { from: { scope: "moon", directory: "/x", state: "/x", excluded: [] } }],
  ["its notes", { files: undefined }],
  ["a list of notes", { files: {} }],
  ["its number", { id: undefined }],
])("a record of a move that lacks %s is laid aside, and nothing is moved", (_, change) => {
  const { memdirHome, settle, left } = cutOff();
  const file = `${memdirHome}/transfers/pending/0a1b2c3d.json`;
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, "utf8")), ...change }));
  expect([settle(), left()]).toEqual([[], ["project", "user"]]);
  expect(fs.existsSync(`${memdirHome}/transfers/0a1b2c3d.json.unreadable`)).toBe(true);
});

describe("what a process left beside the records of moves", () => {
  it("goes once the process is gone, and nothing else does", () => {
    const { memdirHome } = cutOff();
    const left = ["a.json.x", "a.txt", `b.json.${process.pid}`, `d.json.${ended()}.txt`];
    for (const name of [...left, `c.json.${ended()}`]) fs.writeFileSync(`${memdirHome}/transfers/${name}`, "");
    sweepTransfers(memdirHome, NOW);
    expect(fs.readdirSync(`${memdirHome}/transfers`).filter((name) => name !== "pending")).toEqual(left);
  });
});
