import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosine, standingOut } from "../../../src/core/recall/embedding-selector.ts";

const spread = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => 0.3 + 0.1 * Math.sin(index * 2.39996));

describe("the cosine of two vectors", () => {
  it("is 1 for one direction, 0 for a right angle, -1 for the opposite, whatever their lengths", () => {
    const [east, far, north, west] = [
      [1, 0],
      [7, 0],
      [0, 2],
      [-3, 0],
    ].map((numbers) => Float32Array.from(numbers));
    if (!east || !far || !north || !west) throw new Error("four vectors");
    expect([cosine(east, far), cosine(east, north), cosine(east, west)]).toEqual([1, 0, -1]);
  });

  it("is 0 where one of them is nothing or of another length", () => {
    const [two, three] = [Float32Array.from([1, 2]), Float32Array.from([1, 2, 3])];
    expect([cosine(two, three), cosine(two, new Float32Array(2)), cosine(two, new Float32Array(0))]).toEqual([0, 0, 0]);
  });
});

describe("what stands out", () => {
  it("is what lies far above the others, best first", () => {
    expect(standingOut([...spread(40), 0.9, 0.95])).toEqual([41, 40]);
  });

  it("is nothing where all are alike, however near they are", () => {
    expect(standingOut(spread(40))).toEqual([]);
    expect(standingOut(spread(40).map((value) => value + 0.6))).toEqual([]);
    expect(standingOut(Array.from({ length: 40 }, () => 0.8))).toEqual([]);
  });

  it("is nothing among a handful", () => {
    expect(standingOut([0.1, 0.12, 0.11, 0.13, 0.1, 0.12, 0.99])).toEqual([]);
  });

  it("does not depend on how near an embedder says that things are", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: -0.5, max: 0.5, noNaN: true }),
        (scale, shift) => {
          expect(standingOut([...spread(30), 0.9].map((value) => value * scale + shift))).toEqual([30]);
        },
      ),
    );
  });

  it("is rare by chance: of random similarities, in about one store of twenty", () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const bell = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const stores = Array.from({ length: 400 }, () => standingOut(Array.from({ length: 100 }, bell)).length > 0);
    const share = stores.filter(Boolean).length / stores.length;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.14);
  });
});
