import { describe, expect, it } from "vitest";
import { surfacedIn } from "../../../src/core/recall/ledger.ts";
import {
  mentions,
  type PinnedNote,
  readLogLine,
  type SessionMark,
  writeLogLine,
  writeSessionMark,
} from "../../../src/core/recall/log-line.ts";

const TIME = "2026-11-22T05:00:00.000Z";
const shown = (session: string, file: string): string =>
  writeLogLine({
    time: TIME,
    session,
    project: "p",
    prompt: "q",
    ms: 1,
    selected: [{ scope: "project", file, hash: "h", score: 1 }],
    pointed: [],
    candidates: [],
    floors: { whole: 1, pointer: 0 },
    cut: [],
    characters: 100,
    by: "rules",
    notes: {},
  });

describe("a session's ledger", () => {
  it("forgets what came before a compaction of that session, and of no other", () => {
    const lines = [
      shown("one", "a.md"),
      shown("two", "b.md"),
      writeSessionMark("one", TIME, { compacted: true, anew: true }),
      shown("one", "c.md"),
    ];
    const one = surfacedIn({ tail: () => lines }, "one");
    expect([...one.surfaced.keys()]).toEqual(["project:c.md"]);
    expect(one.characters).toBe(100);
    expect([...surfacedIn({ tail: () => lines }, "two").surfaced.keys()]).toEqual(["project:b.md"]);
  });

  it("has a note whole after a triggered line that says all of it, otherwise its line", () => {
    const texts = [
      { note: "project:a.md", hash: "h1", whole: true },
      { note: "project:b.md", hash: "h2", whole: false },
    ];
    const lines = [writeSessionMark("one", TIME, { triggered: texts.map(({ note }) => note), texts })];
    const { surfaced, pointedAt, triggered } = surfacedIn({ tail: () => lines }, "one");
    expect([[...surfaced], [...pointedAt]]).toEqual([[["project:a.md", "h1"]], [["project:b.md", "h2"]]]);
    expect([...triggered]).toEqual(["project:a.md", "project:b.md"]);
    const older = [`{"time":"${TIME}","session":"one","triggered":["project:a.md"]}`];
    expect([...surfacedIn({ tail: () => older }, "one").triggered]).toEqual(["project:a.md"]);
  });

  it("keeps the mark apart from recalls: it is none, and names no note", () => {
    const line = writeSessionMark("one", TIME, { compacted: true, anew: true });
    expect(readLogLine(line)).toBeUndefined();
    expect(mentions(line, "a.md")).toBe(false);
  });
});

describe("what a session has of its start, and of the session that it was forked from", () => {
  const pinned = (file: string, hash: string, isCut = false): PinnedNote => ({ scope: "user", file, hash, isCut });
  const mark = (session: string, happened: SessionMark): string => writeSessionMark(session, TIME, happened);
  const read = (lines: readonly string[], session: string) => surfacedIn({ tail: () => lines }, session);

  it("is unknown until it was given one, and after a compaction that took it away", () => {
    expect(read([shown("one", "a.md")], "one").started).toBeUndefined();
    const given = [mark("one", { started: [pinned("who.md", "h1")], listed: [] })];
    expect([...(read(given, "one").started ?? [])]).toEqual([["user:who.md", "h1"]]);
    expect(read([...given, mark("one", { compacted: true, anew: true })], "one").started).toBeUndefined();
  });

  it("stays through the mark of a compaction that comes after it was given again", () => {
    const lines = [
      mark("one", { compacted: true, anew: true }),
      mark("one", { started: [pinned("who.md", "h1"), pinned("long.md", "h2", true)], listed: [] }),
      shown("one", "a.md"),
      mark("one", { compacted: true, anew: false }),
    ];
    const { started, surfaced } = read(lines, "one");
    expect([...(started?.keys() ?? [])]).toEqual(["user:who.md", "user:long.md"]);
    // Its end was left out, so recall may still show it whole.
    expect([...surfaced.keys()]).toEqual(["user:who.md"]);
  });

  it("takes a changed pinned note in place of what it said before", () => {
    const lines = ["h1", "h2"].map((hash) => mark("one", { started: [pinned("who.md", hash)], listed: [] }));
    expect([...(read(lines, "one").started ?? [])]).toEqual([["user:who.md", "h2"]]);
  });

  it("knows a pinned note as a later recall showed it, though the session starts again without it", () => {
    const again = { ...pinned("other.md", "h9"), scope: "project" as const };
    const lines = [
      mark("one", { started: [{ ...pinned("a.md", "old"), scope: "project" }], listed: [] }),
      shown("one", "a.md"),
      mark("one", { started: [again], listed: [] }),
    ];
    expect([...read(lines, "one").surfaced]).toEqual([
      ["project:a.md", "h"],
      ["project:other.md", "h9"],
    ]);
  });

  it("comes to a fork from its origin as that was then, once, through forks of forks", () => {
    const fork = mark("two", { forkedFrom: "one" });
    const lines = [
      mark("one", { started: [pinned("who.md", "h1")], listed: [] }),
      shown("one", "a.md"),
      fork,
      shown("two", "b.md"),
      shown("one", "later.md"),
      fork,
      mark("three", { forkedFrom: "two" }),
    ];
    for (const session of ["two", "three"]) {
      expect([...read(lines, session).surfaced.keys()]).toEqual(["user:who.md", "project:a.md", "project:b.md"]);
      expect(read(lines, session).characters).toBe(200);
    }
    expect(read([mark("one", { forkedFrom: "one" })], "one").started).toBeUndefined();
  });

  it("counts nothing that a model chose late: whether it was delivered is not known", () => {
    const chosen = shown("one", "a.md").replace('"by":"rules"', '"by":"model"');
    expect(chosen).toContain('"by":"model"');
    const { surfaced, characters } = read([chosen, shown("one", "b.md")], "one");
    expect([...surfaced.keys()]).toEqual(["project:b.md"]);
    expect(characters).toBe(100);
  });

  it("is named by a line that forgetting a note drops", () => {
    const line = mark("one", { started: [pinned("who.md", "h1")], listed: [] });
    expect([mentions(line, "who.md"), mentions(line, "other.md")]).toEqual([true, false]);
  });
});
