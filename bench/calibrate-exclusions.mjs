#!/usr/bin/env node
// node bench/calibrate-exclusions.mjs DIR [--write]
// Derives src/core/capture/exclusions/weights.json from the labelled sentences of DIR, and says for each author what
// share the rules and the weights refuse and save when that author's sentences had no part in the weights.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { ruledOut } from "../dist/core/capture/exclusions/exclusion.js";
import { oddsNeeded, signsOf } from "../dist/core/capture/exclusions/exclusion.js";
import { piecesOf } from "../dist/core/capture/exclusions/pieces.js";
import { readCases } from "./facts/cases.mjs";

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "boolean" } } });
const [directory] = positionals;
if (directory === undefined) {
  console.error("usage: npm run calibrate:exclusions -- DIR [--write]");
  process.exit(2);
}

/** A sign that fewer texts have tells of one text only. */
const LEAST_TEXTS = 2;
const DECAY = 0.0003;
const STEPS = 120;
const RATE = 0.1;
/** Weights are given their size before the square root of the number of signs divides them. */
const SCALE = 3;

const rows = readCases(directory).flatMap(rowsOf);
const asked = rows.filter(({ isAsked }) => isAsked);
console.log("author      cases   refused of what is no note   saved of look-alikes   (rules alone)");
const left = [...new Set(asked.map(({ author }) => author))].map((author) => {
  const model = fit(rows.filter((row) => row.author !== author));
  return shares(
    author,
    asked.filter((row) => row.author === author).map((row) => ({ ...row, odds: oddsBy(model, row) })),
  );
});
shares("all", left.flat());
if (options.write === true) write(fit(rows));

/** Statements of other groups are notes. Dates are said of days, and what instructions say is compared, not weighed. */
function rowsOf(one) {
  if (one.group === "dates" || one.instructions !== undefined || one.reason === "instructions") return [];
  const texts = one.group === "facts" ? [one.before, one.after] : [one.text];
  return texts.map((text) => {
    const pieces = piecesOf(text);
    const isAsked = one.group === "exclusions";
    return {
      author: one.author,
      isAsked,
      label: isAsked && one.expect === "refused" ? 1 : 0,
      signs: [...signsOf(pieces)],
      isRuledOut: ruledOut(pieces) !== undefined,
      needed: oddsNeeded(pieces) ?? Infinity,
    };
  });
}

/** Logistic regression with decay, by Adam: the same data give the same weights. */
function fit(texts) {
  const counts = new Map();
  for (const { signs } of texts) for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const places = new Map();
  for (const [sign, count] of counts) if (count >= LEAST_TEXTS) places.set(sign, places.size + 1);
  const known = texts.map(({ signs }) => signs.flatMap((sign) => places.get(sign) ?? []));
  const [weights, mean, spread] = [0, 1, 2].map(() => new Float64Array(places.size + 1));
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : DECAY * weight));
    for (const [at, signs] of known.entries()) {
      const share = SCALE / Math.sqrt(Math.max(1, signs.length));
      const odds = signs.reduce((sum, place) => sum + weights[place] * share, weights[0]);
      const miss = (1 / (1 + Math.exp(-odds)) - texts[at].label) / texts.length;
      slope[0] += miss;
      for (const place of signs) slope[place] += miss * share;
    }
    for (const [place, value] of slope.entries()) {
      mean[place] = 0.9 * mean[place] + 0.1 * value;
      spread[place] = 0.99 * spread[place] + 0.01 * value * value;
      weights[place] -=
        (RATE * (mean[place] / (1 - 0.9 ** step))) / (Math.sqrt(spread[place] / (1 - 0.99 ** step)) + 1e-7);
    }
  }
  return {
    base: Number(weights[0].toFixed(2)),
    signs: new Map([...places].map(([sign, place]) => [sign, Number((weights[place] * SCALE).toFixed(1))])),
  };
}

function oddsBy({ base, signs }, row) {
  const known = row.signs.flatMap((sign) => signs.get(sign) || []);
  return base + known.reduce((sum, weight) => sum + weight, 0) / Math.sqrt(Math.max(1, known.length));
}

function shares(name, own) {
  const percent = (label, holds) => {
    const some = own.filter((row) => row.label === label);
    return `${String(Math.round((100 * some.filter(holds).length) / Math.max(1, some.length))).padStart(3)}%`;
  };
  const isOut = (row) => row.isRuledOut || row.odds > row.needed;
  const [refused, saved] = [percent(1, isOut), percent(0, (row) => !isOut(row))];
  const [ruled, spared] = [percent(1, (row) => row.isRuledOut), percent(0, (row) => !row.isRuledOut)];
  console.log(
    `${name.padEnd(10)} ${String(own.length).padStart(6)}   ${refused.padEnd(26)}   ${saved.padEnd(20)}   (${ruled}, ${spared})`,
  );
  return own;
}

/** By weight, the signs in order, so that a change shows. */
function write({ base, signs }) {
  const byWeight = new Map();
  for (const [sign, weight] of signs)
    if (weight !== 0) byWeight.set(weight.toFixed(1), [...(byWeight.get(weight.toFixed(1)) ?? []), sign]);
  const ordered = [...byWeight].toSorted(([one], [other]) => Number(other) - Number(one));
  const place = new URL("../src/core/capture/exclusions/weights.json", import.meta.url);
  const text = {
    base,
    signs: Object.fromEntries(ordered.map(([weight, some]) => [weight, some.toSorted().join("|")])),
  };
  fs.writeFileSync(place, `${JSON.stringify(text, undefined, 2)}\n`);
  console.log(`${signs.size} signs are in ${place.pathname}`);
}
