import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { scanNotes } from "../../../src/adapters/files/scan.ts";
import { MAX_DEPTH } from "../../../src/core/notes/names.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const nested = (depth: number): string => Array.from({ length: depth }, (_, at) => `d${at + 1}/`).join("");

function directoryWith(files: readonly string[]): string {
  const root = scratch(memoryDirectory());
  for (const file of files) {
    fs.mkdirSync(path.dirname(`${root}/${file}`), { recursive: true });
    fs.writeFileSync(`${root}/${file}`, file);
  }
  return root;
}

describe("a look at a store's directory", () => {
  const notes = ["a.md", "B.MD", "sub/c.md", "sub/team/d.md", `${nested(MAX_DEPTH)}deepest.md`];
  const others = [
    "MEMORY.md",
    "sub/memory.MD",
    "image.png",
    "a.md.bak",
    ".hidden.md",
    ".git/e.md",
    "team/f.md",
    "team/sub/g.md",
    `${nested(MAX_DEPTH + 1)}too-deep.md`,
  ];

  it("finds notes as deep as a store goes, and nothing that is hidden, excluded, the index or no Markdown", () => {
    const root = directoryWith([...notes, ...others]);
    const found = scanNotes(root, nodeFiles, new Set(["team"]), NOW);
    expect(found.notes.map(({ file }) => file).toSorted()).toEqual(notes.toSorted());
    for (const { file, size, mtimeMs } of found.notes)
      expect([size, mtimeMs]).toEqual([file.length, fs.statSync(`${root}/${file}`).mtimeMs]);
    const read = ["", "sub", "sub/team", ...Array.from({ length: MAX_DEPTH }, (_, at) => nested(at + 1).slice(0, -1))];
    expect(found.directories).toEqual(
      Object.fromEntries(read.map((one) => [one, fs.statSync(path.join(root, one)).mtimeMs])),
    );
    expect([found.skipped, found.leftovers]).toEqual([[], []]);
  });

  it("follows no link and says what it passed over", () => {
    const root = directoryWith(["a.md", "elsewhere/b.md"]);
    fs.symlinkSync(`${root}/a.md`, `${root}/link.md`);
    fs.symlinkSync(`${root}/elsewhere`, `${root}/linked`);
    fs.mkdirSync(`${root}/directory.md`);
    const found = scanNotes(root, nodeFiles, new Set(), NOW);
    expect(found.notes.map(({ file }) => file).toSorted()).toEqual(["a.md", "elsewhere/b.md"]);
    expect(found.skipped).toEqual([{ file: "link.md", reason: expect.stringContaining("symbolic link") }]);
  });

  it("names what a killed writer left once it is older than a minute, and nothing else that is hidden", () => {
    const left = [".memdir-1.tmp", "sub/.memdir-2.link", ".memdir-young.tmp"];
    const root = directoryWith(["a.md", ...left, ".memdir-3.txt", "memdir-4.tmp", "x.memdir-5.tmp"]);
    for (const file of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
      const seconds = (NOW - (file.includes("young") ? 60_000 : 60_001)) / 1_000;
      fs.utimesSync(`${root}/${file}`, seconds, seconds);
    }
    expect(scanNotes(root, nodeFiles, new Set(), NOW).leftovers.toSorted()).toEqual(left.slice(0, 2).toSorted());
  });

  it("of one that is not there finds nothing", () => {
    expect(scanNotes(`${scratch()}/none`, nodeFiles, new Set(), NOW)).toEqual({
      notes: [],
      skipped: [],
      directories: {},
      leftovers: [],
    });
  });
});
