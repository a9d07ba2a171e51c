/** Judges mutants one after another: what the tests that run a mutant's function say of it. */
import { basename, dirname } from "node:path";
import { LATE_TESTS } from "./late-tests.mjs";
import { apply } from "./operators.mjs";

/** Tests run in waves, cheap ones first; most mutants are noticed in the first. */
const WAVES_MS = [500, 2_500];
/** A failure in a run of many files is heard late. */
const FILES_A_WAVE = [4, 12];
const FILES_AT_ONCE = 3;

/** Tests that start other processes, or the built bundles, do not see a changed source. */
const ELSEWHERE = /^test\/(?:gates|clients|e2e|examples|mutants)\//u;

/** The tests that may judge, each with how far away what it imports is. */
export function testsThatJudge(tree, distances, slow) {
  const files = tree.tests.filter((path) => !ELSEWHERE.test(path) && (slow || !path.endsWith(".slow.test.ts")));
  return new Map(files.map((path) => [path, distances(path)]));
}

/** `unsteady` are tests that failed without a mutant although they once passed. */
export function createMeasure(options) {
  const { tree, judge, knowledge, reachable, boundMs, wholeFileMs, graceMs, deadline, unsteady } = options;
  const judgeWave = waveJudge({ tree, judge, knowledge, wholeFileMs, graceMs, unsteady });

  async function judgeMutant(mutant) {
    const waiting = inOrder(mutant.path, reachable).filter((path) => !unsteady.has(path));
    const ran = new Set();
    let spentMs = 0;
    for (let at = 0; spentMs < boundMs; at++) {
      if (performance.now() > deadline) return { verdict: "unjudged" };
      const left = waiting.filter((path) => !ran.has(path));
      const known = left.filter((path) => knowledge.isKnown(path));
      const wave = nextWave(known, mutant, knowledge, at, boundMs - spentMs, tree, unsteady);
      if (wave.length === 0) wave.push(...nextUnknown(left, known, spentMs < boundMs / 2));
      if (wave.length === 0) return { verdict: "survived" };
      for (const { path } of wave) ran.add(path);
      const started = performance.now();
      const judged = await judgeWave(mutant, wave);
      spentMs += performance.now() - started;
      if (judged !== undefined) return judged;
    }
    return { verdict: "survived", isBounded: true };
  }

  return async (mutant) => {
    const started = performance.now();
    const judged = await judgeMutant(mutant);
    tree.plant(mutant.path);
    return { ...mutant, ...judged, seconds: (performance.now() - started) / 1_000 };
  };
}

/** Runs some tests with a mutant in place. `unsteady` takes in what fails without it too. */
function waveJudge({ tree, judge, knowledge, wholeFileMs, graceMs, unsteady }) {
  /** Tests that failed with one mutant and passed without it: they are not asked again what they say without one. */
  const steady = new Set();

  /** Whether a test fails without the mutant too; an error outside any test is looked for in all of them. */
  const failsAnyway = async (mutant, { path, id }, all) => {
    tree.plant(mutant.path);
    const tests = path === undefined ? all : [{ path, ids: id === undefined ? undefined : [id] }];
    return failureOf(await judge.run({ tests, bail: true }, graceMs + wholeFileMs * tests.length)) !== undefined;
  };

  /** On a busy machine a run may be late without being endless. */
  const runAgain = (mutant, tests, limitMs) => {
    tree.plant(mutant.path, apply(tree.sources.get(mutant.path), mutant));
    return judge.run({ tests, bail: true }, 2 * limitMs);
  };

  /** What tests say of a mutant; `undefined` when all pass. Without `ids` a file is run whole, and learnt from. */
  return async (mutant, wave) => {
    let tests = wave;
    const limitMs = wave.reduce((sum, { costMs }) => sum + (costMs === undefined ? wholeFileMs : 4 * costMs), graceMs);
    while (tests.length > 0) {
      tree.plant(mutant.path, apply(tree.sources.get(mutant.path), mutant));
      const answer = (await judge.run({ tests, bail: true }, limitMs)) ?? (await runAgain(mutant, tests, limitMs));
      if (answer === undefined) return { verdict: "timeout" };
      knowledge.learn(
        answer.modules.filter(({ path }) => tests.some((one) => one.path === path && one.ids === undefined)),
      );
      if (answer.modules.length > 0 && answer.modules.every(isUnloadable))
        return { verdict: "invalid", by: answer.modules[0].errors[0] };
      const failure = failureOf(answer);
      if (failure === undefined) return undefined;
      const isSteady = failure.id !== undefined && steady.has(failure.id);
      if (isSteady || !(await failsAnyway(mutant, failure, tests))) {
        if (failure.id !== undefined) steady.add(failure.id);
        return { verdict: "noticed", by: `${failure.path ?? "outside any test"}: ${failure.name}` };
      }
      unsteady.add(
        tests.some(({ path, ids }) => path === failure.path && ids === undefined)
          ? failure.path
          : (failure.id ?? failure.path),
      );
      tests = withoutUnsteady(tests, failure, unsteady);
    }
    return undefined;
  };
}

/** By rank: a test that is named like the source, or beside it, is worth more time than one that only passes through. */
const NEARNESS = [0.1, 0.3, 1, 1];

function rankOf(test, path) {
  if (test.startsWith("test/faults/")) return 3;
  if (basename(test).startsWith(`${basename(path, ".ts")}.`)) return 0;
  return dirname(test) === dirname(path).replace(/^src\//u, "test/") ? 1 : 2;
}

/** Test files that import a source, the one named like it first, then the nearest, then the smallest. */
function inOrder(path, reachable) {
  const rank = (test) => rankOf(test, path);
  return [...reachable]
    .filter(([, steps]) => steps.has(path))
    .toSorted(([a, one], [b, other]) => rank(a) - rank(b) || one.get(path) - other.get(path) || one.size - other.size)
    .map(([test]) => test);
}

/** Files whose tests are not known yet; one that takes long stands alone and comes last. */
function nextUnknown(left, known, withLate) {
  const unknown = left.filter((path) => !known.includes(path));
  const quick = unknown.filter((path) => !LATE_TESTS.has(path)).slice(0, FILES_AT_ONCE);
  const next = quick.length > 0 || !withLate ? quick : unknown.slice(0, 1);
  return next.map((path) => ({ path }));
}

function nextWave(known, mutant, knowledge, at, leftMs, tree, unsteady) {
  const limitMs = WAVES_MS[at] ?? leftMs;
  const most = FILES_A_WAVE[at] ?? Number.POSITIVE_INFINITY;
  const number = mutant.function < 0 ? -1 : tree.firstFunction.get(mutant.path) + mutant.function;
  const found = known
    .map((path) => ({ path, ...knowledge.testsReaching(path, number) }))
    .map((one) => ({ ...one, ids: one.ids.filter((id) => !unsteady.has(id)) }))
    .map((one) => ({ ...one, turn: one.costMs * NEARNESS[rankOf(one.path, mutant.path)] }));
  const tests = [];
  let costMs = 0;
  for (const one of found.filter(({ ids }) => ids.length > 0).toSorted((a, b) => a.turn - b.turn)) {
    if (tests.length > 0 && (costMs + one.costMs > limitMs || tests.length === most)) break;
    tests.push(one);
    costMs += one.costMs;
  }
  return tests;
}

/** The failed test is left out; of a file that was run whole nothing else is known, so all of it. */
function withoutUnsteady(tests, failure, unsteady) {
  if (failure.path === undefined) return [];
  return tests
    .filter(({ path, ids }) => path !== failure.path || (ids !== undefined && failure.id !== undefined))
    .map((one) => (one.ids === undefined ? one : { ...one, ids: one.ids.filter((id) => !unsteady.has(id)) }))
    .filter(({ ids }) => ids === undefined || ids.length > 0);
}

function isUnloadable({ errors, tests }) {
  return errors.length > 0 && tests.every(({ state }) => state !== "failed" && state !== "passed");
}

function failureOf(answer) {
  for (const { path, tests, errors } of answer?.modules ?? []) {
    const failed = tests.find(({ state }) => state === "failed");
    if (failed !== undefined) return { path, id: failed.id, name: failed.name };
    if (errors.length > 0) return { path, name: errors[0] };
  }
  return answer?.unhandled.length > 0 ? { name: answer.unhandled[0] } : undefined;
}
