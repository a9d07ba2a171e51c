import { describe, expect, it } from "vitest";
import { surfacedIn } from "../../../src/core/recall/ledger.ts";
import { mentions, readLogLine, writeCompactionLine, writeLogLine } from "../../../src/core/recall/log-line.ts";

const TIME = "2026-11-22T05:00:00.000Z";
const shown = (session: string, file: string): string =>
  writeLogLine({ time: TIME, session, project: "p", prompt: "q", ms: 1, selected: [{ scope: "project", file, hash: "h", score: 1 }], pointed: [], candidates: [], floors: { whole: 1, pointer: 0 }, cut: [], characters: 100, by: "rules", notes: {} });

describe("a session's ledger", () => {
  it("forgets what came before a compaction of that session, and of no other", () => {
    const lines = [shown("one", "a.md"), shown("two", "b.md"), writeCompactionLine("one", TIME), shown("one", "c.md")];
    const one = surfacedIn({ tail: () => lines }, "one");
    expect([...one.surfaced.keys()]).toEqual(["project:c.md"]);
    expect(one.characters).toBe(100);
    expect([...surfacedIn({ tail: () => lines }, "two").surfaced.keys()]).toEqual(["project:b.md"]);
  });

  it("keeps the mark apart from recalls: it is none, and names no note", () => {
    const line = writeCompactionLine("one", TIME);
    expect(readLogLine(line)).toBeUndefined();
    expect(mentions(line, "a.md")).toBe(false);
  });
});
