/**
 * What is known of the tests: how long each takes and which functions it runs. It is learnt from test files that pass,
 * with a mutant in place or without, and kept for the next run.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasNumber, packNumbers, unpackNumbers } from "./reach.mjs";

export function createKnowledge(tree, cache) {
  const sources = Array.from(tree.sources, ([path, text]) => ({
    path,
    key: digest([text]),
    first: tree.firstFunction.get(path),
    count: tree.functionCounts.get(path),
  }));
  const files = readCache(cache, sources);
  const keyOf = (path) => digest([readFileSync(join(tree.root, path), "utf8")]);
  const isKnown = (path) => files.get(path)?.key === keyOf(path);
  return {
    isKnown,
    /**
     * Takes what a run of whole files showed. A file with a failure stays unknown, as a mutant may have been the cause;
     * `whole` says that there was none: then its tests that passed are known.
     */
    learn(modules, { whole = false } = {}) {
      for (const module of modules)
        if (module.state === "passed" || whole)
          files.set(module.path, { key: keyOf(module.path), ...describe(module) });
    },
    /** The tests of a known file that pass and run a function, with their time; of all its tests when `number` is -1. */
    testsReaching(path, number) {
      const { loadMs, before, tests } = files.get(path);
      const isAlwaysRun = number < 0 || hasNumber(before, number);
      const found = tests.filter(({ during }) => isAlwaysRun || hasNumber(during, number));
      return { ids: found.map(({ id }) => id), costMs: loadMs + found.reduce((sum, { ms }) => sum + ms, 0) };
    },
    save() {
      if (cache === undefined) return;
      mkdirSync(dirname(cache), { recursive: true });
      writeFileSync(cache, JSON.stringify({ sources, files: [...files] }));
    },
  };
}

function describe(module) {
  return {
    loadMs: Math.round(module.loadMs),
    before: packNumbers([...new Set(module.tests.flatMap(({ before }) => before))]),
    tests: module.tests
      .filter(({ state }) => state === "passed")
      .map(({ id, durationMs, during }) => ({ id, ms: Math.round(durationMs), during: packNumbers(during) })),
  };
}

/** What earlier runs learnt. Of a source that changed since, a test that ran any function is taken to run all. */
function readCache(cache, sources) {
  if (cache === undefined || !existsSync(cache)) return new Map();
  const kept = JSON.parse(readFileSync(cache, "utf8"));
  if (kept.sources === undefined) return new Map();
  const translate = translation(kept.sources, sources);
  const moved = (packed) =>
    packNumbers([...new Set(unpackNumbers(packed).flatMap((number) => translate[number] ?? []))]);
  for (const [, file] of kept.files) {
    file.before = moved(file.before);
    for (const test of file.tests) test.during = moved(test.during);
  }
  return new Map(kept.files);
}

/** For each old number of a function the new ones. */
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
