import fs from "node:fs";
import { expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { openReader } from "../../../src/adapters/files/reader.ts";
import { openNoteIndex } from "../../../src/adapters/sqlite/note-index.ts";
import { scratch } from "../../support/scratch.ts";
import { noteText, openTestStore } from "../../support/store.ts";

const DAY = new Date("2026-03-01T10:00:00Z");
const TEXT = noteText("a", "About a", "one");

/** What happened to a store of two notes since its index was made, and whether its reader must say that it is behind. */
const CHANGES: readonly (readonly [what: string, change: (notes: string, state: string) => void, isBehind: boolean])[] =
  [
    ["nothing", () => undefined, false],
    [
      "a note changed in time alone",
      (notes) => fs.utimesSync(`${notes}/a.md`, DAY, new Date(DAY.getTime() + 1_000)),
      true,
    ],
    [
      "a note changed in size alone",
      (notes) => {
        fs.writeFileSync(`${notes}/a.md`, `${TEXT}more\n`);
        fs.utimesSync(`${notes}/a.md`, DAY, DAY);
      },
      true,
    ],
    ["a note came", (notes) => fs.writeFileSync(`${notes}/c.md`, TEXT), true],
    ["a note went", (notes) => fs.rmSync(`${notes}/b.md`), true],
    ["a note was renamed", (notes) => fs.renameSync(`${notes}/b.md`, `${notes}/c.md`), true],
    ["a forget was broken off", (_, state) => fs.writeFileSync(`${state}/forget-pending.json`, "{}"), true],
    [
      "a write was broken off before its file was there",
      (notes) => {
        fs.writeFileSync(`${notes}/.memdir-0a1b.tmp`, "");
        fs.utimesSync(`${notes}/.memdir-0a1b.tmp`, DAY, DAY);
      },
      true,
    ],
    ["a change was broken off", (_, state) => fs.rmSync(`${state}/journal.mark`), true],
  ];

it.each(CHANGES)("a reader of a store where %s: behind %#", (_, change, isBehind) => {
  const root = scratch();
  const [directory, state] = [`${root}/notes`, `${root}/state`];
  const clock = { now: () => DAY.getTime() + 3_600_000, timeZone: "UTC" };
  const store = openTestStore(root, { git: false, clock });
  for (const file of ["a.md", "b.md"])
    store.commit([{ kind: "create", file, content: TEXT }], { actor: "user", reason: "test" });
  for (const file of ["a.md", "b.md"]) fs.utimesSync(`${directory}/${file}`, DAY, DAY);
  store.reconcile("full");
  store.close();
  change(directory, state);
  const outdated = (): never => {
    throw new RangeError("behind");
  };
  const look = (): unknown => {
    try {
      return reader.reconcile("quick").changed;
    } catch (error) {
      return error instanceof RangeError ? "behind" : error;
    }
  };
  const index = openNoteIndex(`${state}/index.db`);
  const reader = openReader({ directory, state, files: nodeFiles, index, clock, excluded: [], outdated });
  expect(look()).toEqual(isBehind ? "behind" : []);
  index.close();
});
