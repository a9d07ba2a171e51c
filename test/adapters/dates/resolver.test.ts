import { describe, expect, it } from "vitest";
import { createDateResolver } from "../../../src/adapters/dates/resolver.ts";

const dates = createDateResolver();
// A Wednesday, 16:00 in Prague.
const reference = { ms: Date.parse("2026-03-11T15:00:00Z"), timeZone: "Europe/Prague" };
const found = (text: string, at = reference): readonly (readonly [string, string])[] =>
  dates.resolve(text, at).map(({ start, end, day }) => [text.slice(start, end), day] as const);

describe("createDateResolver", () => {
  it.each([
    ["ship it by Friday", "Friday", "2026-03-13"],
    ["ship it by this Friday", "this Friday", "2026-03-13"],
    ["the demo is on Monday", "Monday", "2026-03-16"],
    ["we freeze next Thursday", "next Thursday", "2026-03-19"],
    ["ready tomorrow", "tomorrow", "2026-03-12"],
    ["ready the day after tomorrow", "the day after tomorrow", "2026-03-13"],
    ["revisit in two weeks", "in two weeks", "2026-03-25"],
    ["revisit in 3 days", "in 3 days", "2026-03-14"],
    ["broken since yesterday", "yesterday", "2026-03-10"],
    ["done two days ago", "two days ago", "2026-03-09"],
    ["the freeze ends at the end of the month", "end of the month", "2026-03-31"],
    ["due end of month", "end of month", "2026-03-31"],
    ["due by April 15", "April 15", "2026-04-15"],
    ["by Thursday at 5pm", "Thursday", "2026-03-12"],
    ["due Fri, by Fri", "Fri", "2026-03-13"],
  ])("resolves %j", (text, words, day) => {
    expect(found(text)).toContainEqual([words, day]);
  });

  it("gives both ends of a range", () => {
    expect(found("away from Monday until April 2")).toEqual([["Monday", "2026-03-16"], ["April 2", "2026-04-02"]]);
  });

  it.each([
    "do it now", "fix today's build", "as of March we use v2", "it may be slow", "the second commit", "call it at 3pm", "next sprint",
    "in five minutes", "keep logs for 90 days", "version 1.2.3", "released on 2026-03-20", "the sun is out", "mon ami", "a march on Rome",
    "deploy every Friday", "deploys happen on Fridays", "Friday's build", "10/12 tests pass", "this afternoon",
  ])("finds no date in %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("reads the day in the session's zone", () => {
    const lateEvening = Date.parse("2026-03-11T23:30:00Z");
    expect(found("tomorrow", { ms: lateEvening, timeZone: "UTC" })).toEqual([["tomorrow", "2026-03-12"]]);
    expect(found("tomorrow", { ms: lateEvening, timeZone: "Asia/Tokyo" })).toEqual([["tomorrow", "2026-03-13"]]);
    expect(found("tomorrow", { ms: lateEvening, timeZone: "Not/AZone" })).toEqual([["tomorrow", "2026-03-12"]]);
  });
});
