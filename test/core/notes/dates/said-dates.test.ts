import { describe, expect, it } from "vitest";
import { isOfDate, saidDates } from "../../../../src/core/notes/dates/said-dates.ts";

const date = (year: number | undefined, month: number, day: number | undefined): object => ({ year, month, day });

describe("dates that a prompt says", () => {
  it.each([
    ["what broke on May 3, 2026?", date(2026, 5, 3)],
    ["what broke on 3 May 2026?", date(2026, 5, 3)],
    ["the 3rd of May", date(undefined, 5, 3)],
    ["log of 2026-05-03", date(2026, 5, 3)],
    ["since 2026-05", date(2026, 5, undefined)],
    ["what did we decide in June?", date(undefined, 6, undefined)],
    ["what did we decide in may?", date(undefined, 5, undefined)],
    ["decided Sep 7", date(undefined, 9, 7)],
    ["December 2025", date(2025, 12, undefined)],
  ])("%s", (prompt, said) => {
    expect(saidDates(prompt)).toEqual([said]);
  });

  it.each(["this may fail", "march on", "version 2026-99-12", "a decent marble", "on mar the surface", "in sepia"])(
    "are none in: %s",
    (prompt) => {
      expect(saidDates(prompt)).toEqual([]);
    },
  );

  it("fit the logs of those days, as far as they say", () => {
    expect(isOfDate("2026/05/2026-05-03.md#4", saidDates("on 3 May"))).toBe(true);
    expect(isOfDate("2026/05/2026-05-04.md#4", saidDates("on 3 May"))).toBe(false);
    expect(isOfDate("2025/05/2025-05-03.md#4", saidDates("in May 2026"))).toBe(false);
    expect(isOfDate("2026-05-03.md", saidDates("on 3 May"))).toBe(false);
  });
});
