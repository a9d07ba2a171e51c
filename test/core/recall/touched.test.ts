import { describe, expect, it } from "vitest";
import { raisedByTouched, touchedNames } from "../../../src/core/recall/recall.ts";

const terms = (...paths: readonly string[]): readonly string[] => touchedNames(paths);
const counts = (
  body: string,
): {
  readonly counts: {
    readonly name: ReadonlyMap<string, number>;
    readonly description: ReadonlyMap<string, number>;
    readonly body: ReadonlyMap<string, number>;
  };
} => ({
  counts: { name: new Map(), description: new Map(), body: new Map([[body, 1]]) },
});

describe("touched files", () => {
  it("are named by base name, and by a name that is no plain word", () => {
    expect(terms("src/mill/grain-store.ts", "C:\\farm\\parser.py")).toEqual(["grainstorets", "grainstore", "parserpy"]);
    expect(terms("", ".", "/", "./Makefile")).toEqual(["makefile"]);
  });

  it("are at most twenty, the latest first", () => {
    expect(terms(...Array.from({ length: 30 }, (_, number) => `file${number}.rs`))).toHaveLength(20);
  });

  it("raise a note that names them, the more the fewer notes do, and never beyond 1", () => {
    const names = touchedNames(["grain-store.ts"]);
    const raised = (term: string, having: number, score = 0.1): number =>
      raisedByTouched(score, counts(term), names, { documents: 100, documentFrequency: new Map([[term, having]]) });
    expect([raised("windmill", 1), raised("grainstorets", 1)]).toEqual([0.1, expect.closeTo(0.28)]);
    expect(raised("grainstorets", 50)).toBeLessThan(0.15);
    expect(raised("grainstorets", 1, 0.999)).toBeLessThan(1);
  });
});
