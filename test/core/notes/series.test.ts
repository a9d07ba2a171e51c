import { describe, expect, it } from "vitest";
import { areBeside, placesAround, seriesPlace } from "../../../src/core/notes/statement.ts";

const at = (file: string, mtimeMs: number) => ({ file, mtimeMs });

describe("an entry of a series", () => {
  it("is told from a note by its place in a file", () => {
    expect(seriesPlace(at("2026/11/2026-11-22.md#093939-1f2e3d4c", 3))).toEqual({
      series: "2026/11/2026-11-22.md",
      number: 3,
    });
    for (const file of ["note.md", "sharp#3.md", "log#3"]) expect(seriesPlace(at(file, 3))).toBeUndefined();
  });

  it("has the entries before and after it around, the one before counting most; a note has nothing", () => {
    const numbers = (place: number): readonly number[] =>
      placesAround(at("d/day.md#a", place)).map(({ number }) => number);
    expect(numbers(3)).toEqual([2, 4, 1, 5]);
    expect(numbers(1)).toEqual([2, 3]);
    const shares = placesAround(at("d/day.md#a", 3)).map(({ share }) => share);
    expect(shares[0]).toBeGreaterThan(shares[1] ?? 1);
    expect(placesAround(at("note.md", 1_700_000_000_000))).toEqual([]);
  });

  it("stands beside the next of its own file alone", () => {
    const one = at("d/day.md#a", 3);
    expect(
      [at("d/day.md#b", 4), at("d/day.md#c", 5), at("d/other.md#b", 4), at("note.md", 4)].map((other) =>
        areBeside(one, other),
      ),
    ).toEqual([true, false, false, false]);
  });
});
