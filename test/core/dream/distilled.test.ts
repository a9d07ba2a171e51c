import { describe, expect, it } from "vitest";
import type { DreamNote, DreamOperation } from "../../../src/core/dream/operation.ts";
import { boundPlan } from "../../../src/core/dream/plan.ts";
import { type DistilledNote, withDistilled } from "../../../src/app/dream/distil-log.ts";

function note(file: string, author: DreamNote["author"] = "agent"): DreamNote {
  return {
    file,
    name: file,
    type: "feedback",
    description: file,
    body: file,
    time: 0,
    said: 0,
    author,
    pinned: false,
    links: [],
    checks: [],
    hash: "",
  };
}

function fresh(file: string, retires?: string): DistilledNote {
  return { note: note(file), content: `text of ${file}`, reason: "log of 2026-11-22, 14:03", retires };
}

function retirement(stays: string, goes: string, ask = false): DreamOperation {
  return {
    kind: "supersede",
    cause: "contradiction",
    files: [stays, goes],
    reason: "it changed",
    edits: [{ kind: "retire", file: goes, by: stays }],
    ask,
  };
}

const CREATE = { kind: "create", file: "new.md", content: "text of new.md" };

describe("a distilled note", () => {
  it("is made, and changes nothing else", () => {
    expect(withDistilled([], [fresh("new.md")], [], false)).toMatchObject([
      { kind: "distil", files: ["new.md"], edits: [CREATE] },
    ]);
  });

  it("is left out where a note says it already", () => {
    expect(withDistilled([retirement("old.md", "new.md")], [fresh("new.md")], [note("old.md")], false)).toEqual([]);
  });

  it("retires in one operation with it what the rules say it replaces, and leaves other operations alone", () => {
    const other = retirement("a.md", "b.md");
    expect(
      withDistilled([other, retirement("new.md", "old.md")], [fresh("new.md")], [note("old.md")], false),
    ).toMatchObject([
      other,
      { files: ["new.md", "old.md"], edits: [CREATE, { kind: "retire", file: "old.md", by: "new.md" }] },
    ]);
  });

  it("retires what capture says it replaces, once, and never a person's note or one that nobody signed", () => {
    expect(
      withDistilled([retirement("new.md", "old.md")], [fresh("new.md", "old.md")], [note("old.md")], false)[0]?.edits,
    ).toHaveLength(2);
    expect(withDistilled([], [fresh("new.md", "old.md")], [note("old.md")], false)[0]?.edits).toMatchObject([
      CREATE,
      { kind: "retire", file: "old.md" },
    ]);
    for (const author of ["person", "unknown"] as const)
      expect(
        withDistilled(
          [retirement("new.md", "old.md", true)],
          [fresh("new.md", "old.md")],
          [note("old.md", author)],
          false,
        )[0]?.edits,
      ).toEqual([CREATE]);
  });

  it("says once what two entries say", () => {
    const merged = withDistilled([retirement("new.md", "again.md")], [fresh("new.md"), fresh("again.md")], [], false);
    expect(merged).toMatchObject([{ files: ["new.md"], edits: [CREATE] }]);
  });

  it("does not count among the notes that a run may change, but what it retires does", () => {
    const [made] = withDistilled([retirement("new.md", "old.md")], [fresh("new.md")], [note("old.md")], false);
    const four = ["old.md", "b.md", "c.md", "d.md"].map((file) => note(file));
    if (made === undefined) throw new Error("nothing was made");
    expect(boundPlan([made, retirement("b.md", "c.md")], four, { unsigned: false })).toMatchObject({
      operations: [{ kind: "distil" }],
      refused: [{ reason: "limit" }],
    });
    expect(boundPlan([made], [note("old.md", "person")], { unsigned: false })).toMatchObject({
      operations: [],
      refused: [{ reason: "protected" }],
    });
  });
});
