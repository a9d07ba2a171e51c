#!/usr/bin/env node
// node bench/recall.mjs DIR --out RUN.jsonl
// For the side query, with --model or --requests, see side-query.mjs. Runs recall over a benchmark directory: every
// note goes through the parser, the index and recall, as in the product. Writes one line per query,
// {"set","store","id","ranked","selected","pointed","ms"}, and prints a table next to a simple BM25 (k1 1.2, b 0.75,
// English stop words removed, no stemming, no fields; its best five count as shown in full and the next ten as pointed
// at). "reach": helpful notes shown either way. "other stores": the prompts of each realmem store asked of the others,
// where nothing helps. `npm run calibrate:recall -- DIR` reports how far the selection carries over to stores it was
// not calibrated on.
import fs from "node:fs";
import os from "node:os";
import { parseArgs } from "node:util";
import { gradeNotes, judge, SELECTION_RULE } from "../dist/core/recall/likelihood.js";
import { recall } from "../dist/core/recall/recall.js";
import { indexOf, readStores } from "./recall-data.mjs";

if (process.argv.some((word) => /^--(?:model|requests)\b/u.test(word))) {
  await import("./side-query.mjs");
  process.exit();
}
const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const directory = positionals[0];
if (directory === undefined || options.out === undefined) {
  console.error("usage: node bench/recall.mjs DIR --out RUN.jsonl");
  process.exit(2);
}

const STOP = new Set(
  "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or our please should so some than that the their them then there these they this to us was we were what when where which who why will with would you your".split(
    " ",
  ),
);
const wordsOf = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP.has(word));

/** The simple baseline over the documents of one task. */
function plainRanker(documents) {
  const counted = documents.map(({ id, text }) => {
    const words = wordsOf(text);
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { id, counts, length: words.length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const frequency = new Map();
  for (const { counts } of counted)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return (text) => {
    const words = new Set(wordsOf(text));
    const scored = counted.map(({ id, counts, length }) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word) ?? 0;
        const n = frequency.get(word) ?? 0;
        if (count > 0)
          score +=
            (Math.log(1 + (counted.length - n + 0.5) / (n + 0.5)) * count * 2.2) /
            (count + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return { id, score };
    });
    const ranked = scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 50)
      .map(({ id }) => id);
    return { ranked, selected: ranked.slice(0, 5), pointed: ranked.slice(5, 15) };
  };
}

const emptyTally = () => ({
  queries: 0,
  positive: 0,
  first: 0,
  five: 0,
  reciprocal: 0,
  right: 0,
  wrong: 0,
  missed: 0,
  negative: 0,
  abstained: 0,
  gold: 0,
  reached: 0,
  pointed: 0,
  pointedNegative: 0,
  ms: [],
});

function tally(sums, query, { ranked, selected, pointed, ms }) {
  const gold = new Set(query.gold);
  const strict = ranked.filter((id) => !query.acceptable.includes(id));
  const shown = selected.filter((id) => !query.acceptable.includes(id));
  sums.queries++;
  if (ms !== undefined) sums.ms.push(ms);
  const right = shown.filter((id) => gold.has(id)).length;
  sums.right += right;
  sums.wrong += shown.length - right;
  sums.missed += gold.size - right;
  sums.gold += gold.size;
  sums.reached += new Set([...selected, ...pointed].filter((id) => gold.has(id))).size;
  sums.pointed += pointed.length;
  if (gold.size === 0) {
    sums.negative++;
    sums.pointedNegative += pointed.length;
    if (shown.length === 0) sums.abstained++;
    return;
  }
  const hits = (count) => strict.slice(0, count).filter((id) => gold.has(id)).length / Math.min(count, gold.size);
  const first = strict.findIndex((id) => gold.has(id));
  sums.positive++;
  sums.first += hits(1);
  sums.five += hits(5);
  sums.reciprocal += first === -1 ? 0 : 1 / (first + 1);
}

const percent = (value) => (Number.isFinite(value) ? (100 * value).toFixed(1) : "-");

function summary(sums) {
  const precision = sums.right / (sums.right + sums.wrong);
  const found = sums.right / (sums.right + sums.missed);
  const times = sums.ms.toSorted((a, b) => a - b);
  return {
    queries: sums.queries,
    "R@1": percent(sums.first / sums.positive),
    "R@5": percent(sums.five / sums.positive),
    MRR: percent(sums.reciprocal / sums.positive),
    "selection F1": percent((2 * precision * found) / (precision + found)),
    abstains: percent(sums.abstained / sums.negative),
    reach: percent(sums.reached / sums.gold),
    pointers: (sums.pointed / sums.queries).toFixed(1),
    "on negatives": sums.negative === 0 ? "-" : (sums.pointedNegative / sums.negative).toFixed(1),
    "ms p50": times.length === 0 ? "-" : times[times.length >> 1].toFixed(2),
    "ms p95": times.length === 0 ? "-" : times[Math.floor(times.length * 0.95)].toFixed(2),
  };
}

const lines = [];
/** One table each for whole sets, kinds of query and stores. Nothing is fitted in this run. */
const tables = { set: new Map(), kind: new Map(), store: new Map() };
const sumsOf = (table, key) => tables[table].get(key) ?? tables[table].set(key, emptyTally()).get(key);
const stores = [...readStores(directory)];
const prompts = stores
  .filter(({ set }) => set === "realmem")
  .flatMap(({ name, tasks }) => tasks.flatMap(({ queries }) => queries.map(({ text }) => ({ home: name, text }))));

const noteOf = ({ note }) => note;

/** The ids that recall answers with, and the time it took. */
function run(text, index, names, settings) {
  const started = performance.now();
  const { candidates } = recall(text, index, settings);
  const { whole, pointed } = gradeNotes(judge(candidates), SELECTION_RULE);
  const ms = performance.now() - started;
  const ids = (notes) => notes.map(({ file }) => names.get(file) ?? file);
  return { ranked: ids(candidates), selected: ids(whole.map(noteOf)), pointed: ids(pointed.map(noteOf)), ms };
}

for (const { set, name, documents, tasks } of stores) {
  const index = indexOf(documents);
  const names = new Map(documents.map(({ id, file = id }) => [file, id]));
  const foreign = set === "realmem" ? prompts.filter(({ home }) => home !== name) : [];
  const plainHere = plainRanker(documents);
  for (const { text } of foreign) {
    const nothing = { gold: [], acceptable: [] };
    tally(sumsOf("set", "other stores: memdir"), nothing, run(text, index, names));
    tally(sumsOf("set", "other stores: plain BM25"), nothing, plainHere(text));
  }
  for (const { id, only, queries } of tasks) {
    const plain = plainRanker(only === undefined ? documents : documents.filter((document) => only.has(document.id)));
    for (const query of queries) {
      const ours = run(
        query.text,
        index,
        names,
        only === undefined ? {} : { accepts: ({ file }) => only.has(file), candidates: documents.length },
      );
      lines.push(JSON.stringify({ set, store: id, id: query.id, ...ours }));
      for (const [system, answer] of Object.entries({ memdir: ours, "plain BM25": plain(query.text) })) {
        if (query.kind !== undefined) tally(sumsOf("kind", `${set}, ${query.kind}: ${system}`), query, answer);
        if (query.kind === "adversarial") continue;
        tally(sumsOf("set", `${set}: ${system}`), query, answer);
        tally(sumsOf("store", `${set}, ${name}: ${system}`), query, answer);
      }
    }
  }
  index.close();
}
fs.writeFileSync(options.out, `${lines.join("\n")}\n`);
console.log(`node bench/recall.mjs ${directory} --out ${options.out}`);
console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${os.cpus()[0]?.model ?? "unknown processor"} × ${os.cpus().length}`,
);
for (const table of Object.values(tables))
  console.table(Object.fromEntries([...table].map(([key, value]) => [key, summary(value)])));
