#!/usr/bin/env node
// node bench/calibrate-recall.mjs DIR [--write]
// Derives src/core/recall/likelihood.ts from the hand-made prompts of DIR, and reports how well the result carries over
// to a store that was not used for it. If the prompts of one store are asked of another, no note helps. There are many
// such pairs, and they keep the few stores from deciding alone.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { recall } from "../dist/core/recall/recall.js";
import { featuresOf, gradeNotes, judge, SELECTION_RULE } from "../dist/core/recall/likelihood.js";
import { indexOf, readStores } from "./recall-data.mjs";

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "boolean" } } });
const [directory] = positionals;
if (directory === undefined) {
  console.error("usage: node bench/calibrate-recall.mjs DIR [--write]");
  process.exit(2);
}

const NAMES = ["coverage", "head", "words", "lead", "size"];
/** The weight of a row: prompts answered by hand count most; those of other stores little, as there are many. */
const WEIGHTS = { own: 1, cross: 0.1, wild: 0.05 };
/** The number of candidates per prompt to learn from. */
const LEARNT = 20;
/** Limits where no note helps: the least share of prompts without a body, and the most pointers. */
const LEAST_ABSTAINS = { own: 90, strange: 94 };
const MOST_POINTERS = 3.5;
/** Next to an index, a body is given only if it nearly always helps: in this many of 100 cases on the fitted stores. */
const SURE = 90;

const rows = readRows(directory);
const homes = [...new Set(rows.filter(({ kind }) => kind === "own").map(({ home }) => home))];

const model = calibrate(rows);
console.log(
  `fitted on ${homes.length} stores, ${rows.filter(({ kind }) => kind === "own").length} prompts with an answer by hand and ${rows.filter(({ kind }) => kind !== "own").length} prompts of other stores`,
);
console.log(Object.fromEntries(Object.entries(model).map(([name, value]) => [name, round(value)])));

// Each store is judged by what was learnt from the others, thresholds included.
const left = homes.map((home) => ({
  home,
  model: calibrate(rows.filter((row) => row.home !== home && !row.haystacks.has(home))),
}));
const judgedBy = new Map(left.map(({ home, model: other }) => [home, other]));
const own = rows.filter(({ kind }) => kind === "own");
const apart = (row) => graded(row, judgedBy.get(row.home));
const table = {};
for (const { home, model: other } of left)
  table[`${home}, left out`] = {
    whole: round(other.whole),
    pointer: round(other.pointer),
    ...figures(
      own.filter((row) => row.home === home),
      apart,
    ),
  };
table["all, each left out"] = figures(own, apart);
table["all, fitted on all"] = {
  whole: round(model.whole),
  pointer: round(model.pointer),
  ...figures(own, (row) => graded(row, model)),
};
table["coverage ≥ 0.23 alone"] = figures(own, ({ candidates }) => coverageAlone(candidates));
table["prompts of other stores"] = figures(
  rows.filter(({ kind }) => kind !== "own"),
  apart,
);
console.table(table);
console.log(
  `95 % intervals over prompts, each store left out: F1 ${interval(own, apart, "F1")}, reach ${interval(own, apart, "reach")}`,
);
const strange = [...new Set(rows.map(({ store }) => store))].map((store) =>
  rows.filter((row) => row.kind !== "own" && row.store === store),
);
const alarms = (grade) =>
  strange
    .map((some) => 100 - figures(some, grade).abstains)
    .toSorted((a, b) => a - b)
    .map((value) => value.toFixed(1))
    .join(" ");
console.log(`prompts of other stores that are shown a body, % by store: ${alarms(apart)}`);
console.log(
  `the same with coverage ≥ 0.23 alone:                       ${alarms(({ candidates }) => coverageAlone(candidates))}`,
);
const beside = own.map((row) => ({
  row,
  whole: graded(row, { ...judgedBy.get(row.home), whole: judgedBy.get(row.home).sure }).whole,
}));
const bodies = beside.flatMap(({ row, whole }) =>
  whole.filter((file) => !row.acceptable.has(file)).map((file) => row.gold.has(file)),
);
console.log(
  `beside an index, each store left out: ${bodies.filter(Boolean).length} of ${bodies.length} bodies help (floors ${left.map(({ model: { sure } }) => sure.toFixed(2)).join(" ")})`,
);
if (options.write) write(model);

/** Each prompt on each store: `home` is the prompt's store, `haystacks` the stores that contributed to the row. */
function readRows(root) {
  const stores = [...readStores(root)]
    .filter(({ set }) => set === "realmem" || set === "memwild-wiki")
    .map((store) => ({ ...store, index: indexOf(store.documents), ids: new Set(store.documents.map(({ id }) => id)) }));
  const real = stores.filter(({ set }) => set === "realmem");
  const same = (a, b) => [...a.ids].filter((id) => b.ids.has(id)).length > Math.min(a.ids.size, b.ids.size) / 2;
  const read = [];
  for (const store of stores) {
    const twins = new Set(real.filter((other) => same(store, other)).map(({ name }) => name));
    for (const { name: home, tasks } of real) {
      if (store.set === "memwild-wiki" && twins.has(home)) continue;
      const kind = store.name === home ? "own" : store.set === "realmem" ? "cross" : "wild";
      for (const query of tasks.flatMap(({ queries }) => queries)) {
        const found = recall(query.text, store.index, { candidates: store.documents.length });
        const candidates = judge(found.candidates).map(({ note, evidence }) => ({
          file: note.file,
          score: note.score,
          features: NAMES.map((name) => featuresOf(evidence)[name]),
        }));
        const helped = kind === "own" ? query : { gold: [], acceptable: [] };
        read.push({
          kind,
          home,
          store: store.name,
          haystacks: twins,
          candidates: candidates.toSorted((a, b) => b.score - a.score),
          gold: new Set(helped.gold),
          acceptable: new Set(helped.acceptable),
        });
      }
    }
    store.index.close();
  }
  return read;
}

function calibrate(some) {
  const samples = some.flatMap(({ kind, candidates, gold, acceptable }) =>
    candidates
      .slice(0, LEARNT)
      .filter(({ file }) => !acceptable.has(file))
      .map(({ file, features }) => ({ features, answer: gold.has(file) ? 1 : 0, weight: WEIGHTS[kind] })),
  );
  const weights = fit(samples);
  const known = some.filter(({ kind }) => kind === "own");
  const strangers = some.filter(({ kind }) => kind !== "own");
  const at = (whole, pointer, asked = known) => figures(asked, (row) => graded(row, { ...weights, whole, pointer }));
  const grid = Array.from({ length: 60 }, (_, step) => 0.1 + 0.01 * step).map((whole) => ({ whole, ...at(whole, 2) }));
  // The single best threshold may be best by luck; the best of a neighbourhood is safer.
  const smooth = (index) =>
    grid.slice(Math.max(0, index - 4), index + 5).reduce((sum, { F1 }) => sum + F1, 0) /
    grid.slice(Math.max(0, index - 4), index + 5).length;
  const eligible = grid
    .map((row, index) => ({ ...row, smooth: smooth(index) }))
    .filter(
      ({ whole, abstains }) =>
        abstains >= LEAST_ABSTAINS.own && at(whole, 2, strangers).abstains >= LEAST_ABSTAINS.strange,
    );
  const { whole } = eligible.toSorted((a, b) => b.smooth - a.smooth)[0] ?? { whole: 0.5 };
  let [low, high] = [0.0005, whole];
  for (let step = 0; step < 16; step++) {
    const middle = Math.sqrt(low * high);
    if (at(whole, middle)["pointers/negative"] > MOST_POINTERS) low = middle;
    else high = middle;
  }
  const sure = grid.map(({ whole: floor }) => floor).concat([0.7, 0.725, 0.75, 0.775, 0.8, 0.85, 0.9]);
  const isSure = (floor) => at(floor, 2).precision >= SURE;
  return {
    ...weights,
    whole,
    pointer: high,
    sure: sure.find((_floor, index) => sure.slice(index, index + 5).every(isSure)) ?? 0.9,
  };
}

/** Logistic regression by Newton's method on standardised features, with a little ridge. */
function fit(samples) {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const means = NAMES.map(
    (_, i) => samples.reduce((sum, { features, weight }) => sum + weight * features[i], 0) / total,
  );
  const deviations = NAMES.map(
    (_, i) =>
      Math.sqrt(
        samples.reduce((sum, { features, weight }) => sum + weight * (features[i] - means[i]) ** 2, 0) / total,
      ) || 1,
  );
  const inputs = samples.map(({ features }) => [1, ...features.map((value, i) => (value - means[i]) / deviations[i])]);
  const size = NAMES.length + 1;
  const b = Array(size).fill(0);
  for (let pass = 0; pass < 30; pass++) {
    const gradient = b.map((value, i) => (i === 0 ? 0 : -value));
    const hessian = Array.from({ length: size }, (_row, i) =>
      Array.from({ length: size }, (_cell, j) => (i === j ? (i === 0 ? 1e-6 : 1) : 0)),
    );
    for (const [index, { answer, weight }] of samples.entries()) {
      const x = inputs[index];
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * b[i], 0)));
      for (let i = 0; i < size; i++) {
        gradient[i] += weight * (answer - p) * x[i];
        for (let j = 0; j < size; j++) hessian[i][j] += weight * p * (1 - p) * x[i] * x[j];
      }
    }
    const step = solve(hessian, gradient);
    for (let i = 0; i < size; i++) b[i] += step[i];
    if (Math.max(...step.map(Math.abs)) < 1e-7) break;
  }
  const weights = Object.fromEntries(NAMES.map((name, i) => [name, b[i + 1] / deviations[i]]));
  return { base: b[0] - NAMES.reduce((sum, name, i) => sum + weights[name] * means[i], 0), ...weights };
}

/** Gaussian elimination with pivoting. */
function solve(matrix, right) {
  const rowsOf = matrix.map((row, i) => [...row, right[i]]);
  for (let i = 0; i < rowsOf.length; i++) {
    const pivot = rowsOf
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]) > Math.abs(rowsOf[best][i]) ? i + k : best), i);
    [rowsOf[i], rowsOf[pivot]] = [rowsOf[pivot], rowsOf[i]];
    for (let k = 0; k < rowsOf.length; k++) {
      if (k === i) continue;
      const factor = rowsOf[k][i] / rowsOf[i][i];
      for (let j = i; j <= rowsOf.length; j++) rowsOf[k][j] -= factor * rowsOf[i][j];
    }
  }
  return rowsOf.map((row, i) => row.at(-1) / row[i]);
}

function graded({ candidates }, { base, whole, pointer, sure: _, ...weights }) {
  const judged = candidates
    .map(({ file, features }) => ({
      file,
      likelihood: 1 / (1 + Math.exp(-NAMES.reduce((sum, name, i) => sum + weights[name] * features[i], base))),
    }))
    .toSorted((a, b) => b.likelihood - a.likelihood);
  const grades = gradeNotes(judged, { ...SELECTION_RULE, whole, pointer });
  return { whole: grades.whole.map(({ file }) => file), pointed: grades.pointed.map(({ file }) => file) };
}

/** The simple rule that this replaces: enough coverage, and nearly as much as the best candidate. */
function coverageAlone(candidates) {
  const [best] = candidates;
  return {
    whole: candidates
      .slice(0, 3)
      .filter(({ score }) => score >= 0.23 && score >= 0.85 * best.score)
      .map(({ file }) => file),
    pointed: [],
  };
}

function figures(some, grade) {
  const sums = { right: 0, wrong: 0, missed: 0, reached: 0, gold: 0, negative: 0, abstained: 0, pointed: 0, all: 0 };
  for (const row of some) {
    const { whole, pointed } = grade(row);
    const counted = whole.filter((file) => !row.acceptable.has(file));
    const right = counted.filter((file) => row.gold.has(file)).length;
    sums.right += right;
    sums.wrong += counted.length - right;
    sums.missed += row.gold.size - right;
    sums.gold += row.gold.size;
    sums.reached += [...whole, ...pointed].filter((file) => row.gold.has(file)).length;
    sums.all += pointed.length;
    if (row.gold.size > 0) continue;
    sums.negative++;
    sums.pointed += pointed.length;
    if (counted.length === 0) sums.abstained++;
  }
  const share = (a, b) => (b === 0 ? Number.NaN : Number(((100 * a) / b).toFixed(1)));
  return {
    F1: share(2 * sums.right, 2 * sums.right + sums.wrong + sums.missed),
    precision: share(sums.right, sums.right + sums.wrong),
    abstains: share(sums.abstained, sums.negative),
    reach: share(sums.reached, sums.gold),
    "pointers/negative": sums.negative === 0 ? Number.NaN : Number((sums.pointed / sums.negative).toFixed(2)),
    "pointers/prompt": Number((sums.all / some.length).toFixed(2)),
  };
}

function interval(some, grade, name) {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const known = new Map(some.map((row) => [row, grade(row)]));
  const values = Array.from(
    { length: 1000 },
    () =>
      figures(
        some.map(() => some[Math.floor(random() * some.length)]),
        (row) => known.get(row),
      )[name],
  ).toSorted((a, b) => a - b);
  return `[${values[25]}, ${values[975]}]`;
}

function round(value) {
  return Number(value.toPrecision(3));
}

function write(constants) {
  const file = new URL("../src/core/recall/likelihood.ts", import.meta.url);
  let text = fs.readFileSync(file, "utf8");
  for (const [name, value] of Object.entries(constants))
    text = text.replace(new RegExp(`^(  ${name}: )[^,]+,`, "mu"), `$1${round(value)},`);
  fs.writeFileSync(file, text);
  console.log("written to src/core/recall/likelihood.ts: build again");
}
