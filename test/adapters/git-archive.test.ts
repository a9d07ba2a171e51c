import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openGitArchive } from "../../src/adapters/git/archive.ts";
import type { Transaction } from "../../src/core/notes/history.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";
import { bytes, textOf } from "../support/store.ts";

const version = (seq: number, text: string): Transaction => ({
  seq,
  time: `2026-03-02T09:00:0${seq}.000Z`,
  actor: "user",
  reason: `reason ${seq}`,
  changes: [{ file: "a.md", before: undefined, after: bytes(text) }],
});

describe("the past in git", () => {
  it("keeps a version once, however often it is handed over", () => {
    const archive = openGitArchive(`${scratch(memoryDirectory())}/history.git`, process.env);
    archive.append([version(1, "one"), version(2, "two")]);
    archive.append([version(1, "one"), version(2, "another two"), version(3, "three")]);
    archive.append([version(3, "another three")]);
    expect(archive.versions().map(({ seq, reason }) => [seq, reason])).toEqual([
      [3, "reason 3"],
      [2, "reason 2"],
      [1, "reason 1"],
    ]);
    expect([1, 2, 3].map((seq) => textOf(archive.contentAt(seq, "a.md")))).toEqual(["one", "two", "three"]);
  });

  it("comes back where a rewrite was stopped between its two renames", () => {
    const directory = `${scratch(memoryDirectory())}/history.git`;
    openGitArchive(directory, process.env).append([version(1, "one")]);
    fs.renameSync(directory, `${directory}.old`);
    const again = openGitArchive(directory, process.env);
    expect(again.lastSeq()).toBe(1);
    again.append([version(2, "two")]);
    expect(textOf(again.contentAt(1, "a.md"))).toBe("one");
    expect(again.versions()).toHaveLength(2);
    expect(fs.existsSync(`${directory}.old`)).toBe(false);
  });
});
