import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openGitArchive } from "../../../src/adapters/git/archive.ts";
import { packFailure } from "../../../src/adapters/git/pack.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import type { HistoryArchive, Transaction } from "../../../src/core/notes/history.ts";
import { bytes } from "../../support/store.ts";
import { scratch } from "../../support/scratch.ts";

const DISK_FAULT = Object.assign(new Error("no space left"), { code: "ENOSPC" });
const OWN = new MemoryError("locked", "busy");

describe("what goes wrong while packing", () => {
  it("is told as a fault of the disk where it is one, and else as it is", () => {
    expect(packFailure("/h", DISK_FAULT)).toMatchObject({
      code: "io",
      message: expect.stringMatching(/\/h .*no space/u),
    });
    for (const other of [OWN, new TypeError("a fault of ours"), "thrown"]) expect(packFailure("/h", other)).toBe(other);
  });
});

const LIMIT_MS = 60_000;
function transaction(seq: number): Transaction {
  const after = bytes(`note ${seq % 7}\n${"the same words as before\n".repeat(40)}said for the ${seq}th time\n`);
  const index = bytes(Array.from({ length: seq }, (_, n) => `- [Note ${n}](n${n}.md)`).join("\n"));
  return {
    seq,
    time: new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString(),
    actor: "user",
    reason: `change ${seq}`,
    changes: [
      { file: `n${seq % 7}.md`, before: undefined, after },
      { file: "MEMORY.md", before: undefined, after: index },
    ],
  };
}

const transactions = (from: number, to: number): Transaction[] =>
  Array.from({ length: to - from + 1 }, (_, n) => transaction(from + n));

/** A history as it comes about in many small steps: each object in a file of its own. At least 30 changes. */
function grow(root: string, archive: HistoryArchive, from: number, to: number): void {
  const place = `${root}/history.git/objects/pack`;
  const before = new Set(fs.existsSync(place) ? fs.readdirSync(place) : []);
  archive.append(transactions(from, to));
  for (const name of fs.readdirSync(place).filter((one) => !before.has(one))) {
    fs.renameSync(`${place}/${name}`, `${root}/${name}`);
    if (name.endsWith(".pack"))
      execFileSync("git", ["-C", `${root}/history.git`, "unpack-objects", "-q"], {
        input: fs.readFileSync(`${root}/${name}`),
      });
    fs.rmSync(`${root}/${name}`);
  }
}

function pack(archive: HistoryArchive): boolean {
  const packing = archive.packing();
  if (packing === undefined) return false;
  packing.work(LIMIT_MS);
  return packing.finish();
}

function filesIn(directory: string): readonly string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}

/** As the disk counts: whole blocks. */
function diskBytes(directory: string): number {
  return filesIn(directory).reduce((sum, file) => sum + fs.statSync(file).blocks * 512, 0);
}

const told = (archive: HistoryArchive): unknown => [
  archive.versions(),
  archive.transactions().map(({ seq, changes }) => [seq, changes.map(({ after }) => after && String(after))]),
];
const open = (root: string): HistoryArchive => openGitArchive(`${root}/history.git`, process.env);

describe("a history that is packed", () => {
  it("takes a tenth of the room and tells the same, before, between and after", () => {
    const root = scratch();
    const archive = open(root);
    grow(root, archive, 1, 70);
    const [before, size] = [told(archive), diskBytes(root)];
    expect(pack(archive)).toBe(true);
    expect(diskBytes(root)).toBeLessThan(size / 10);
    expect(told(open(root))).toEqual(before);
    expect(open(root).verify()).toEqual([]);
    expect(pack(archive)).toBe(false);
    archive.append(transactions(71, 73));
    expect(open(root).versions()).toHaveLength(73);
    expect(fs.readdirSync(root)).toEqual(["history.git"]);
  });

  it("becomes one pack when it has many", () => {
    const root = scratch();
    const archive = open(root);
    for (let part = 0; part < 8; part++) archive.append(transactions(part * 40 + 1, part * 40 + 40));
    const [before, size] = [told(archive), diskBytes(root)];
    const packs = (): number =>
      fs.readdirSync(`${root}/history.git/objects/pack`).filter((name) => name.endsWith(".pack")).length;
    expect(packs()).toBe(8);
    expect(pack(archive)).toBe(true);
    expect([packs(), told(open(root)), open(root).verify()]).toEqual([1, before, []]);
    expect(diskBytes(root)).toBeLessThan(size / 2);
  });

  it("stays what it was when the packing is killed, late or anywhere, and the next packing clears up", () => {
    const root = scratch();
    const archive = open(root);
    grow(root, archive, 1, 70);
    const before = told(archive);
    // Killed before its work, within it, and before it was taken over.
    archive.packing();
    const half = archive.packing();
    fs.writeFileSync(
      `${root}/${fs.readdirSync(root).find((name) => name.includes(".new-")) ?? ""}/history.pack`,
      "half",
    );
    expect(() => half?.work(LIMIT_MS)).toThrow(/could not be packed/u);
    archive.packing()?.work(LIMIT_MS);
    const late = archive.packing();
    expect(() => late?.work(0)).toThrow(/git|could not/u);
    expect(late?.finish()).toBe(false);
    expect(told(open(root))).toEqual(before);
    // Half taken over: a pack without its index is nothing to git.
    fs.writeFileSync(`${root}/history.git/objects/pack/pack-${"0".repeat(40)}.pack`, "half");
    expect(told(open(root))).toEqual(before);
    expect(pack(open(root))).toBe(true);
    expect(told(open(root))).toEqual(before);
    expect(fs.readdirSync(root)).toEqual(["history.git"]);
  });

  it("takes in nothing of what was forgotten while it was packed", () => {
    const root = scratch();
    const archive = open(root);
    grow(root, archive, 1, 70);
    const packing = archive.packing();
    packing?.work(LIMIT_MS);
    archive.rewrite((kept) => ({ ...kept, changes: kept.changes.filter(({ file }) => file !== "n3.md") }));
    expect(packing?.finish()).toBe(false);
    const second = archive.packing();
    expect(fs.readdirSync(root).filter((name) => name !== "history.git")).toHaveLength(second === undefined ? 0 : 1);
    second?.work(LIMIT_MS);
    second?.finish();
    expect(fs.readdirSync(root)).toEqual(["history.git"]);
    const objects = execFileSync("git", ["-C", `${root}/history.git`, "cat-file", "--batch-all-objects", "--batch"]);
    expect(objects.toString("latin1")).not.toContain("note 3\n");
    expect(objects.toString("latin1")).toContain("note 4\n");
  });

  it("can be read by another process all the while", () => {
    const root = scratch();
    const archive = open(root);
    grow(root, archive, 1, 70);
    const reader = open(root);
    const versions = reader.versions();
    expect(String(reader.contentAt(64, "n1.md"))).toContain("the 64th time");
    for (let part = 0; part < 9; part++) {
      pack(archive);
      archive.append(transactions(71 + part * 40, 110 + part * 40));
    }
    for (const { seq } of versions.slice(0, 5))
      expect(String(reader.contentAt(seq, `n${seq % 7}.md`))).toContain(`the ${seq}th time`);
  });
});
