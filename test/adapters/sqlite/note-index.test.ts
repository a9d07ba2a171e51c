import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/sqlite/driver.ts";
import { openNoteIndex } from "../../../src/adapters/sqlite/note-index.ts";
import { indexed, noteIndexContract } from "../../contracts/note-index.ts";
import { scratch } from "../../support/scratch.ts";
import { ENGINES, missing, unprivileged } from "./engines.ts";

for (const engine of ENGINES) noteIndexContract(engine, (file) => openNoteIndex(file, { engine }), missing(engine));

const options = { now: () => 42, busyTimeoutMs: 100 };

/** An index of 200 notes, copied to `file`: libsql lets go of the original only when its statements are collected. */
function filled(file: string): void {
  const original = `${file}.original`;
  const index = openNoteIndex(original, options);
  index.apply({
    upsert: Array.from({ length: 200 }, (_, number) =>
      indexed(`n${number}.md`, { body: `windmill ${number} ${"grain ".repeat(40)}` }),
    ),
  });
  index.close();
  const database = openDatabase(original, { busyTimeoutMs: 0, journal: "wal" });
  database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([]);
  database.close();
  fs.copyFileSync(original, file);
}

describe("a damaged index", () => {
  it("is set aside and started anew when the file is no database", () => {
    const file = path.join(scratch(), "index.sqlite");
    fs.writeFileSync(file, "these are no tables ".repeat(500));
    const index = openNoteIndex(file, options);
    index.apply({ upsert: [indexed("a.md", { body: "windmill" })] });
    expect([index.degraded, index.count(), fs.existsSync(`${file}.corrupt-42`)]).toEqual([undefined, 1, true]);
    index.close();
  });

  it("is set aside when the damage shows later, and the operation is done on the new one", () => {
    const file = path.join(scratch(), "index.sqlite");
    filled(file);
    const bytes = fs.readFileSync(file);
    // The first page, with the schema, stays; everything after it is noise.
    bytes.fill(0xa5, 4096);
    fs.writeFileSync(file, bytes);
    const index = openNoteIndex(file, options);
    expect(index.stamps().size).toBe(0);
    index.apply({ upsert: [indexed("a.md", { body: "windmill" })] });
    expect(index.search(["windmill"], 5).candidates).toHaveLength(1);
    expect([index.degraded, fs.existsSync(`${file}.corrupt-42`)]).toEqual([undefined, true]);
    index.close();
  });

  it("is not left lying about when the index is cleared", () => {
    const file = path.join(scratch(), "index.sqlite");
    fs.writeFileSync(file, "no database ".repeat(500));
    const index = openNoteIndex(file, options);
    index.clear();
    expect(fs.readdirSync(path.dirname(file)).filter((name) => name.includes("corrupt"))).toEqual([]);
    index.close();
  });

  it("of another version is emptied, not misread", () => {
    const file = path.join(scratch(), "index.sqlite");
    filled(file);
    const database = openDatabase(file, { busyTimeoutMs: 0, journal: "wal" });
    database.exec("PRAGMA user_version = 999999");
    database.close();
    const index = openNoteIndex(file, options);
    expect([index.stamps().size, index.count(), index.degraded]).toEqual([0, 0, undefined]);
    index.close();
  });
});

describe("an index that cannot be used", () => {
  it("is replaced by one in memory when its directory is read-only", () => {
    const directory = scratch();
    fs.chmodSync(directory, 0o755);
    const locked = path.join(directory, "locked");
    fs.mkdirSync(locked, { mode: 0o555 });
    const index = unprivileged(() => openNoteIndex(path.join(locked, "index.sqlite"), options));
    index.apply({ upsert: [indexed("a.md", { body: "windmill" })] });
    expect(index.degraded).toContain("in memory");
    expect([index.search(["windmill"], 5).candidates.length, fs.readdirSync(locked)]).toEqual([1, []]);
    index.clear();
    index.close();
  });

  it("is replaced by one in memory when a directory has its name", () => {
    const file = path.join(scratch(), "index.sqlite");
    fs.mkdirSync(file);
    const index = openNoteIndex(file, options);
    expect(index.degraded).toContain(file);
    expect(index.count()).toBe(0);
    index.close();
  });

  it("is replaced by one in memory when somebody keeps it locked", () => {
    const file = path.join(scratch(), "index.sqlite");
    filled(file);
    const other = openDatabase(file, { busyTimeoutMs: 0, journal: "wal" });
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE totals SET live = live; COMMIT");
    const index = openNoteIndex(file, options);
    expect(index.degraded).toContain("in memory");
    expect(index.stamps().size).toBe(0);
    index.close();
    other.close();
  });
});

describe("clearing an index", () => {
  it("leaves no byte in the file where only one in memory could be opened", () => {
    const file = path.join(scratch(), "index.sqlite");
    filled(file);
    const other = openDatabase(file, { busyTimeoutMs: 0, journal: "wal" });
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE totals SET live = live; COMMIT");
    const index = openNoteIndex(file, options);
    expect([index.degraded === undefined, fs.readFileSync(file).includes("windmill")]).toEqual([false, true]);
    index.clear();
    expect(fs.existsSync(file)).toBe(false);
    index.close();
    other.close();
  });

  it("says that another process keeps words in the log, and does it once that process has gone on", () => {
    const file = path.join(scratch(), "index.sqlite");
    const index = openNoteIndex(file, options);
    index.apply({ upsert: [indexed("a.md", { body: "windmill" })] });
    const reader = openDatabase(file, { busyTimeoutMs: 0, journal: "wal" });
    reader.exec("BEGIN; SELECT * FROM note");
    reader.prepare("SELECT count(*) AS n FROM note").get([]);
    const holds = (): boolean => [file, `${file}-wal`].some((one) => fs.readFileSync(one).includes("windmill"));
    expect(() => index.clear()).toThrow(expect.objectContaining({ code: "locked" }));
    expect(holds()).toBe(true);
    reader.exec("COMMIT");
    index.clear();
    expect(holds()).toBe(false);
    reader.close();
    index.close();
  });
});

describe("an index that another process writes", () => {
  it("can be read meanwhile, and a write that waits too long says that it is locked", () => {
    const file = path.join(scratch(), "index.sqlite");
    filled(file);
    const other = openDatabase(file, { busyTimeoutMs: 0, journal: "wal" });
    other.exec("BEGIN IMMEDIATE");
    const index = openNoteIndex(file, options);
    expect(index.search(["windmill"], 5).candidates).toHaveLength(5);
    expect(() => index.apply({ upsert: [indexed("late.md")] })).toThrow(expect.objectContaining({ code: "locked" }));
    other.exec("ROLLBACK");
    index.apply({ upsert: [indexed("late.md")] });
    expect(index.count()).toBe(201);
    other.close();
    index.close();
  });
});
