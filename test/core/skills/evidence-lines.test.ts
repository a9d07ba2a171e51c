import { describe, expect, it } from "vitest";
import { eventLine, parseEvents } from "../../../src/core/skills/store.ts";
import type { EvidenceEvent } from "../../../src/core/skills/types.ts";

const AT = { id: "e1", time: 1, revision: 1 } as const;
const place = { agent: "codex", session: "s", task: "t" };
const EVENTS: readonly EvidenceEvent[] = [
  { ...AT, kind: "written", author: "host-agent", sha256: "s", check: "c" },
  { ...AT, kind: "offered", place },
  { ...AT, kind: "loaded", place },
  { ...AT, kind: "followed", place, result: "pass", calls: 3, minutes: 1 },
  { ...AT, kind: "corrected", place },
  { ...AT, kind: "harm", place, how: "reverted" },
  { ...AT, kind: "tried", result: "vacuous", note: "" },
  { ...AT, kind: "stale", what: "a.sh is gone" },
  { ...AT, kind: "wanted", place },
  { ...AT, kind: "person", action: "pin" },
];

describe("a line of evidence", () => {
  it.each(EVENTS.map((event) => [event.kind, event] as const))("of %s is read back", (_, event) => {
    expect(parseEvents(eventLine([event]))).toEqual([event]);
  });

  it("of several events is one line, there whole or not", () => {
    const line = eventLine(EVENTS);
    expect(line).not.toContain("\n");
    expect(parseEvents(line)).toEqual(EVENTS);
    expect(parseEvents(line.slice(0, -1))).toEqual([]);
  });

  it.each([
    ["no id", { id: 3 }],
    ["no time", { time: "now" }],
    ["no revision", { revision: "1" }],
    ["a kind of a newer memdir", { kind: "sung" }],
    ["no kind", { kind: undefined }],
  ])("with %s is passed over, and those beside it are read", (_, change) => {
    const good = EVENTS[1];
    expect(parseEvents(JSON.stringify([{ ...good, ...change }, good]))).toEqual([good]);
  });

  const FIELDS = EVENTS.flatMap((event) =>
    Object.keys(event)
      .filter((key) => !["id", "time", "revision", "kind", "check", "calls", "minutes"].includes(key))
      .map((key) => [event.kind, key, event] as const),
  );
  it.each(FIELDS)("of %s with an odd %s is passed over", (_, key, event) => {
    expect(parseEvents(JSON.stringify({ ...event, [key]: 3 }))).toEqual([]);
    expect(parseEvents(JSON.stringify({ ...event, [key]: key === "note" ? undefined : "" }))).toEqual(
      ["sha256", "how", "what"].includes(key) ? [{ ...event, [key]: "" }] : [],
    );
  });

  it.each(["agent", "session", "task"])("whose place has no %s is passed over", (key) => {
    expect(parseEvents(JSON.stringify({ ...EVENTS[1], place: { ...place, [key]: 3 } }))).toEqual([]);
  });

  it.each(["", "{", "null", "3", '"text"', "[]", "[[]]"])("that is %j says nothing", (line) => {
    expect(parseEvents(line)).toEqual([]);
  });
});
