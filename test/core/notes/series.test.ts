import { describe, expect, it } from "vitest";
import { entriesAround, seriesPlace } from "../../../src/core/notes/series.ts";

describe("an entry of a series", () => {
  it("is told from a note by its place in a file", () => {
    expect(seriesPlace("2026/11/2026-11-22.md#3")).toEqual({ series: "2026/11/2026-11-22.md", number: 3 });
    for (const file of ["note.md", "sharp#3.md", "2026/11/2026-11-22.md#0", "2026/11/2026-11-22.md#x", "log#3"]) expect(seriesPlace(file)).toBeUndefined();
  });

  it("has the entries before and after it around, the one before counting most; a note has nothing", () => {
    expect(entriesAround("d/day.md#3").map(({ file }) => file)).toEqual(["d/day.md#2", "d/day.md#4", "d/day.md#1", "d/day.md#5"]);
    expect(entriesAround("d/day.md#1").map(({ file }) => file)).toEqual(["d/day.md#2", "d/day.md#3"]);
    const shares = entriesAround("d/day.md#3").map(({ share }) => share);
    expect(shares[0]).toBeGreaterThan(shares[1] ?? 1);
    expect(entriesAround("note.md")).toEqual([]);
  });
});
