import { describe, expect, it } from "vitest";
import { isDreamDue } from "../../../src/core/dream/gates.ts";
import type { DreamNote } from "../../../src/core/dream/note.ts";
import type { DreamOperation } from "../../../src/core/dream/operation.ts";
import { boundPlan, planDream } from "../../../src/core/dream/plan.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-03-02T10:00:00Z");

function note(file: string, body: string, more: Partial<DreamNote> = {}): DreamNote {
  return { file, name: file.replace(/\.md$/u, ""), type: "project", description: body.split("\n")[0] ?? "", body, time: START, said: START, author: "agent", pinned: false, links: [], checks: [], hash: file, ...more };
}

function plan(notes: readonly DreamNote[], resolveDays: Parameters<typeof planDream>[0]["resolveDays"] = () => []): readonly DreamOperation[] {
  return planDream({ notes, resolveDays, heirOf: () => undefined, timeZone: "UTC" });
}

describe("a dream over duplicates", () => {
  const rule = "Integration tests use the postgres container.";

  it("keeps the one that knows the reason", () => {
    const operations = plan([note("old.md", `${rule}\n\n**Why:** mocks hid a broken migration.`), note("new.md", rule, { time: START + DAY })]);
    expect(operations).toEqual([
      expect.objectContaining({ kind: "merge", files: ["old.md", "new.md"], edits: [{ kind: "retire", file: "new.md", by: "old.md" }] }),
    ]);
  });

  it("joins reasons that only one of them knows", () => {
    const [operation] = plan([note("a.md", `${rule}\n\n**Why:** one.`), note("b.md", `${rule}\n\n**Why:** two.`, { time: START + DAY })]);
    expect(operation?.edits).toEqual([{ kind: "append", file: "b.md", text: "**Why:** one." }, { kind: "retire", file: "a.md", by: "b.md" }]);
  });

  it.each([{ author: "person" as const }, { pinned: true }])("never retires a protected note: %j", (guard) => {
    expect(plan([note("mine.md", rule, guard), note("theirs.md", rule, guard)])).toEqual([]);
    expect(plan([note("mine.md", rule, guard), note("agents.md", rule, { time: START + DAY })])).toEqual([expect.objectContaining({ files: ["mine.md", "agents.md"] })]);
  });

  it("keeps a note alive whose reasons a protected one cannot take in", () => {
    expect(plan([note("mine.md", rule, { pinned: true }), note("agents.md", `${rule}\n\n**Why:** only here.`)])).toEqual([]);
  });

  it("asks where nobody signed the note that would go", () => {
    const operations = plan([note("a.md", rule, { author: "unknown" }), note("b.md", rule, { author: "unknown", time: START + DAY })]);
    expect(operations).toEqual([expect.objectContaining({ kind: "merge", ask: true })]);
    expect(boundPlan(operations, [note("a.md", rule), note("b.md", rule)], { unsigned: false })).toMatchObject({ operations: [], refused: [{ reason: "unsigned" }] });
  });
});

describe("a dream over contradictions", () => {
  it("retires the older note where the newer says that it changed", () => {
    expect(plan([note("old.md", "Releases go out on Monday."), note("new.md", "Releases now go out on Thursday.", { time: START + 2 * DAY })])).toEqual([
      expect.objectContaining({ kind: "supersede", files: ["new.md", "old.md"], edits: [{ kind: "retire", file: "old.md", by: "new.md" }] }),
    ]);
  });

  it("leaves it to a person otherwise", () => {
    expect(plan([note("old.md", "Releases go out on Monday."), note("new.md", "Releases go out on Thursday.", { time: START + 2 * DAY })])).toEqual([
      expect.objectContaining({ kind: "conflict", edits: [] }),
    ]);
  });

  it("sees none between a preference and a fact", () => {
    expect(plan([note("a.md", "Releases go out on Monday."), note("b.md", "Releases go out on Thursday.", { type: "user" })])).toEqual([]);
  });
});

describe("a dream over references", () => {
  it("corrects what git renamed", () => {
    const checks = [{ claim: "src/a.ts", kind: "path" as const, verdict: "renamed" as const, detail: "src/b.ts (3f2a1b4, 2026-03-01)" }];
    expect(plan([note("a.md", "The retry in `src/a.ts` is idempotent.", { checks })])).toEqual([
      expect.objectContaining({ kind: "correct", edits: [{ kind: "replace", file: "a.md", from: "src/a.ts", to: "src/b.ts" }] }),
    ]);
  });

  it("retires a fact about things that are all gone, never a wish", () => {
    const checks = [{ claim: "src/a.ts", kind: "path" as const, verdict: "gone" as const, detail: "deleted in 3f2a1b4, 2026-03-01" }];
    expect(plan([note("a.md", "`src/a.ts` is a shim.", { checks })])).toEqual([expect.objectContaining({ kind: "retire" })]);
    expect(plan([note("a.md", "Never touch `src/a.ts`.", { checks, type: "feedback" })])).toEqual([expect.objectContaining({ kind: "flag" })]);
    expect(plan([note("a.md", "`src/a.ts` is a shim for `b`.", { checks: [...checks, { claim: "b", kind: "symbol", verdict: "holds" }] })])).toEqual([expect.objectContaining({ kind: "flag" })]);
  });
});

describe("a dream over branches and packages", () => {
  it.each([
    { claim: "release/2.4", kind: "branch" as const, verdict: "gone" as const, detail: "was checked out here once" },
    { claim: "left-pad", kind: "package" as const, verdict: "gone" as const, detail: "no longer a dependency since 3f2a1b4, 2026-03-01" },
  ])("tells that $claim is gone and leaves the note, for what was said of it may be a decision", (check) => {
    expect(plan([note("a.md", `Fixes for customers go to \`${check.claim}\` first.`, { checks: [check] })])).toEqual([expect.objectContaining({ kind: "flag", cause: "reference", edits: [], reason: expect.stringContaining(check.detail) })]);
  });
});

describe("a dream over dates", () => {
  const thursday = (text: string) => [...text.matchAll(/next Thursday/gu)].map(({ index }) => ({ start: index, end: index + 13, day: "2026-03-12" }));

  it("writes the day beside the words, once", () => {
    const [operation] = plan([note("a.md", "The freeze starts next Thursday.")], thursday);
    expect(operation).toMatchObject({ kind: "correct", edits: [{ from: "next Thursday", to: "next Thursday (2026-03-12)" }] });
    expect(plan([note("a.md", "The freeze starts next Thursday (2026-03-12).")], thursday)).toEqual([]);
  });

  it("leaves a day alone that may come every week", () => {
    const monday = (text: string) => [...text.matchAll(/(?:on )?Monday/gu)].map(({ index, 0: { length } }) => ({ start: index, end: index + length, day: "2026-03-09" }));
    expect(plan([note("a.md", "Releases go out on Monday.")], monday)).toEqual([]);
    expect(plan([note("a.md", "The audit must be done by Monday.")], monday)).toEqual([expect.objectContaining({ kind: "correct" })]);
  });

  it("only tells where it is not known when the words were written", () => {
    expect(plan([note("a.md", "The freeze starts next Thursday.", { said: undefined })], thursday)).toEqual([expect.objectContaining({ kind: "flag" })]);
  });
});

describe("the limits of a dream", () => {
  const notes = Array.from({ length: 20 }, (_, index) => note(`${index}.md`, `Fact number ${index}.`));
  const retire = (file: string): DreamOperation => ({ kind: "retire", cause: "reference", files: [file], reason: "", edits: [{ kind: "retire", file, by: "nothing" }], ask: false });

  it("let a quarter of the notes change, whoever proposes more", () => {
    const { operations, refused } = boundPlan(notes.map(({ file }) => retire(file)), notes, { unsigned: true });
    expect(operations).toHaveLength(5);
    expect(refused.map(({ reason }) => reason)).toEqual(Array.from({ length: 15 }, () => "limit"));
  });

  it("refuse what names no note and what is protected, even in a review", () => {
    const pinned = [note("a.md", "x", { pinned: true }), ...notes];
    expect(boundPlan([retire("a.md"), retire("../../x.md")], pinned, { unsigned: true }).refused.map(({ reason }) => reason)).toEqual(["protected", "unknown-note"]);
  });
});

describe("a dream is due", () => {
  it("a day after the last one, and after five sessions", () => {
    expect(isDreamDue(undefined, START, () => 5)).toEqual({ due: true, sessions: 5 });
    expect(isDreamDue(START - DAY, START, () => 5)).toMatchObject({ due: true });
    expect(isDreamDue(START - DAY + 1, START, () => 5)).toMatchObject({ due: false, reason: "recent" });
    expect(isDreamDue(START - DAY, START, () => 4)).toMatchObject({ due: false, reason: "few-sessions" });
  });

  it("asks for sessions only when the time has come", () => {
    expect(isDreamDue(START - 1, START, () => expect.fail("asked"))).toMatchObject({ due: false });
  });

  it("when the clock was set back", () => {
    expect(isDreamDue(START + 30 * DAY, START, () => 9)).toMatchObject({ due: true });
  });
});
