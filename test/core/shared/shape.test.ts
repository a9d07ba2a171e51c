import { describe, expect, it } from "vitest";
import { finite, firstOf, flag, listOf, objectOf, oneOf, or, text } from "../../../src/core/shared/shape.ts";

const NOTE = objectOf({ file: text, score: or(finite, 0) }, { kind: oneOf("whole", "line") });

describe("reading a value of unknown shape", () => {
  it("keeps the named fields and leaves out others", () => {
    expect(NOTE({ file: "a.md", score: 0.5, kind: "line", extra: 1 })).toEqual({
      file: "a.md",
      score: 0.5,
      kind: "line",
    });
  });

  it("leaves out an optional field of another shape, and fills in a fallback", () => {
    expect(NOTE({ file: "a.md", score: "high", kind: "both" })).toStrictEqual({ file: "a.md", score: 0 });
    expect(NOTE({ file: "a.md", score: Infinity })).toStrictEqual({ file: "a.md", score: 0 });
  });

  it("is undefined without a required field, and for anything that is not an object", () => {
    for (const value of [{}, { file: 1 }, [], ["a.md"], null, "a.md", undefined]) expect(NOTE(value)).toBeUndefined();
  });

  it("keeps the entries of a list that have the right shape", () => {
    expect(listOf(NOTE)([{ file: "a.md" }, { file: 2 }, null])).toEqual([{ file: "a.md", score: 0 }]);
    expect(listOf(NOTE)("a.md")).toEqual([]);
  });

  it("takes the first shape that fits", () => {
    const either = firstOf<unknown>(objectOf({ kind: oneOf("a"), size: finite }), objectOf({ kind: oneOf("a", "b") }));
    expect(either({ kind: "a", size: 1 })).toEqual({ kind: "a", size: 1 });
    expect(either({ kind: "a" })).toEqual({ kind: "a" });
    expect(either({ kind: "c" })).toBeUndefined();
  });

  it("reads a flag as false unless it is true", () => {
    expect([flag(true), flag(1), flag("true"), flag(undefined)]).toEqual([true, false, false, false]);
  });

  it("does not take a field from a prototype for a known value", () => {
    expect(objectOf({ toString: text })({})).toBeUndefined();
  });
});
