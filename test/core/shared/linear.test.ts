import { describe, expect, it } from "vitest";
import { learn, numbered, scored, stored } from "../../../bench/linear/ridge.mjs";

import { ofLengthOne, textFeatures } from "../../../src/core/shared/linear/features.ts";
import { placeOf, scoreOf, weightsOf } from "../../../src/core/shared/linear/weights.ts";

const AMOUNTS = { word: 1, pair: 1, start: 1, piece: { from: 3, to: 5, amount: 0.5 }, unspaced: { to: 3, amount: 1 } };

const featuresOf = (text: string) => ofLengthOne(textFeatures(text, AMOUNTS));

const TEXTS = [
  ["The tower is red", 1],
  ["The tower was red", 1],
  ["A boat is red", 1],
  ["The boat is blue", -1],
  ["A tower was blue", -1],
  ["A boat was blue", -1],
  ["塔是红的", 1],
  ["塔是蓝的", -1],
] as const;

describe("weights of features", () => {
  const rows = TEXTS.map(([text, wanted]) => ({ features: featuresOf(text), wanted }));
  const { places, vectors } = numbered(rows, { placeOf, least: 1 });
  const examples = rows.map(({ wanted }, at) => ({ vector: vectors[at], wanted }));

  it("are learnt from examples, and tell others apart", () => {
    const weights = weightsOf(stored(learn(examples, places.length), places));
    for (const [text, wanted] of [
      ["Every house is red", 1],
      ["Every house is blue", -1],
      ["船是红的", 1],
    ] as const)
      expect(Math.sign(scoreOf(weights, featuresOf(text)))).toBe(wanted);
  });

  it("say the same out of a data file, as nearly as a byte allows", () => {
    const learnt = learn(examples, places.length);
    const read = weightsOf(JSON.parse(JSON.stringify(stored(learnt, places))));
    for (const [at, { features }] of rows.entries())
      expect(scoreOf(read, features)).toBeCloseTo(scored(learnt, vectors[at]), 1);
  });

  it("are the least squares: no small change of any of them lowers the sum", () => {
    const decay = 0.1;
    const constant = 0.3;
    const { bias, weights } = learn(examples, places.length, { decay, constant });
    const cost = (of: Float64Array): number =>
      examples.reduce((sum, { vector, wanted }) => sum + (wanted - scored({ bias, weights: of }, vector)) ** 2, 0) +
      decay * of.reduce((sum, weight) => sum + weight ** 2, 0);
    const least = cost(weights);
    for (let at = 0; at < places.length; at += 7)
      for (const change of [-0.01, 0.01])
        expect(cost(weights.map((weight, number) => (number === at ? weight + change : weight)))).toBeGreaterThan(
          least,
        );
  });

  it("say nothing of a text without a known feature but what is so without any", () => {
    expect(scoreOf({ bias: 0.25, unit: 1, table: new Int8Array() }, featuresOf("blue"))).toBe(0.25);
    expect(featuresOf("").size).toBe(0);
  });

  it("are found again however far apart they lie", () => {
    const far = [0, 1, 254, 255, 256, 510, 511, 1_000_000];
    const { table } = weightsOf(stored({ bias: 0, weights: Float64Array.from(far, (_, at) => at - 3.5) }, far));
    expect(far.map((place) => Math.sign(table[place] ?? 0))).toEqual([-1, -1, -1, -1, 1, 1, 1, 1]);
    expect(table.filter((weight) => weight !== 0).length).toBe(far.length);
  });
});
