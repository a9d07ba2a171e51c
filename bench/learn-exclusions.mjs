#!/usr/bin/env node
// npm run learn:exclusions -- DIR… [--write]
// Learns what a note is not for from labelled sentences (form: bench/facts/README.md), and reports how well that
// carries over: every author is judged by weights and a threshold learnt without that author. `--write` puts the
// weights of all authors into src/core/notes/exclusions/weights.json.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { doubtOf, featuresOf, statementsOf } from "../dist/core/notes/exclusions/features.js";
import { placeOf } from "../dist/core/shared/linear.js";
import { readCases } from "./facts/cases.mjs";
import { learn, numbered, placed, placedRows, scored, unscaled } from "./linear/ridge.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean" }, list: { type: "boolean" } },
});
if (positionals.length === 0) {
  console.error("usage: npm run learn:exclusions -- DIR… [--write] [--list]");
  process.exit(2);
}

/** The share of look-alikes that must still be saved. */
const SAVED = 0.988;
/** Smaller weights (of 127) are left out of the file, for its size. */
const LEAST_WEIGHT = { excluded: 10, reason: 10 };
/** To find the threshold for an author, the other authors are left out in this many groups. */
const GROUPS = 3;
/** The authors are judged in this many groups, each by what the others taught; one by one takes four times as long. */
const AT_ONCE = 12;
const REASONS = ["code-structure", "git-history", "debugging-recipe", "public-knowledge", "task-at-hand"];
/** The weight of a text by group: texts of the other groups must all be saved, and do not resemble refused ones. */
const WEIGHTS = { exclusions: 1, types: 1, facts: 1.5 };

const cases = readExamples(positionals);
for (const one of cases) one.statements = statementsOf(one.text);
const texts = [...new Set(cases.flatMap(({ text, statements }) => [text, ...statements]))];
/** A feature of only one text identifies that text and nothing else. */
const SEEN = { least: 2 };
/** The penalty on large weights, for amounts multiplied by how rare a feature is. */
const DECAY = 20;
const {
  names: places,
  scales,
  vectors,
} = numbered(
  placedRows(
    texts.map((text) => ({ features: featuresOf(text) })),
    placeOf,
  ),
  { ...SEEN, byRarity: true },
);
const vectorOf = new Map(texts.map((text, at) => [text, vectors[at]]));
for (const one of cases) one.vector = vectorOf.get(one.text);
// Words tell the reason: their pieces would make the file three times as long.
const words = numbered(
  placedRows(
    cases.map(({ text }) => ({ features: new Map([...featuresOf(text)].filter(([name]) => !name.startsWith("c:"))) })),
    placeOf,
  ),
  SEEN,
);
for (const [at, one] of cases.entries()) one.words = words.vectors[at];
const judgedCases = cases.filter(({ group }) => group === "exclusions");
const authors = [...new Set(judgedCases.map(({ author }) => author))];
const started = performance.now();
for (let at = 0; at < AT_ONCE; at++) judge(authors.filter((_, author) => author % AT_ONCE === at));
print();
if (options.write) write();

/** Every file counts as one author's, whatever author names its sentences have. */
function readExamples(directories) {
  const files = directories.flatMap((place) =>
    fs
      .readdirSync(place, { recursive: true })
      .filter((name) => name.endsWith(".jsonl"))
      .toSorted()
      .map((name) => path.join(place, name)),
  );
  const known = new Set();
  return files.flatMap((file) => {
    const author = path.basename(file, ".jsonl").replace(/^[a-z]+-/u, "");
    return readCases(file)
      .filter(({ group, instructions }) => group in WEIGHTS && instructions === undefined)
      .flatMap((one) =>
        (one.group === "facts" ? [one.before, one.after] : [one.text]).map((text) => ({ ...one, text })),
      )
      .filter(({ group, text }) => !known.has(group + text) && known.add(group + text))
      .map(({ group, text, lang, reason, expect }) => ({
        group,
        text,
        lang,
        author,
        reason: expect === "refused" ? reason : undefined,
        wanted: expect === "refused" ? 1 : -1,
        weight: WEIGHTS[group],
      }));
  });
}

/** Scores the sentences of some authors by what all others taught, threshold included. */
function judge(some) {
  const [own, others] = [true, false].map((is) => cases.filter((one) => some.includes(one.author) === is));
  const threshold = thresholdOf(leftOut(others));
  const weights = learnExcluded(others);
  const heads = reasonHeads(others);
  for (const one of own) {
    one.margin = scoreOf(weights, one) - threshold;
    one.isRefused = one.margin > 0;
    one.named = bestOf(heads, one.words);
  }
}

function learnExcluded(some) {
  return learn(some, places.length, { decay: DECAY });
}

/** The scores of cases by what the other groups of authors taught. */
function leftOut(some) {
  const own = [...new Set(some.map(({ author }) => author))];
  return Array.from({ length: GROUPS }, (_, group) => {
    const isOut = ({ author }) => own.indexOf(author) % GROUPS === group;
    const weights = learnExcluded(some.filter((one) => !isOut(one)));
    return some.filter(isOut).map((one) => ({ ...one, score: scoreOf(weights, one) }));
  }).flat();
}

/** As in the product: a text is excluded only as much as the least excluded of its statements. */
function scoreOf(weights, { text, statements }) {
  return Math.min(...statements.map((one) => scored(weights, vectorOf.get(one)))) - doubtOf(text);
}

function thresholdOf(scores) {
  const saved = scores.filter(({ group, wanted }) => group === "exclusions" && wanted < 0).map(({ score }) => score);
  return saved.toSorted((a, b) => a - b)[Math.floor(saved.length * SAVED)];
}

/** One set of weights per reason, from the cases labelled with this or another reason. */
function reasonHeads(some) {
  return REASONS.map((reason) => ({
    reason,
    learnt: learn(
      some
        .filter((one) => one.reason !== undefined)
        .map((one) => ({ vector: one.words, wanted: one.reason === reason ? 1 : -1 })),
      words.names.length,
    ),
  }));
}

function bestOf(heads, vector) {
  return heads
    .map(({ reason, learnt }) => ({ reason, score: scored(learnt, vector) }))
    .toSorted((a, b) => b.score - a.score)[0].reason;
}

function print() {
  console.log(`${judgedCases.length} cases of ${authors.length} authors, each judged by what the others taught:`);
  console.log(["", "refused", "of", "%", "saved", "of", "%", "named right %"].map(cell).join(""));
  console.log(row("all", judgedCases));
  for (const key of ["author", "lang", "reason"])
    for (const name of new Set(judgedCases.map((one) => one[key]).toSorted()))
      if (name !== undefined)
        console.log(
          row(
            `${key} ${name}`,
            judgedCases.filter((one) => one[key] === name),
          ),
        );
  for (const group of ["types", "facts"])
    console.log(
      row(
        `plain ones: ${group}`,
        cases.filter((one) => one.group === group && one.margin !== undefined),
      ),
    );
  console.log("\nwith the threshold so much higher:");
  const [excluded, saved] = [1, -1].map((wanted) => judgedCases.filter((one) => one.wanted === wanted));
  const plain = cases.filter(({ group, margin }) => group !== "exclusions" && margin !== undefined);
  for (const more of [-0.3, -0.25, -0.2, -0.15, -0.1, -0.05, 0.05]) {
    const refused = (some) => some.filter(({ margin }) => margin > more).length;
    const shares = [
      [excluded, refused(excluded)],
      [saved, saved.length - refused(saved)],
      [plain, plain.length - refused(plain)],
    ];
    console.log(
      [String(more), ...shares.flatMap(([some, part]) => [part, some.length, share(part, some.length)])]
        .map(cell)
        .join(""),
    );
  }
  if (options.list)
    for (const { author, lang, text, wanted, isRefused, margin } of judgedCases)
      if (isRefused !== wanted > 0)
        console.log(`${isRefused ? "refused" : "saved"} ${margin.toFixed(2)} ${author} ${lang} ${text}`);
  console.log(`${places.length} features, ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

function row(label, some) {
  const counted = [1, -1].flatMap((wanted) => {
    const own = some.filter((one) => one.wanted === wanted);
    const right = own.filter(({ isRefused }) => isRefused === wanted > 0);
    return [right.length, own.length, share(right.length, own.length)];
  });
  const named = some.filter(({ reason, isRefused }) => reason !== undefined && isRefused);
  const right = named.filter(({ reason, named: found }) => reason === found);
  return [label, ...counted, share(right.length, named.length)].map(cell).join("");
}

function share(part, whole) {
  return whole === 0 ? "" : ((100 * part) / whole).toFixed(1);
}

function cell(text, at) {
  return at === 0 ? text.padEnd(28) : String(text).padStart(14);
}

function write() {
  const place = path.join(path.dirname(fileURLToPath(import.meta.url)), "../src/core/notes/exclusions/weights.json");
  const model = {
    threshold: Math.round(thresholdOf(leftOut(cases)) * 1e4) / 1e4,
    excluded: placed(unscaled(learnExcluded(cases), scales), places, { least: LEAST_WEIGHT.excluded }),
    reasons: Object.fromEntries(
      reasonHeads(cases).map(({ reason, learnt }) => [
        reason,
        placed(learnt, words.names, { least: LEAST_WEIGHT.reason }),
      ]),
    ),
  };
  fs.writeFileSync(place, `${JSON.stringify(model, undefined, 2)}\n`);
  console.log(`wrote ${place}`);
}
