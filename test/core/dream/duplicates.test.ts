import { describe, expect, it } from "vitest";
import { findDuplicates, rivalsOf } from "../../../src/core/dream/duplicates.ts";
import type { DreamNote, ReadNote } from "../../../src/core/dream/operation.ts";
import { statementOf } from "../../../src/core/notes/statement.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-03-02T10:00:00Z");

function note(file: string, body: string, more: Partial<DreamNote> = {}): ReadNote {
  const described: DreamNote = {
    file,
    name: file.replace(/\.md$/u, ""),
    type: "project",
    description: body.split("\n")[0] ?? "",
    body,
    time: START,
    said: START,
    author: "agent",
    pinned: false,
    links: [],
    checks: [],
    hash: file,
    ...more,
  };
  return { note: described, statement: statementOf(body) };
}

const timeout = (file: string, seconds: number, more: Partial<DreamNote> = {}): ReadNote =>
  note(file, `The timeout of the calls is ${seconds} seconds.`, more);
const found = (notes: readonly ReadNote[]) => findDuplicates(notes, "UTC");
const RULE = "Integration tests use the postgres container.";

describe("notes that say the same", () => {
  it.each([2, 3, 50])("leave one of %i, which every other one gives way to", (count) => {
    const files = Array.from({ length: count }, (_, at) => `${String(at).padStart(2, "0")}.md`);
    const operations = found(files.map((file) => note(file, RULE)));
    const retired = operations.flatMap(({ edits }) =>
      edits.flatMap((edit) => (edit.kind === "retire" ? edit.file : [])),
    );
    expect(new Set(operations.map(({ kind }) => kind))).toEqual(new Set(["merge"]));
    expect(retired).toHaveLength(count - 1);
    expect(new Set(retired).size).toBe(count - 1);
    expect(retired).not.toContain("00.md");
  });

  it("are a template where there are more than fifty", () => {
    expect(found(Array.from({ length: 51 }, (_, at) => note(`${at}.md`, RULE)))).toEqual([]);
  });

  it("meet though they are cut into sentences in another way", () => {
    const [one, other] = ["Log lines carry the id, metrics the tenant.", "Log lines carry the id. Metrics the tenant."];
    expect(found([note("a.md", one ?? ""), note("b.md", other ?? "")])).toMatchObject([{ kind: "merge" }]);
  });

  it("keep a reason once that both give", () => {
    const reason = "\n\n**Why:** mocks hid a broken migration.";
    const [operation] = found([note("a.md", RULE + reason), note("b.md", RULE + reason, { time: START + 1 })]);
    expect(operation?.edits).toEqual([{ kind: "retire", file: "a.md", by: "b.md" }]);
  });
});

describe("of two notes that say the same", () => {
  const WHY = "**Why:** mocks hid a broken migration.";
  const HOW = "**How to apply:** start it with make up.";
  const retired = (first: ReadNote, second: ReadNote): unknown =>
    [
      [first, second],
      [second, first],
    ].map((notes) => found(notes).map(({ edits, ask }) => [edits.map((edit) => [edit.kind, edit.file]), ask]));
  const both = (...edits: readonly unknown[]): unknown => [[[edits, false]], [[edits, false]]];

  it("the one goes that the other contains, else the one with fewer reasons, else the older", () => {
    const longer = note("long.md", `${RULE} Unit tests use none.`);
    expect(retired(note("a.md", RULE, { time: START + DAY }), longer)).toEqual(both(["retire", "a.md"]));
    expect(found([note("a.md", RULE), longer])[0]?.reason).toBe("all that a.md says stands in long.md");
    const reasons = note("reasons.md", `${RULE}\n\n${WHY}\n\n${HOW}`);
    expect(retired(note("z.md", `${RULE}\n\n${WHY}`, { time: START + DAY }), reasons)).toEqual(
      both(["retire", "z.md"]),
    );
    expect(retired(note("old.md", RULE), note("new.md", RULE, { time: START + 1 }))).toEqual(
      both(["retire", "old.md"]),
    );
  });

  it("the one that stays gets the reasons that only the other gave", () => {
    const [operation] = found([
      note("a.md", `${RULE}\n\n${WHY}`),
      note("b.md", `${RULE}\n\n${HOW}`, { time: START + 1 }),
    ]);
    expect(operation?.edits).toEqual([
      { kind: "append", file: "b.md", text: WHY },
      { kind: "retire", file: "a.md", by: "b.md" },
    ]);
  });

  it("one goes only when a person agrees where nobody is known to have written it", () => {
    const of = (body: string): ReadNote => note("a.md", body, { author: "unknown" });
    expect(found([of(RULE), note("b.md", RULE, { time: START + 1 })])).toMatchObject([{ kind: "merge", ask: true }]);
    const now = note("b.md", "The timeout of the calls is now 30 seconds.", { time: START + DAY });
    expect(found([of("The timeout of the calls is 5 seconds."), now])).toMatchObject([
      { kind: "supersede", ask: true },
    ]);
    expect(found([timeout("a.md", 5), now])).toMatchObject([{ kind: "supersede", ask: false }]);
  });

  it("the one that a person pinned stays as it is, and both where the other has a reason of its own", () => {
    const pinned = note("pinned.md", RULE, { pinned: true });
    expect(retired(pinned, note("b.md", RULE, { time: START + DAY }))).toEqual(both(["retire", "b.md"]));
    expect(retired(pinned, note("b.md", `${RULE}\n\n${WHY}`))).toEqual([[], []]);
    expect(retired(pinned, note("b.md", `${RULE} Unit tests use none.`))).toEqual([[], []]);
  });
});

describe("notes that contradict one another", () => {
  it("are a conflict of the two, told in their order", () => {
    expect(found([timeout("a.md", 5), timeout("b.md", 30, { time: START + DAY })])).toEqual([
      expect.objectContaining({
        kind: "conflict",
        files: ["b.md", "a.md"],
        reason: '"30" (2026-03-03) against "5" (2026-03-02): which one holds?',
      }),
    ]);
  });

  it("are one conflict of three, with one note more", () => {
    const [conflict, ...others] = found([timeout("a.md", 5), timeout("b.md", 30), timeout("c.md", 10)]);
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      more: 0,
      reason: expect.stringContaining("? One note more says something else again"),
    });
    expect([...(conflict?.files ?? [])].toSorted()).toEqual(["a.md", "b.md", "c.md"]);
  });

  it("are told by the two newest of them, in whatever order they come", () => {
    const notes = [5, 30, 10].map((seconds, days) => timeout(`${seconds}.md`, seconds, { time: START + days * DAY }));
    for (const [one = 0, two = 0, three = 0] of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const [conflict] = found([one, two, three].flatMap((at) => notes[at] ?? []));
      expect(conflict?.reason).toMatch(/^"10" \(2026-03-04\) against /u);
      expect(conflict?.files[0]).toBe("10.md");
    }
  });

  it("are named up to ten, and the others counted", () => {
    const [conflict] = found(Array.from({ length: 12 }, (_, at) => timeout(`${at}.md`, at + 1)));
    expect([conflict?.files.length, conflict]).toEqual([10, expect.objectContaining({ more: 2 })]);
    expect(conflict?.reason).toContain("10 notes more say something else again");
  });

  it("are one conflict when a note without a type stands against notes of two types", () => {
    const notes = [
      timeout("p1.md", 5),
      timeout("p2.md", 10),
      timeout("f1.md", 20, { type: "feedback" }),
      timeout("f2.md", 30, { type: "feedback", settledWith: ["u.md"] }),
      timeout("u.md", 40, { type: undefined }),
    ];
    const operations = found(notes);
    expect(operations).toHaveLength(1);
    expect([...(operations[0]?.files ?? [])].toSorted()).toEqual(["f1.md", "f2.md", "p1.md", "p2.md", "u.md"]);
    expect(found(notes.slice(0, 4))).toHaveLength(2);
    for (const pair of [notes.slice(3), notes.slice(3).toReversed()])
      expect(
        found(pair.map(({ note: one, statement }) => ({ note: { ...one, settledWith: [] }, statement }))),
      ).toHaveLength(1);
  });

  it("do not count a note that gives way to its twin", () => {
    const operations = found([timeout("a.md", 5), timeout("b.md", 30), timeout("c.md", 10), timeout("d.md", 10)]);
    expect(operations.map(({ kind }) => kind)).toEqual(["merge", "conflict"]);
    expect([...(operations[1]?.files ?? [])].toSorted()).toEqual(["a.md", "b.md", "c.md"]);
  });

  it("by a denial meet as well", () => {
    const [one, other] = ["Squash commits on the release branch.", "Never squash commits on the release branch."];
    expect(found([note("a.md", one ?? ""), note("b.md", other ?? "")])).toMatchObject([{ kind: "conflict" }]);
  });

  it("meet where one only says from what to what it changed", () => {
    const before = note("a.md", "The billing service runs on MySQL.");
    const after = note("b.md", "We switched the billing service from MySQL to Postgres.", { time: START + DAY });
    expect(found([before, after])).toMatchObject([{ files: ["b.md", "a.md"], cause: "contradiction" }]);
  });

  it("are settled by a newer one that tells of the change, but never against a person", () => {
    const newer = note("b.md", "The timeout of the calls is now 30 seconds.", { time: START + DAY });
    expect(found([timeout("a.md", 5), newer])).toMatchObject([
      { kind: "supersede", edits: [{ file: "a.md", by: "b.md" }] },
    ]);
    for (const guard of [{ author: "person" as const }, { pinned: true }])
      expect(found([timeout("a.md", 5, guard), newer])).toMatchObject([{ kind: "conflict", edits: [] }]);
  });

  it("are settled on the same day where the newer one says from what to what it changed", () => {
    const before = note("a.md", "The billing service runs on MySQL.");
    const after = note("b.md", "We switched the billing service from MySQL to Postgres.", { time: START + 1 });
    expect(found([before, after])).toMatchObject([{ kind: "supersede", edits: [{ file: "a.md", by: "b.md" }] }]);
  });

  it("are no news on the same day, nor where the newer one tells of no change", () => {
    const now = note("b.md", "The timeout of the calls is now 30 seconds.", { time: START + DAY - 1 });
    expect(found([timeout("a.md", 5), now])).toMatchObject([{ kind: "conflict" }]);
    expect(found([timeout("a.md", 5), timeout("b.md", 30, { time: START + 9 * DAY })])).toMatchObject([
      { kind: "conflict" },
    ]);
  });

  it("are compared by their descriptions where they have no text", () => {
    const description = "The billing service runs on MySQL.";
    const before = { ...note("a.md", "", { description }), statement: statementOf(description) };
    const after = note("b.md", "We switched the billing service from MySQL to Postgres.", { time: START + DAY });
    expect(found([before, after])).toMatchObject([{ files: ["b.md", "a.md"], cause: "contradiction" }]);
  });

  it("are left alone once a person said that both hold, whichever of the two remembers it", () => {
    expect(found([timeout("a.md", 5, { settledWith: ["b.md"] }), timeout("b.md", 30)])).toEqual([]);
    expect(found([timeout("a.md", 5), timeout("b.md", 30, { settledWith: ["a.md"] })])).toEqual([]);
    expect(found([timeout("a.md", 5, { settledWith: ["c.md"] }), timeout("b.md", 30)])).toHaveLength(1);
    const told = note("b.md", "We switched the billing service from MySQL to Postgres.", { settledWith: ["a.md"] });
    expect(found([note("a.md", "The billing service runs on MySQL."), told])).toEqual([]);
  });
});

describe("the rivals of a note", () => {
  it("are the notes that contradict it, each once, wherever it stands among them", () => {
    const notes = [
      timeout("a.md", 5),
      timeout("b.md", 30),
      timeout("same.md", 30),
      timeout("wish.md", 60, { type: "feedback" }),
      timeout("settled.md", 90, { settledWith: ["b.md"] }),
      timeout("c.md", 10),
      note("other.md", RULE),
    ];
    expect([...rivalsOf(notes, "b.md", "UTC")].toSorted()).toEqual(["a.md", "c.md"]);
    expect([...rivalsOf(notes, "c.md", "UTC")].toSorted()).toEqual(["a.md", "b.md", "same.md", "settled.md"]);
    expect(rivalsOf(notes, "other.md", "UTC")).toEqual([]);
  });
});
