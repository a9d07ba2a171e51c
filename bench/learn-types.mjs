#!/usr/bin/env node
// npm run learn:types -- DIR… [--write] [--list]
// Learns the type of a statement from labelled ones (`types-*.jsonl`, form: bench/facts/README.md), and prints how well
// that carries over: the authors (files) are left out in groups, and each is judged by what the others taught. `--list`
// prints what was judged otherwise; `--write` puts the weights of all authors into src/core/notes/types/weights.json.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { placeOf } from "../dist/core/shared/linear.js";
import { featuresOf } from "../dist/core/notes/types/features.js";
import { ruledType } from "../dist/core/notes/types/infer-type.js";
import { readCases } from "./facts/cases.mjs";
import { learn, numbered, placed, placedRows, scored, unscaled } from "./linear/ridge.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean" }, list: { type: "boolean" } },
});
if (positionals.length === 0) {
  console.error("usage: npm run learn:types -- DIR… [--write] [--list]");
  process.exit(2);
}

const TYPES = ["user", "feedback", "project", "reference"];
/** The penalty on large weights, for amounts multiplied by how rare a feature is. */
const DECAY = 40;
/** Smaller weights (of 127) are left out of the file, for its size. */
const LEAST_WEIGHT = 14;
/** How much surer of another type than of `project` the weights must be (they learn 1 for the type and -1 for others). */
const MARGIN = 0.5;
/** The authors are judged in this many groups. */
const AT_ONCE = 12;
/** Of plain facts about a project, such as "log files are rotated at midnight"; authors of types write them too seldom. */
const FACT_WEIGHT = 0.04;

const cases = positionals.flatMap(readFrom);
const facts = positionals.flatMap(factsFrom);
const authors = [...new Set(cases.map(({ author }) => author))];
const {
  names: places,
  scales,
  vectors,
} = numbered(
  placedRows(
    [...cases, ...facts].map(({ text }) => ({ features: featuresOf(text) })),
    placeOf,
  ),
  { least: 2, byRarity: true },
);
for (const [at, one] of [...cases, ...facts].entries()) one.vector = vectors[at];
for (let group = 0; group < AT_ONCE; group++) {
  const left = new Set(authors.filter((_, at) => at % AT_ONCE === group));
  const heads = headsFrom(cases.filter(({ author }) => !left.has(author)));
  for (const one of cases) if (left.has(one.author)) one.got = judged(heads, one);
}
print();
if (options.write) write();

/** Every file counts as one author's. */
function readFrom(directory) {
  return fs
    .readdirSync(directory, { recursive: true })
    .filter((name) => /(?:^|[\\/])types-[^\\/]+\.jsonl$/u.test(name))
    .toSorted()
    .flatMap((name) =>
      readCases(path.join(directory, name)).map((one) => ({
        ...one,
        author: path.basename(name, ".jsonl").replace("types-", ""),
        ruled: ruledType(one.text).type,
      })),
    );
}

/** The older statements of pairs that no rule takes for anything but a fact. */
function factsFrom(directory) {
  return readCases(directory)
    .filter(({ group, before = "" }) => group === "facts" && ruledType(before).type === "project")
    .map(({ before }) => ({ text: before, expect: "project", weight: FACT_WEIGHT }));
}

function headsFrom(some) {
  return TYPES.map((type) =>
    learn(
      [...some, ...facts].map(({ vector, expect, weight = 1 }) => ({
        vector,
        weight,
        wanted: expect === type ? 1 : -1,
      })),
      places.length,
      { decay: DECAY },
    ),
  );
}

/** As in the product: only what the rules leave to the project, and only with a margin. */
function judged(heads, { vector, ruled }) {
  if (ruled !== "project") return ruled;
  const scores = heads.map((head) => scored(head, vector));
  const most = Math.max(...scores);
  return most - scores[TYPES.indexOf("project")] >= MARGIN ? TYPES[scores.indexOf(most)] : "project";
}

function print() {
  console.log(`${cases.length} statements of ${authors.length} authors, each judged by what others taught:`);
  console.log(["".padEnd(24), "right", "of", "%", "by rules %"].map(cell).join(""));
  console.log(row("all", cases));
  for (const key of ["author", "lang", "expect"])
    for (const name of new Set(cases.map((one) => one[key]).toSorted()))
      console.log(
        row(
          `${key} ${name}`,
          cases.filter((one) => one[key] === name),
        ),
      );
  if (options.list)
    for (const { author, lang, text, expect, got } of cases)
      if (got !== expect) console.log(`${expect} got ${got}  ${author} ${lang}: ${text}`);
  console.log(`${places.length} features`);
}

function row(label, some) {
  const right = some.filter(({ got, expect }) => got === expect).length;
  const ruled = some.filter((one) => one.ruled === one.expect).length;
  return [label.padEnd(24), right, some.length, share(right, some.length), share(ruled, some.length)]
    .map(cell)
    .join("");
}

function share(part, whole) {
  return ((100 * part) / whole).toFixed(1);
}

function cell(text, at) {
  return at === 0 ? text : String(text).padStart(12);
}

function write() {
  const place = path.join(path.dirname(fileURLToPath(import.meta.url)), "../src/core/notes/types/weights.json");
  const heads = headsFrom(cases);
  const model = Object.fromEntries(
    TYPES.map((type, at) => [type, placed(unscaled(heads[at], scales), places, { least: LEAST_WEIGHT })]),
  );
  model.margin = MARGIN;
  fs.writeFileSync(place, `${JSON.stringify(model, undefined, 2)}\n`);
  console.log(`wrote src/core/notes/types/weights.json, ${fs.statSync(place).size} bytes; run \`npm run build\``);
}
