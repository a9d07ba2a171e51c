import { describe, expect, it } from "vitest";
import { notesThatHelped } from "../../../src/core/transcripts/notes-that-helped.ts";
import { proposeRetiring } from "../../../src/core/dream/plan.ts";
import { ranksOf, type UseEvent, usageOf } from "../../../src/core/notes/note-index.ts";

const event = (day: number, shown: readonly string[], helped: readonly string[] = []): UseEvent => ({
  time: new Date(Date.parse("2026-01-01T00:00:00Z") + day * 86_400_000).toISOString(),
  shown: new Map(shown.map((file) => [file, 1])),
  helped: new Map(helped.map((file) => [file, 1])),
});
const times = (count: number, make: (at: number) => UseEvent): readonly UseEvent[] =>
  Array.from({ length: count }, (_, at) => make(at));
const rank = (events: readonly UseEvent[], file: string): number => ranksOf(usageOf(events)).get(file) ?? 0;

describe("the rank of a note", () => {
  it("rises by help and not by being shown", () => {
    const events = [...times(9, (at) => event(at, ["shown.md"])), event(9, [], ["opened.md"])];
    expect([rank(events, "shown.md"), rank(events, "opened.md") > 0]).toEqual([0, true]);
  });

  it("sinks below all others once it was shown ten times in vain, and rises again with help", () => {
    const vain = times(10, (at) => event(at, ["junk.md"]));
    expect(rank(vain, "junk.md")).toBe(-1);
    expect(rank([...vain, event(20, [], ["junk.md"])], "junk.md")).toBeGreaterThan(0);
  });

  it("fades: what helped last year stands behind what helps now", () => {
    const events = [event(0, [], ["old.md"]), event(1, [], ["old.md"]), event(360, [], ["new.md"])];
    expect(rank(events, "new.md")).toBeGreaterThan(rank(events, "old.md"));
    expect(rank(events, "old.md")).toBeGreaterThan(0);
  });
});

describe("what an agent went by", () => {
  const turn = (role: "user" | "assistant", text: string, input?: unknown) => ({
    role,
    id: "1",
    text,
    time: undefined,
    toolCalls: input === undefined ? [] : [{ id: "t", name: "Read", input }],
  });
  const notes = { directory: "/home/ann/memory", files: ["feedback_lint.md", "project_freeze.md", "user_role.md"] };

  it("is the file that it opened or named, not what a person's message or another directory holds", () => {
    expect(
      notesThatHelped(
        [
          turn("user", "see user_role.md"),
          turn("assistant", "As feedback_lint.md says, I ran the linter."),
          turn("assistant", "", { file_path: "/home/ann/memory/project_freeze.md" }),
          turn("assistant", "", { file_path: "/elsewhere/user_role.md" }),
        ],
        notes,
      ),
    ).toEqual(["feedback_lint.md", "project_freeze.md"]);
  });
});

describe("a dream", () => {
  const note = {
    file: "a.md",
    name: "a",
    type: "feedback" as const,
    description: "a",
    body: "a",
    time: 0,
    said: undefined,
    author: "agent" as const,
    pinned: false,
    links: [],
    checks: [],
    hash: "",
  };

  it("proposes to retire what was shown in vain, and never what a person wrote or pinned", () => {
    expect(proposeRetiring({ ...note, shownInVain: 10 })).toMatchObject([
      { kind: "retire", cause: "unused", ask: true },
    ]);
    expect(proposeRetiring({ ...note, shownInVain: 9 })).toEqual([]);
    expect(proposeRetiring({ ...note, shownInVain: 40, author: "person" })).toEqual([]);
    expect(proposeRetiring({ ...note, shownInVain: 40, pinned: true })).toEqual([]);
  });
});
