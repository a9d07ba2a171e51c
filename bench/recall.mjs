#!/usr/bin/env node
// node bench/recall.mjs DIR --out RUN.jsonl
// Runs recall over a benchmark directory: every note through the parser, the index and recall, as in the product.
// Writes one line a query, {"set","store","id","ranked","selected","pointed","ms"}, and prints a table beside a plain
// BM25 (k1 1.2, b 0.75, English stop words out, no stemming, no fields, its five best taken as selected).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { openNoteIndex } from "../dist/adapters/sqlite/note-index.js";
import { yamlFrontmatter } from "../dist/adapters/yaml/frontmatter.js";
import { parseNote } from "../dist/core/notes/parse-note.js";
import { recall } from "../dist/core/recall/recall.js";

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const directory = positionals[0];
if (directory === undefined || options.out === undefined) {
  console.error("usage: node bench/recall.mjs DIR --out RUN.jsonl");
  process.exit(2);
}

/** One store with its documents, and tasks over all or some of them. */
function* readStores(root) {
  const at = (...parts) => path.join(root, ...parts);
  const json = (...parts) => JSON.parse(fs.readFileSync(at(...parts), "utf8"));
  if (fs.existsSync(at("realmem"))) {
    for (const store of fs.readdirSync(at("realmem", "stores")).toSorted()) {
      const notes = at("realmem", "stores", store, "notes");
      const files = fs.readdirSync(notes).filter((file) => file.endsWith(".md") && file !== "MEMORY.md").toSorted();
      const documents = files.map((id) => ({ id, text: fs.readFileSync(path.join(notes, id), "utf8") }));
      const queries = fs.readFileSync(at("realmem", "queries", `${store}.jsonl`), "utf8").split("\n").filter(Boolean).map((line) => queryOf(JSON.parse(line)));
      yield { set: "realmem", documents, tasks: [{ id: store, store, queries }] };
    }
  }
  if (fs.existsSync(at("memwild", "hook.json"))) {
    for (const task of json("memwild", "hook.json")) yield { set: "memwild-hook", documents: task.docs, tasks: [{ id: task.id, store: task.id, queries: task.queries.map(queryOf) }] };
  }
  if (fs.existsSync(at("memwild", "wiki.json"))) {
    const wiki = json("memwild", "wiki.json");
    for (const [store, texts] of Object.entries(wiki.stores)) {
      const documents = Object.entries(texts).map(([id, text]) => ({ id, text }));
      const tasks = wiki.items.filter((item) => item.store === store).map((item) => ({ id: item.id, store, only: new Set(item.docs), queries: item.queries.map(queryOf) }));
      yield { set: "memwild-wiki", documents, tasks };
    }
  }
  if (fs.existsSync(at("locomo"))) {
    for (const task of json("locomo", "turns.json")) yield { set: "locomo", documents: task.docs, tasks: [{ id: task.id, store: task.id, queries: task.queries.map(queryOf) }] };
  }
}

function queryOf(query) {
  return { id: query.id ?? query.qid, text: query.text ?? query.q ?? query.prompt, gold: query.gold, acceptable: query.acceptable ?? [], kind: query.kind ?? query.cat };
}

function indexOf(documents) {
  const index = openNoteIndex(":memory:");
  index.apply({
    upsert: documents.map(({ id, text }) => ({ file: id, hash: id, size: text.length, mtimeMs: 0, note: parseNote(id, Buffer.from(text), yamlFrontmatter) })),
  });
  return index;
}

const STOP = new Set("a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or our please should so some than that the their them then there these they this to us was we were what when where which who why will with would you your".split(" "));
const wordsOf = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP.has(word));

/** The plain baseline over the documents of one task. */
function plainRanker(documents) {
  const counted = documents.map(({ id, text }) => {
    const words = wordsOf(text);
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { id, counts, length: words.length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const frequency = new Map();
  for (const { counts } of counted) for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return (text) => {
    const words = new Set(wordsOf(text));
    const scored = counted.map(({ id, counts, length }) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word) ?? 0;
        const n = frequency.get(word) ?? 0;
        if (count > 0) score += (Math.log(1 + (counted.length - n + 0.5) / (n + 0.5)) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return { id, score };
    });
    const ranked = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score).slice(0, 50).map(({ id }) => id);
    return { ranked, selected: ranked.slice(0, 5) };
  };
}

const emptyTally = () => ({ queries: 0, positive: 0, first: 0, five: 0, reciprocal: 0, right: 0, wrong: 0, missed: 0, negative: 0, abstained: 0, ms: [] });

function tally(sums, query, { ranked, selected, ms }) {
  const gold = new Set(query.gold);
  const strict = ranked.filter((id) => !query.acceptable.includes(id));
  const shown = selected.filter((id) => !query.acceptable.includes(id));
  sums.queries++;
  if (ms !== undefined) sums.ms.push(ms);
  const right = shown.filter((id) => gold.has(id)).length;
  sums.right += right;
  sums.wrong += shown.length - right;
  sums.missed += gold.size - right;
  if (gold.size === 0) {
    sums.negative++;
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
    "ms p50": times.length === 0 ? "-" : times[times.length >> 1].toFixed(2),
    "ms p95": times.length === 0 ? "-" : times[Math.floor(times.length * 0.95)].toFixed(2),
  };
}

const lines = [];
/** One table each: whole sets, kinds of query, stores. Nothing is fitted in this run: every row is as it stands. */
const tables = { set: new Map(), kind: new Map(), store: new Map() };
const sumsOf = (table, key) => tables[table].get(key) ?? tables[table].set(key, emptyTally()).get(key);
for (const { set, documents, tasks } of readStores(directory)) {
  const index = indexOf(documents);
  for (const { id, store, only, queries } of tasks) {
    const plain = plainRanker(only === undefined ? documents : documents.filter((document) => only.has(document.id)));
    for (const query of queries) {
      const started = performance.now();
      const { ranked, selected } = recall(query.text, index, only === undefined ? {} : { accepts: ({ file }) => only.has(file), candidates: documents.length });
      const ms = performance.now() - started;
      const runs = { memdir: { ranked: ranked.map(({ file }) => file), selected: selected.map(({ file }) => file), ms }, "plain BM25": plain(query.text) };
      lines.push(JSON.stringify({ set, store: id, id: query.id, ranked: runs.memdir.ranked, selected: runs.memdir.selected, pointed: [], ms }));
      for (const [system, run] of Object.entries(runs)) {
        if (query.kind !== undefined) tally(sumsOf("kind", `${set}, ${query.kind}: ${system}`), query, run);
        if (query.kind === "adversarial") continue;
        tally(sumsOf("set", `${set}: ${system}`), query, run);
        tally(sumsOf("store", `${set}, ${store}: ${system}`), query, run);
      }
    }
  }
  index.close();
}
fs.writeFileSync(options.out, `${lines.join("\n")}\n`);
console.log(`node bench/recall.mjs ${directory} --out ${options.out}`);
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${os.cpus()[0]?.model ?? "unknown processor"} × ${os.cpus().length}`);
for (const table of Object.values(tables)) console.table(Object.fromEntries([...table].map(([key, value]) => [key, summary(value)])));
