import { describe, expect, it } from "vitest";
import { learn, named, numbered, placed, placedRows, scored } from "../../../bench/linear/ridge.mjs";

import { ofLengthOne, textFeatures } from "../../../src/core/shared/linear.ts";
import { namedScores, placedWeights, placeOf, scoreOf } from "../../../src/core/shared/linear.ts";

const AMOUNTS = {
  word: 1,
  pair: 1,
  start: 1,
  triple: 0,
  piece: { from: 3, to: 5, amount: 0.5 },
  unspaced: { to: 3, amount: 1 },
};

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
  const { names: places, vectors } = numbered(placedRows(rows, placeOf), { least: 1 });
  const examples = rows.map(({ wanted }, at) => ({ vector: vectors[at], wanted }));

  it("are learnt from examples, and tell others apart", () => {
    const weights = placedWeights(placed(learn(examples, places.length), places));
    for (const [text, wanted] of [
      ["Every house is red", 1],
      ["Every house is blue", -1],
      ["船是红的", 1],
    ] as const)
      expect(Math.sign(scoreOf(weights, featuresOf(text)))).toBe(wanted);
  });

  it("say the same out of a data file, as nearly as a byte allows", () => {
    const learnt = learn(examples, places.length);
    const read = placedWeights(JSON.parse(JSON.stringify(placed(learnt, places))));
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

  it("with names that can be read say the same out of a data file", () => {
    const learnt = learn(examples, places.length);
    const { names, vectors: known } = numbered(rows, { least: 1 });
    const own = learn(
      rows.map(({ wanted }, at) => ({ vector: known[at], wanted })),
      names.length,
    );
    const stored = JSON.parse(JSON.stringify(named(own, names, { unit: 0.001 })));
    const opposite = { bias: 1, unit: 1, features: { "-2": names[0] } };
    const scores = namedScores({ one: stored, other: opposite }, ["one", "other"]);
    for (const [at, { features }] of rows.entries()) {
      const [one = NaN, other] = scores(features);
      expect(one).toBeCloseTo(scored(own, known[at]), 1);
      expect(one).toBeCloseTo(scored(learnt, vectors[at]), 1);
      expect(other).toBeCloseTo(1 - 2 * (features.get(names[0]) ?? 0));
    }
  });

  it("say nothing of a text without a known feature but what is so without any", () => {
    expect(scoreOf(placedWeights({ bias: 0.25, unit: 1, table: "" }), featuresOf("blue"))).toBe(0.25);
    const one = { bias: 0.25, unit: 1, features: { "+2": "red\tred boat" } };
    expect([...namedScores({ one }, ["one"])(featuresOf("blue"))]).toEqual([0.25]);
    expect(featuresOf("").size).toBe(0);
  });

  it("are found again however far apart they lie", () => {
    const byPlace = new Map(Array.from({ length: 3_000 }, (_, at) => [placeOf(`name ${at}`), `name ${at}`]));
    const all = [...byPlace.keys()];
    const gaps = all.toSorted((x, y) => x - y).map((place, at, sorted) => place - (sorted[at - 1] ?? 0));
    expect([Math.min(...gaps) < 10, Math.max(...gaps) > 510]).toEqual([true, true]);
    const weights = Float64Array.from(all, (_, at) => ((at % 9) + 1) * (at % 2 === 0 ? 1 : -1));
    const read = placedWeights(placed({ bias: 0, weights }, all));
    for (const [at, name] of [...byPlace.values()].entries())
      expect(read.weightOf(name)).toBeCloseTo(weights[at] ?? 0, 1);
    expect(read.weightOf("a name that was not learnt")).toBe(0);
  });
});
