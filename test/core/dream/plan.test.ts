import { describe, expect, it } from "vitest";
import { isDreamDue, type DreamNote, type DreamOperation } from "../../../src/core/dream/operation.ts";
import { dateResolver } from "../../../src/core/notes/dates/resolve.ts";
import { boundPlan, planDream } from "../../../src/core/dream/plan.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-03-02T10:00:00Z");

function note(file: string, body: string, more: Partial<DreamNote> = {}): DreamNote {
  return {
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
}

function plan(notes: readonly DreamNote[]): readonly DreamOperation[] {
  return planDream({ notes, dates: dateResolver, successorOf: () => undefined, timeZone: "UTC" });
}

describe("a dream over duplicates", () => {
  const rule = "Integration tests use the postgres container.";

  it("keeps the one that knows the reason", () => {
    const operations = plan([
      note("old.md", `${rule}\n\n**Why:** mocks hid a broken migration.`),
      note("new.md", rule, { time: START + DAY }),
    ]);
    expect(operations).toEqual([
      expect.objectContaining({
        kind: "merge",
        files: ["old.md", "new.md"],
        edits: [{ kind: "retire", file: "new.md", by: "old.md" }],
      }),
    ]);
  });

  it("joins reasons that only one of them knows", () => {
    const [operation] = plan([
      note("a.md", `${rule}\n\n**Why:** one.`),
      note("b.md", `${rule}\n\n**Why:** two.`, { time: START + DAY }),
    ]);
    expect(operation?.edits).toEqual([
      { kind: "append", file: "b.md", text: "**Why:** one." },
      { kind: "retire", file: "a.md", by: "b.md" },
    ]);
  });

  it.each([{ author: "person" as const }, { pinned: true }])("never retires a protected note: %j", (guard) => {
    expect(plan([note("mine.md", rule, guard), note("theirs.md", rule, guard)])).toEqual([]);
    expect(plan([note("mine.md", rule, guard), note("agents.md", rule, { time: START + DAY })])).toEqual([
      expect.objectContaining({ files: ["mine.md", "agents.md"] }),
    ]);
  });

  it("keeps a note alive whose reasons a protected one cannot take in", () => {
    expect(
      plan([note("mine.md", rule, { pinned: true }), note("agents.md", `${rule}\n\n**Why:** only here.`)]),
    ).toEqual([]);
  });

  it("asks where nobody signed the note that would go", () => {
    const operations = plan([
      note("a.md", rule, { author: "unknown" }),
      note("b.md", rule, { author: "unknown", time: START + DAY }),
    ]);
    expect(operations).toEqual([expect.objectContaining({ kind: "merge", ask: true })]);
    expect(boundPlan(operations, [note("a.md", rule), note("b.md", rule)], { unsigned: false })).toMatchObject({
      operations: [],
      refused: [{ reason: "unsigned" }],
    });
  });
});

describe("a dream over contradictions", () => {
  it("retires the older note where the newer says that it changed", () => {
    expect(
      plan([
        note("old.md", "Releases go out on Monday."),
        note("new.md", "Releases now go out on Thursday.", { time: START + 2 * DAY }),
      ]),
    ).toEqual([
      expect.objectContaining({
        kind: "supersede",
        files: ["new.md", "old.md"],
        edits: [{ kind: "retire", file: "old.md", by: "new.md" }],
      }),
    ]);
  });

  it("leaves it to a person otherwise", () => {
    expect(
      plan([
        note("old.md", "Releases go out on Monday."),
        note("new.md", "Releases go out on Thursday.", { time: START + 2 * DAY }),
      ]),
    ).toEqual([expect.objectContaining({ kind: "conflict", edits: [] })]);
  });

  it("sees none between a preference and a fact", () => {
    expect(
      plan([
        note("a.md", "Releases go out on Monday."),
        note("b.md", "Releases go out on Thursday.", { type: "user" }),
      ]),
    ).toEqual([]);
  });
});

describe("a dream over references", () => {
  it("corrects what git renamed", () => {
    const checks = [
      {
        claim: "src/a.ts",
        kind: "path" as const,
        verdict: "renamed" as const,
        detail: "src/b.ts (3f2a1b4, 2026-03-01)",
      },
    ];
    expect(plan([note("a.md", "The retry in `src/a.ts` is idempotent.", { checks })])).toEqual([
      expect.objectContaining({
        kind: "correct",
        edits: [{ kind: "replace", file: "a.md", from: "src/a.ts", to: "src/b.ts" }],
      }),
    ]);
  });

  it("retires a fact about things that are all gone, never a wish", () => {
    const checks = [
      { claim: "src/a.ts", kind: "path" as const, verdict: "gone" as const, detail: "deleted in 3f2a1b4, 2026-03-01" },
    ];
    expect(plan([note("a.md", "`src/a.ts` is a shim.", { checks })])).toEqual([
      expect.objectContaining({ kind: "retire" }),
    ]);
    expect(plan([note("a.md", "Never touch `src/a.ts`.", { checks, type: "feedback" })])).toEqual([
      expect.objectContaining({ kind: "flag" }),
    ]);
    expect(
      plan([
        note("a.md", "`src/a.ts` is a shim for `b`.", {
          checks: [...checks, { claim: "b", kind: "symbol", verdict: "holds" }],
        }),
      ]),
    ).toEqual([expect.objectContaining({ kind: "flag" })]);
  });
});

describe("a dream over branches and packages", () => {
  it.each([
    { claim: "release/2.4", kind: "branch" as const, verdict: "gone" as const, detail: "was checked out here once" },
    {
      claim: "left-pad",
      kind: "package" as const,
      verdict: "gone" as const,
      detail: "no longer a dependency since 3f2a1b4, 2026-03-01",
    },
  ])("tells that $claim is gone and leaves the note, for what was said of it may be a decision", (check) => {
    expect(plan([note("a.md", `Fixes for customers go to \`${check.claim}\` first.`, { checks: [check] })])).toEqual([
      expect.objectContaining({
        kind: "flag",
        cause: "reference",
        edits: [],
        reason: expect.stringContaining(check.detail),
      }),
    ]);
  });
});

describe("a dream over dates", () => {
  // START is a Monday.
  const edits = (body: string, more: Partial<DreamNote> = {}): DreamOperation["edits"] =>
    plan([note("a.md", body, { description: "", ...more })]).flatMap((operation) => operation.edits);

  it("writes the date beside the words, once", () => {
    expect(edits("The freeze starts next Monday.")).toEqual([
      {
        kind: "replace",
        file: "a.md",
        from: "The freeze starts next Monday.",
        to: "The freeze starts next Monday (2026-03-09).",
      },
    ]);
    expect(edits("The freeze starts next Monday (2026-03-09).")).toEqual([]);
  });

  it("counts back from the day on which it was said", () => {
    expect(edits("Bob deployed it last Monday.")).toMatchObject([{ to: "Bob deployed it last Monday (2026-02-23)." }]);
    expect(edits("Bob deployed it last Monday.", { time: START + 30 * DAY })).toMatchObject([
      { to: "Bob deployed it last Monday (2026-02-23)." },
    ]);
  });

  it("changes the line that was said, and not the same words in a quotation", () => {
    expect(edits('The rule says "not before next Monday".\n\nWe start next Monday.')).toEqual([
      { kind: "replace", file: "a.md", from: "We start next Monday.", to: "We start next Monday (2026-03-09)." },
    ]);
  });

  it("corrects the description with the body", () => {
    expect(
      edits("We moved yesterday.", { description: "Moved yesterday" }).map((edit) => "to" in edit && edit.to),
    ).toEqual(["We moved yesterday (2026-03-01).", "Moved yesterday (2026-03-01)"]);
  });

  it("leaves a day alone that may come every week", () => {
    expect(edits("Releases go out on Tuesday.")).toEqual([]);
    expect(edits("The audit must be done by Tuesday.")).toHaveLength(1);
  });

  it("only tells where it is not known when the words were said", () => {
    expect(plan([note("a.md", "The freeze starts next Monday.", { said: undefined })])).toEqual([
      expect.objectContaining({ kind: "flag", reason: expect.stringContaining('"next Monday"') }),
    ]);
  });
});

describe("the limits of a dream", () => {
  const notes = Array.from({ length: 20 }, (_, index) => note(`${index}.md`, `Fact number ${index}.`));
  const retire = (file: string): DreamOperation => ({
    kind: "retire",
    cause: "reference",
    files: [file],
    reason: "",
    edits: [{ kind: "retire", file, by: "nothing" }],
    ask: false,
  });

  it("let a quarter of the notes change, whoever proposes more", () => {
    const { operations, refused } = boundPlan(
      notes.map(({ file }) => retire(file)),
      notes,
      { unsigned: true },
    );
    expect(operations).toHaveLength(5);
    expect(refused.map(({ reason }) => reason)).toEqual(Array.from({ length: 15 }, () => "limit"));
  });

  it("refuse what names no note and what is protected, even in a review", () => {
    const pinned = [note("a.md", "x", { pinned: true }), ...notes];
    expect(
      boundPlan([retire("a.md"), retire("../../x.md")], pinned, { unsigned: true }).refused.map(({ reason }) => reason),
    ).toEqual(["protected", "unknown-note"]);
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

describe("notes that contradict one another", () => {
  const port = (n: number, more: Partial<DreamNote> = {}): DreamNote =>
    note(`port-${n}.md`, `The billing service listens on port ${8000 + n}.`, { time: START + n * DAY, ...more });

  it.each([
    ["the newer first", [port(1), port(0)]],
    ["the older first", [port(0), port(1)]],
  ])("are told with their values in the order of their files, %s", (_order, notes) => {
    const [conflict] = plan(notes);
    expect(conflict?.files).toEqual(["port-1.md", "port-0.md"]);
    expect(conflict?.reason.indexOf("8001")).toBeLessThan(conflict?.reason.indexOf("8000") ?? -1);
  });

  it("are one conflict however many they are, which names the newest and counts what it does not name", () => {
    const [conflict, ...others] = plan(Array.from({ length: 40 }, (_, n) => port(n)));
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({ kind: "conflict", more: 30 });
    expect(conflict?.files).toHaveLength(10);
    expect(conflict?.files[0]).toBe("port-39.md");
    expect(conflict?.reason).toContain("38 notes more");
  });

  it.each([
    [DAY - 1, "conflict"],
    [DAY, "supersede"],
  ])("are settled by a newer note that says it changed from a day's distance on: %d ms", (apart, kind) => {
    const notes = [
      note("old.md", "Releases go out on Monday."),
      note("new.md", "Releases now go out on Thursday.", { time: START + apart }),
    ];
    expect(plan(notes).map((operation) => operation.kind)).toEqual([kind]);
  });
});
