import { describe, expect, it } from "vitest";
import { type LifeChange, lineageOf, type Lives, traceLives, withJoined } from "../../../src/core/notes/history.ts";

const ONE = "1".repeat(24);
const TWO = "2".repeat(24);

interface Told {
  readonly actor?: string;
  readonly reason?: string;
  readonly changes: readonly LifeChange[];
}

function lives(...told: readonly Told[]): Lives {
  return traceLives(
    told.map(({ actor = "external", reason = "", changes }, at) => ({
      seq: at + 1,
      time: `2026-01-0${at + 1}T00:00:00Z`,
      actor,
      reason,
      changes,
    })),
  );
}

const has = (file: string, content: string, lineage?: string): LifeChange => ({ file, content, lineage });
const went = (file: string, lineage?: string): LifeChange => ({ file, content: undefined, lineage });

describe("a note keeps its lineage", () => {
  it.each<[string, readonly Told[]]>([
    ["when it is changed", [{ changes: [has("a.md", "x")] }, { changes: [has("a.md", "y")] }]],
    ["when it is renamed by hand", [{ changes: [has("b.md", "x"), went("a.md")] }]],
    [
      "when it is removed and comes back with its bytes",
      [{ changes: [went("a.md")] }, { changes: [has("c.md", "x")] }],
    ],
    ["when it is copied first and removed then", [{ changes: [has("b.md", "x")] }, { changes: [went("a.md")] }]],
    ["in its conflict copy", [{ changes: [has("a.conflict-1.md", "z")] }]],
    ["in a conflict copy that outlives it", [{ changes: [went("a.md")] }, { changes: [has("a.conflict-2.md", "z")] }]],
  ])("%s", (_, rest) => {
    const all = lives({ actor: "user", changes: [has("a.md", "x", ONE)] }, ...rest);
    expect([...all.present.values()].map(({ lineage }) => lineage)).toEqual([...all.present.values()].map(() => ONE));
    expect(all.present.size).toBeGreaterThan(0);
  });

  it("that is derived where nothing was recorded, the same each time and another for each note", () => {
    const told = [{ changes: [has("a.md", "x"), has("b.md", "x")] }];
    const [a, b] = [lineageOf(lives(...told), "a.md"), lineageOf(lives(...told), "b.md")];
    expect(a).toMatch(/^[0-9a-f]{24}$/u);
    expect(lineageOf(lives(...told), "a.md")).toBe(a);
    expect(b).not.toBe(a);
  });

  it("in both stores of a move that was made before lineages were recorded", () => {
    const source = lives(
      { changes: [has("a.md", "x")] },
      { reason: "moved to user:b.md (transfer 0123abcd)", changes: [went("a.md")] },
    );
    const target = lives({ reason: "moved here from project:a.md (transfer 0123abcd)", changes: [has("b.md", "x")] });
    const whole = withJoined([lineageOf(target, "b.md") ?? ""], [source, target]);
    expect(whole.has(source.at(1, "a.md") ?? "")).toBe(true);
    expect(whole.has(source.at(2, "a.md") ?? "")).toBe(true);
  });
});

describe("a note of another lineage", () => {
  it("is one that was made anew under the name, whatever its text", () => {
    const all = lives(
      { actor: "user", changes: [has("a.md", "x", ONE)] },
      { actor: "user", changes: [went("a.md")] },
      { actor: "user", changes: [has("a.md", "x", TWO)] },
    );
    expect([all.at(1, "a.md"), all.at(2, "a.md"), all.at(3, "a.md")]).toEqual([ONE, ONE, TWO]);
    expect(withJoined([TWO], [all])).toEqual(new Set([TWO]));
  });

  it("does not take over when one with the same text is removed", () => {
    const all = lives(
      { actor: "user", changes: [has("a.md", "x", ONE), has("b.md", "x", TWO)] },
      { changes: [went("a.md")] },
    );
    expect(lineageOf(all, "b.md")).toBe(TWO);
  });
});

describe("two notes that become one", () => {
  const merged: readonly Told[] = [
    { actor: "user", changes: [has("a.md", "x", ONE), has("b.md", "y", TWO)] },
    { actor: "dream", changes: [has("a.md", "retired", TWO)] },
  ];

  it("are forgotten together, whichever is named", () => {
    const all = lives(...merged);
    expect(lineageOf(all, "a.md")).toBe(TWO);
    expect(withJoined([TWO], [all])).toEqual(new Set([TWO, ONE]));
  });

  it("are not made one by a sync that gives the name to another note, unless both have the same text", () => {
    const synced = (content: string): Lives =>
      lives(
        { actor: "user", changes: [has("a.md", "x", ONE)] },
        { actor: "sync", changes: [has("a.md", content, TWO)] },
      );
    expect(withJoined([TWO], [synced("y")])).toEqual(new Set([TWO]));
    expect(withJoined([TWO], [synced("x")])).toEqual(new Set([TWO, ONE]));
    expect(lineageOf(synced("y"), "a.md")).toBe(TWO);
  });

  it("are two again when the merge is taken back", () => {
    const all = lives(...merged, { actor: "undo", changes: [has("a.md", "x", ONE)] });
    expect(withJoined([TWO], [all])).toEqual(new Set([TWO]));
    expect(withJoined([ONE], [all])).toEqual(new Set([ONE]));
    expect(all.at(2, "a.md")).toBe(TWO);
  });
});
