// node bench/recall.mjs DIR --model PROVIDER/MODEL --out RUN.jsonl [--set NAME] [--most N]
// node bench/recall.mjs DIR --model scripted:FILE --out RUN.jsonl
// node bench/recall.mjs DIR --requests FILE
// The side query over a benchmark directory: fast recall ranks, then a model chooses, seeing descriptions only.
// node bench/recall.mjs DIR --model embed:PROVIDER/MODEL|embed:random --out RUN.jsonl
// An embedder adds lines, not notes: watch reach and pointers, next to the random control. A scripted FILE holds one
// line per query, {"set","store","id","names":[…]}; --requests writes what would be sent, one line per query, so that
// any model can be tried by hand. A run has the lines of bench/recall.mjs, with "model_ms".
import fs from "node:fs";
import os from "node:os";
import { parseArgs } from "node:util";
import { locate } from "../dist/app/workspace/locations.js";
import { chooseEmbedder, chooseModel } from "../dist/app/models/models.js";
import { openEmbedder, openModel, sideQueryMs } from "../dist/app/models/open-model.js";
import { readModelSettings } from "../dist/app/workspace/settings.js";
import { shownType } from "../dist/core/notes/parse-note.js";
import { gradeNotes, judge, SELECTION_RULE } from "../dist/core/recall/likelihood.js";
import { recall } from "../dist/core/recall/recall.js";
import { createEmbeddingSelector } from "../dist/core/recall/embedding-selector.js";
import { MANIFEST_NOTES, createModelSelector, sideQueryRequest } from "../dist/core/recall/side-query.js";
import { systemClock } from "../dist/core/shared/clock.js";
import { indexOf, readStores } from "./recall-data.mjs";

const USAGE =
  "usage: node bench/recall.mjs DIR (--model PROVIDER/MODEL | --model scripted:FILE) --out RUN.jsonl [--set NAME] [--most N]\n       node bench/recall.mjs DIR --requests FILE [--set NAME]";

/** Stores of real memory, whose descriptions were written as a basis for choosing. */
const CHOSEN_BY_DESCRIPTION = new Set(["realmem", "memwild-hook"]);

function linesOf(file) {
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** The best 200 by word matching, filled up in the index's order: as in the product, for one scope. */
function manifestOf(index, ranked) {
  const entries = [...ranked.flatMap(({ file }) => index.entry(file) ?? []), ...index.top(MANIFEST_NOTES)];
  const unique = [...new Map(entries.map((entry) => [entry.file, entry])).values()].slice(0, MANIFEST_NOTES);
  return unique.map((entry) => ({
    name: entry.file,
    type: shownType(entry),
    description: entry.description,
    time: entry.time,
    scope: "project",
  }));
}

/** Recorded answers replace a model: they go through the same request and the same parser. */
function scriptedSelector(file) {
  const answers = new Map(linesOf(file).map((line) => [`${line.set}\t${line.store}\t${line.id}`, line.names]));
  return (key) => ({
    timeoutMs: 1,
    selector: createModelSelector({
      id: "scripted",
      place: "machine",
      ask: async () =>
        answers.has(key)
          ? {
              kind: "answer",
              value: { names: answers.get(key) },
              usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
              ms: 0,
            }
          : { kind: "unavailable", reason: `no answer on file for ${key}`, ms: 0 },
    }),
  });
}

/** Random vectors, always the same for the same text: what stands out then stands out by chance. */
const randomEmbedder = {
  id: "random",
  place: "machine",
  embed: async ({ texts }) => ({
    kind: "vectors",
    vectors: texts.map(diced),
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    ms: 0,
  }),
};

function diced(text) {
  let seed = [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 2_147_483_647, 7) || 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Float32Array.from({ length: 256 }, () => next() + next() + next() - 1.5);
}

async function embeddingSelector(name) {
  const kept = new Map();
  const cache = {
    get: (text) => kept.get(text),
    keep: (vectors) => {
      for (const [text, vector] of vectors) kept.set(text, vector);
    },
  };
  const locations = locate({ environment: { ...process.env, MEMDIR_EMBEDDINGS: name } });
  const settings = readModelSettings(locations.memdirHome);
  const choice = name === "random" ? undefined : chooseEmbedder(locations, settings);
  if (choice !== undefined && choice.kind !== "chosen") throw new Error(`${name} cannot be asked: ${choice.reason}`);
  const embedder =
    choice === undefined ? randomEmbedder : await openEmbedder(choice, settings, { ...locations, clock: systemClock });
  return () => ({ selector: createEmbeddingSelector(embedder, () => cache), timeoutMs: 60_000 });
}

function selectorOf(model) {
  if (model.startsWith("scripted:")) return scriptedSelector(model.slice("scripted:".length));
  return model.startsWith("embed:") ? embeddingSelector(model.slice("embed:".length)) : realSelector(model);
}

async function realSelector(name) {
  const locations = locate({ environment: { ...process.env, MEMDIR_MODEL: name } });
  const settings = readModelSettings(locations.memdirHome);
  const choice = chooseModel(locations, settings);
  if (choice.kind !== "chosen") throw new Error(`${name} cannot be asked: ${choice.reason}`);
  const selector = createModelSelector(await openModel(choice, settings, { ...locations, clock: systemClock }));
  return () => ({ selector, timeoutMs: Math.max(30_000, sideQueryMs(choice, settings)) });
}

async function run(directory, options) {
  const selectorFor = options.model === undefined ? undefined : await selectorOf(options.model);
  const lines = [];
  const requests = [];
  const sums = {
    queries: 0,
    chosen: 0,
    names: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    failures: new Map(),
    ms: [],
    bytes: 0,
  };
  for (const { set, name: store, documents, tasks } of readStores(directory)) {
    if (set !== options.set || !CHOSEN_BY_DESCRIPTION.has(set)) continue;
    const queries = tasks.flatMap((task) => task.queries);
    const index = indexOf(documents);
    for (const query of queries) {
      if (sums.queries >= Number(options.most ?? Number.POSITIVE_INFINITY)) break;
      const started = performance.now();
      const { candidates } = recall(query.text, index);
      const { whole, pointed } = gradeNotes(judge(candidates), SELECTION_RULE);
      const fast = [candidates, whole.map(({ note }) => note), pointed.map(({ note }) => note)];
      const ms = performance.now() - started;
      const question = { prompt: query.text, manifest: manifestOf(index, candidates), timeoutMs: 2500 };
      const { system, messages, schema, maxOutputTokens } = sideQueryRequest(question);
      requests.push(JSON.stringify({ set, store, id: query.id, system, messages, schema, maxOutputTokens }));
      sums.queries++;
      sums.bytes += system.length + messages.reduce((sum, { text }) => sum + text.length, 0);
      if (selectorFor === undefined) continue;
      const { selector, timeoutMs } = selectorFor(`${set}\t${store}\t${query.id}`);
      const answer = await selector.select({ ...question, timeoutMs });
      tally(sums, answer);
      lines.push(
        JSON.stringify({ set, store, id: query.id, ...shown(fast, answer, selector.grade), ms, model_ms: answer.ms }),
      );
    }
    index.close();
  }
  return { lines, requests, sums };
}

/** A model decides alone; an embedder adds a line to what was shown without it. */
function shown(fast, answer, grade) {
  const [ranked, whole, pointed] = fast.map((notes) => notes.map(({ file }) => file));
  if (answer.kind !== "chosen") return { ranked, selected: whole, pointed };
  if (grade === "line")
    return {
      ranked,
      selected: whole,
      pointed: [...new Set([...pointed, ...answer.names])].filter((file) => !whole.includes(file)),
    };
  return { ranked: [...new Set([...answer.names, ...ranked])], selected: answer.names, pointed: [] };
}

function tally(sums, answer) {
  if (answer.kind === "chosen") {
    sums.chosen++;
    sums.names += answer.names.length;
    sums.ms.push(answer.ms);
  } else sums.failures.set(answer.kind, (sums.failures.get(answer.kind) ?? 0) + 1);
  for (const count of ["inputTokens", "outputTokens", "cachedTokens"]) sums[count] += answer.usage?.[count] ?? 0;
}

function report(sums) {
  const times = sums.ms.toSorted((a, b) => a - b);
  console.log(
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${os.cpus()[0]?.model ?? "unknown processor"} × ${os.cpus().length}`,
  );
  console.table({
    queries: sums.queries,
    "characters a request": Math.round(sums.bytes / Math.max(1, sums.queries)),
    answered: sums.chosen,
    failed: [...sums.failures].map(([kind, count]) => `${kind} ${count}`).join(", ") || 0,
    "names an answer": (sums.names / Math.max(1, sums.chosen)).toFixed(2),
    "tokens in / cached / out": `${sums.inputTokens} / ${sums.cachedTokens} / ${sums.outputTokens}`,
    "model ms p50": times.length === 0 ? "-" : Math.round(times[times.length >> 1]),
    "model ms p95": times.length === 0 ? "-" : Math.round(times[Math.floor(times.length * 0.95)]),
  });
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    model: { type: "string" },
    requests: { type: "string" },
    set: { type: "string", default: "realmem" },
    most: { type: "string" },
  },
});
const directory = positionals[0];
if (
  directory === undefined ||
  (options.requests === undefined && (options.model === undefined || options.out === undefined))
) {
  console.error(USAGE);
  process.exit(2);
}
const { lines, requests, sums } = await run(directory, options);
if (options.requests !== undefined) fs.writeFileSync(options.requests, `${requests.join("\n")}\n`);
if (options.out !== undefined && lines.length > 0) fs.writeFileSync(options.out, `${lines.join("\n")}\n`);
report(sums);
