import { describe, expect, it } from "vitest";
import { ageInWords, isOld } from "../../../src/core/shared/clock.ts";

const at = (iso: string): number => Date.parse(iso);
const now = at("2026-11-21T08:00:00Z");

describe("age in words", () => {
  it.each([
    ["2026-11-21T07:59:00Z", "today"],
    ["2026-11-21T00:00:00Z", "today"],
    ["2026-11-20T23:59:00Z", "yesterday"],
    ["2026-11-20T00:00:00Z", "yesterday"],
    ["2026-11-19T23:59:00Z", "2 days ago"],
    ["2025-11-21T08:00:00Z", "365 days ago"],
    ["2026-11-21T09:00:00Z", "today"],
    ["2026-11-22T00:00:00Z", "dated in the future"],
    ["2031-01-01T00:00:00Z", "dated in the future"],
  ])("of %s is %s", (iso, words) => {
    expect(ageInWords(at(iso), now, "UTC")).toBe(words);
  });

  it("counts the days of the reader's own calendar", () => {
    expect(ageInWords(at("2026-11-20T16:00:00Z"), now, "Asia/Tokyo")).toBe("today");
    expect(ageInWords(at("2026-11-21T07:00:00Z"), now, "America/Los_Angeles")).toBe("yesterday");
  });

  it("counts a day on which the clocks change as one day", () => {
    expect(ageInWords(at("2026-10-24T22:30:00Z"), at("2026-10-26T00:30:00Z"), "Europe/Berlin")).toBe("yesterday");
  });

  it("does not fail on a number that is no moment", () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY, 9e15].map((ms) => ageInWords(ms, now, "UTC"))).toEqual(
      Array.from({ length: 3 }, () => "of unknown date"),
    );
  });
});

describe("a note is old", () => {
  it("after a day, and when its day is not known", () => {
    expect([now - 86_400_001, now - 86_400_000, now + 1, Number.NaN].map((ms) => isOld(ms, now))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
