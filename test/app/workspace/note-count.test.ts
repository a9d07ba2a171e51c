import fs from "node:fs";
import { expect, it } from "vitest";
import { countNotes, hasNote } from "../../../src/app/workspace/note-count.ts";
import { scratch } from "../../support/scratch.ts";

it.each([
  [["a.md"], 1],
  [["MEMORY.md", "readme.txt", ".hidden.md"], 0],
  [["Memory.MD", "B.MD", "c.md"], 2],
  [[], 0],
] as const)("a directory with %j has %i notes", (names, count) => {
  const root = scratch();
  for (const name of names) fs.writeFileSync(`${root}/${name}`, "x");
  expect([countNotes(root), hasNote(root)]).toEqual([count, count > 0]);
});

it("a directory that is not there has no note", () => {
  expect(hasNote(`${scratch()}/none`)).toBe(false);
});
