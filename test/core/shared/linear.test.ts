import { describe, expect, it } from "vitest";
import { learn, numbered, scored, stored } from "../../../bench/linear/ridge.mjs";
import { textFeatures } from "../../../src/core/shared/linear/features.ts";
import { ofLengthOne } from "../../../src/core/shared/linear/features.ts";
import { scoreOf, weightsOf } from "../../../src/core/shared/linear/weights.ts";

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
  const { names, vectors } = numbered(rows);
  const examples = rows.map(({ wanted }, at) => ({ vector: vectors[at], wanted }));

  it("are learnt from examples, and tell others apart", () => {
    const weights = weightsOf(stored(learn(examples, names.length), names, { unit: 0.001 }));
    for (const [text, wanted] of [
      ["Every house is red", 1],
      ["Every house is blue", -1],
      ["船是红的", 1],
    ] as const)
      expect(Math.sign(scoreOf(weights, featuresOf(text)))).toBe(wanted);
  });

  it("say the same out of a data file, as nearly as the unit allows", () => {
    const learnt = learn(examples, names.length);
    const read = weightsOf(JSON.parse(JSON.stringify(stored(learnt, names, { unit: 0.0001 }))));
    for (const [at, { features }] of rows.entries())
      expect(scoreOf(read, features)).toBeCloseTo(scored(learnt, vectors[at]), 2);
  });

  it("are the least squares: no small change of any of them lowers the sum", () => {
    const decay = 0.1;
    const constant = 0.3;
    const { bias, weights } = learn(examples, names.length, { decay, constant });
    const cost = (of: Float64Array): number =>
      examples.reduce((sum, { vector, wanted }) => sum + (wanted - scored({ bias, weights: of }, vector)) ** 2, 0) +
      decay * of.reduce((sum, weight) => sum + weight ** 2, 0);
    const least = cost(weights);
    for (let at = 0; at < names.length; at += 7)
      for (const change of [-0.01, 0.01])
        expect(cost(weights.map((weight, number) => (number === at ? weight + change : weight)))).toBeGreaterThan(
          least,
        );
  });

  it("say nothing of a text without a known feature but what is so without any", () => {
    expect(scoreOf({ bias: 0.25, of: new Map([["w:red", 1]]) }, featuresOf("blue"))).toBe(0.25);
    expect(featuresOf("").size).toBe(0);
  });
});
