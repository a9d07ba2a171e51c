#!/usr/bin/env node
/**
 * Learns what a new statement does to a note from labelled pairs: npm run learn:changes -- DIR... [--write] [--list]
 * Reads every `facts-*.jsonl` below the directories (form: bench/facts/README.md). For each author it prints what
 * weights learnt from the authors of other groups say, next to the rules alone; `--list` prints the pairs that were not
 * judged as labelled. `--write` learns from all authors and
 * writes src/core/notes/changes/weights.json. The result is deterministic. Run `npm run build` first.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { changeOf } from "../dist/core/notes/changes/change.js";
import { WORTH_ASKING } from "../dist/core/notes/changes/decide.js";
import { EFFECTS as CLASSES, judgePair, NO_JUDGEMENT } from "../dist/core/notes/changes/learned.js";
import { featuresOf, pairOf } from "../dist/core/notes/changes/pair.js";
import { readSaid } from "../dist/core/notes/changes/reading.js";
import { namedScores } from "../dist/core/shared/linear.js";
import { named, numbered } from "./linear/ridge.mjs";
import { learn } from "./linear/softmax.mjs";
import { readCases } from "./facts/cases.mjs";

const ABOUT =
  "Made by `npm run learn:changes`; what each feature of a pair says for what a new statement does to a note.";
/** The weight of authors whose sentences are built like the rules' examples. */
const PLAIN_WEIGHT = 0.5;
/** The weight of authors who were asked for pairs that look like a change but are not one, and the other way round. */
const HARD_WEIGHT = 0.2;
/** For each statement, this many of the author's other, nearest notes are learnt as unrelated to it. */
const NEIGHBOURS = 3;
const NEIGHBOUR_WEIGHT = 0.05;
/** A feature found in the pairs of fewer authors belongs to them, not to the language. */
const [LEAST_AUTHORS, LEAST_AUTHORS_OF_WORDS] = [2, 8];
/** The authors are judged in this many groups, each by what the others taught. */
const AT_ONCE = 12;
const UNIT = 0.03;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean" }, list: { type: "boolean" } },
});
if (positionals.length === 0) {
  console.error("usage: npm run learn:changes -- DIR... [--write] [--list]");
  process.exit(2);
}
/** Authors who were asked for free wording and for whose pairs no rule was written: those in a folder `unmet`. */
const FREE = authorsBelow("unmet");
const HARD = authorsBelow("hard");
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const cases = positionals.flatMap((place) => readCases(place)).filter(({ group }) => group === "facts");
const authors = [...new Set(cases.map(({ author }) => author))];
const pairs = cases.map((one) => ({ ...one, ...rowOf(one, CLASSES.indexOf(one.expect), weightOf(one)) }));
const neighbours = authors.flatMap(neighboursOf);

/** The authors of the files in a folder of this name. */
function authorsBelow(folder) {
  const files = positionals.flatMap((place) =>
    fs.readdirSync(place, { recursive: true }).map((name) => path.join(place, name).replaceAll(path.sep, "/")),
  );
  const wanted = new RegExp(`\\b${folder}/facts-(.+)\\.jsonl$`, "u");
  return new Set(files.flatMap((file) => wanted.exec(file)?.[1] ?? []));
}

function weightOf({ author }) {
  return HARD.has(author) ? HARD_WEIGHT : FREE.has(author) ? 1 : PLAIN_WEIGHT;
}

function rowOf({ author, before, after }, wanted, weight) {
  const pair = pairOf(readSaid(after).wording(), readSaid(before).wording());
  return { author, wanted, weight, features: featuresOf(pair) };
}

function neighboursOf(author) {
  const own = cases.filter((one) => one.author === author);
  const terms = own.map(
    ({ before }) =>
      new Set(
        readSaid(before)
          .wording()
          .content.map(({ term }) => term),
      ),
  );
  return own.flatMap(({ after }, at) => {
    const said = readSaid(after)
      .wording()
      .content.map(({ term }) => term);
    return own
      .map(({ before }, other) => ({ before, other, shared: said.filter((term) => terms[other].has(term)).length }))
      .filter(({ other }) => other !== at)
      .toSorted((one, other) => other.shared - one.shared || one.other - other.other)
      .slice(0, NEIGHBOURS)
      .map(({ before }) => ({ before, after, ...rowOf({ author, before, after }, 0, NEIGHBOUR_WEIGHT) }));
  });
}

/** The weights in the form of the data file. */
function learnedFrom(rows) {
  const known = rows.map((row) => ({ ...row, features: withoutRare(row.features, authorsOf(rows)) }));
  const { names, vectors } = numbered(known);
  const examples = known.map(({ wanted, weight }, at) => ({ vector: vectors[at], wanted, weight }));
  const learned = learn(examples, names.length, CLASSES.length);
  return Object.fromEntries(CLASSES.map((name, at) => [name, named(learned[at], names, { unit: UNIT })]));
}

const counted = new WeakMap();

function authorsOf(rows) {
  if (counted.has(rows)) return counted.get(rows);
  const found = new Map();
  for (const { author, features } of rows)
    for (const name of features.keys()) found.set(name, (found.get(name) ?? new Set()).add(author));
  counted.set(rows, found);
  return found;
}

function withoutRare(features, seen) {
  const least = (name) => (name.startsWith("w:") ? LEAST_AUTHORS_OF_WORDS : LEAST_AUTHORS);
  return new Map([...features].filter(([name]) => seen.get(name).size >= least(name)));
}

function judgeBy(weights) {
  const scores = namedScores(weights, CLASSES);
  return (after, before) => judgePair(pairOf(after, before), scores);
}

function outcome({ before, after }, judge) {
  return changeOf(readSaid(after), readSaid(before), judge).kind;
}

function chances({ change, replaces }) {
  return { chance: change, sure: replaces };
}

const COLUMNS = [
  "right",
  "rules",
  "wrong supersedes",
  "changes seen",
  "superseded",
  "beside kept",
  "named",
  "beside named",
];

/** One line of the table: how many cases of how many. */
function tally(results) {
  const share = (all, is) => ({ is: all.filter(is).length, of: all.length });
  const of = (...labels) => results.filter(({ expect }) => labels.includes(expect));
  const isSeen = ({ got }) => got === "replaces" || got === "contradicts";
  const isNamed = (one) => isSeen(one) || one.chance >= WORTH_ASKING;
  return [
    share(results, ({ got, expect }) => got === expect),
    share(results, ({ rules, expect }) => rules === expect),
    share(of("beside", "same", "refines", "contradicts"), ({ got }) => got === "replaces"),
    share(of("replaces", "contradicts"), isSeen),
    share(of("replaces"), ({ got }) => got === "replaces"),
    share(of("beside"), (one) => !isSeen(one)),
    share(of("replaces", "contradicts"), isNamed),
    share(of("beside"), isNamed),
  ];
}

function line(name, results) {
  const cells = tally(results).map(({ is, of }, at) =>
    (COLUMNS[at] === "wrong supersedes" ? `${is}` : `${((100 * is) / Math.max(1, of)).toFixed(1)}%`).padStart(
      COLUMNS[at].length,
    ),
  );
  console.log([name.padEnd(12), String(results.length).padStart(5), ...cells].join("  "));
}

console.log(
  `${pairs.length} pairs of ${authors.length} authors; each author judged by weights learned from authors of other groups`,
);
console.log(["author".padEnd(12), "pairs", ...COLUMNS].join("  "));
const results = [];
for (let group = 0; group < AT_ONCE; group++) {
  const left = authors.filter((_, at) => at % AT_ONCE === group);
  const judge = judgeBy(learnedFrom([...pairs, ...neighbours].filter((row) => !left.includes(row.author))));
  for (const author of left) results.push(...judgedBy(judge, author));
}

function judgedBy(judge, author) {
  const own = pairs
    .filter((one) => one.author === author)
    .map((one) => ({
      ...one,
      got: outcome(one, judge),
      rules: outcome(one, () => NO_JUDGEMENT),
      ...chances(judge(readSaid(one.after).wording(), readSaid(one.before).wording())),
    }));
  line(author, own);
  return own;
}

line(
  "free wording",
  results.filter(({ author }) => FREE.has(author)),
);
line(
  "hard",
  results.filter(({ author }) => HARD.has(author)),
);
line(
  "plain",
  results.filter(({ author }) => !FREE.has(author) && !HARD.has(author)),
);
line("all", results);
const near = results.filter(({ expect }) => expect !== "replaces").toSorted((one, other) => other.sure - one.sure);
if (values.list)
  for (const { author, lang, expect, got, chance, sure, before, after } of results)
    if (got !== expect)
      console.log(
        `${expect} got ${got}  change ${chance.toFixed(2)} replaces ${sure.toFixed(2)}  ${author} ${lang}: ${before} / ${after}`,
      );
console.log("nearest to a wrong supersede:");
for (const { sure, expect, before, after } of near.slice(0, 4))
  console.log(`  ${sure.toFixed(2)}  ${expect}: ${before} / ${after}`);

const all = learnedFrom([...pairs, ...neighbours]);
const fitted = judgeBy(all);
line(
  "(learned on)",
  pairs.map((one) => ({ ...one, got: outcome(one, fitted), rules: "", chance: 0 })),
);
if (values.write) {
  const file = path.join(root, "src/core/notes/changes/weights.json");
  fs.writeFileSync(file, `${JSON.stringify({ about: ABOUT, ...all }, undefined, 2)}\n`);
  console.log(`wrote ${path.relative(root, file)}, ${fs.statSync(file).size} bytes; run \`npm run build\``);
}
