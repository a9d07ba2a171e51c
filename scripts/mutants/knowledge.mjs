/**
 * What is known about the tests: how long each takes and which functions it runs. This is learnt from runs without a
 * mutant, and kept for later runs.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packNumbers, unpackNumbers } from "./reach.mjs";

export function createKnowledge(tree, cache) {
  const sources = Array.from(tree.sources, ([path, text]) => ({
    path,
    key: digest([text]),
    first: tree.firstFunction.get(path),
    count: tree.functionCounts.get(path),
  }));
  const keys = new Map(tree.tests.map((path) => [path, digest([readFileSync(join(tree.root, path), "utf8")])]));
  const files = new Map();
  /** Functions that run while modules load. */
  const loading = new Set();
  const times = new Map();
  const take = (path, file) => {
    files.set(path, { ...file, tests: file.tests.map((test) => ({ ...test, numbers: unpackNumbers(test.during) })) });
    for (const { id, ms } of file.tests) times.set(id, ms);
    for (const number of unpackNumbers(file.loading)) loading.add(number);
  };
  for (const [path, file] of readCache(cache, sources)) if (keys.get(path) === file.key) take(path, file);
  return {
    isKnown: (path) => files.has(path),
    /** The time that a test took. */
    timeOf: (id) => times.get(id),
    runsAtLoad: (number) => loading.has(number),
    /** Records a run of a whole file without a mutant; the tests that passed are then known. */
    learn({ path, loadMs = 0, loading: atLoad = [], tests = [] }) {
      const passed = tests.filter(({ state }) => state === "passed");
      take(path, {
        key: keys.get(path),
        loadMs: Math.round(loadMs),
        loading: packNumbers(atLoad),
        tests: passed.map(({ id, durationMs, before, during }) => ({
          id,
          ms: Math.round(durationMs),
          during: packNumbers([...before, ...during]),
        })),
      });
    },
    /** The tests of a known file that pass and run one of the functions `[from, to)`, with their time. */
    testsReaching(path, ranges) {
      const { loadMs, tests } = files.get(path);
      const found = tests.filter(({ numbers }) =>
        ranges.some(([from, to]) => numbers.some((number) => number >= from && number < to)),
      );
      return { path, ids: found.map(({ id }) => id), costMs: loadMs + found.reduce((sum, { ms }) => sum + ms, 0) };
    },
    save() {
      if (cache === undefined) return;
      const kept = Array.from(files, ([path, file]) => [
        path,
        { ...file, tests: file.tests.map(({ numbers: _, ...test }) => test) },
      ]);
      mkdirSync(dirname(cache), { recursive: true });
      writeFileSync(cache, JSON.stringify({ sources, files: kept }));
    },
  };
}

/** What earlier runs learnt. If a source has changed, a test that ran any of its functions is assumed to run all. */
function readCache(cache, sources) {
  if (cache === undefined || !existsSync(cache)) return [];
  const kept = JSON.parse(readFileSync(cache, "utf8"));
  const translate = translation(kept.sources, sources);
  const moved = (packed) =>
    packNumbers([...new Set(unpackNumbers(packed).flatMap((number) => translate[number] ?? []))]);
  for (const [, file] of kept.files) {
    file.loading = moved(file.loading);
    for (const test of file.tests) test.during = moved(test.during);
  }
  return kept.files;
}

/** The new numbers of each old number of a function. */
function translation(before, now) {
  const present = new Map(now.map((source) => [source.path, source]));
  const numbers = [];
  for (const { path, key, first, count } of before) {
    const source = present.get(path);
    if (source === undefined) continue;
    const all = Array.from({ length: source.count }, (_, at) => source.first + at);
    for (let at = 0; at < count; at++) numbers[first + at] = key === source.key ? [source.first + at] : all;
  }
  return numbers;
}

function digest(texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 20);
}
