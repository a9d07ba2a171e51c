/** Judges mutants one after another by the tests that run a mutant's function. */
import { basename, dirname } from "node:path";

/** How much longer a test may take than before, because the machine may be busy now, before it counts as endless. */
const PATIENCE = { times: 10, moreMs: 8_000 };

/** Tests that start other processes or the built bundles do not use a changed source. */
const ELSEWHERE = /^test\/(?:gates|clients|e2e|examples|mutants|web)\//u;

/** The tests that may judge, each with the distances of its imports. */
export function testsThatJudge(tree, distances, slow) {
  const files = tree.tests.filter((path) => !ELSEWHERE.test(path) && (slow || !path.endsWith(".slow.test.ts")));
  return new Map(files.map((path) => [path, distances(path)]));
}

/** Test files that import a source: the one with its name first, then the nearest, then the smallest. */
export function inOrder(path, reachable) {
  const rank = (test) => rankOf(test, path);
  return [...reachable]
    .filter(([, steps]) => steps.has(path))
    .toSorted(([a, one], [b, other]) => rank(a) - rank(b) || one.get(path) - other.get(path) || one.size - other.size)
    .map(([test]) => test);
}

/** By rank: a test named like the source, or next to it, is worth more time than one that only passes through it. */
const NEARNESS = [0.1, 0.3, 1, 1];

function rankOf(test, path) {
  if (test.startsWith("test/faults/")) return 3;
  if (basename(test).startsWith(`${basename(path, ".ts")}.`)) return 0;
  return dirname(test) === dirname(path).replace(/^src\//u, "test/") ? 1 : 2;
}

/** `unsteady` are tests that passed once but failed without a mutant. */
export function createMeasure(shared) {
  const { tree, knowledge } = shared;
  const testsFor = createChoice(shared);
  const ask = createQuestion(shared);

  const judge = async (mutant) => {
    const number = mutant.function < 0 ? -1 : tree.firstFunction.get(mutant.path) + mutant.function;
    const asked = mutant.isAtLoad ? undefined : await ask(mutant, testsFor(mutant, false), false);
    if (asked?.verdict !== undefined || asked?.isBounded) return asked;
    // A mutant's effect while a module loads is visible only if the mutant was on before.
    if (!mutant.isAtLoad && !knowledge.runsAtLoad(number)) return {};
    return (await ask(mutant, testsFor(mutant, true), true)) ?? {};
  };

  return async (mutant) => {
    const started = performance.now();
    const judged = await judge(mutant);
    return { ...mutant, verdict: "survived", ...judged, seconds: (performance.now() - started) / 1_000 };
  };
}

function createChoice({ tree, knowledge, reachable, importersOf, unsteady }) {
  const functionsIn = (path) => {
    const first = tree.firstFunction.get(path);
    return first === undefined ? [] : [[first, first + tree.functionCounts.get(path)]];
  };

  /** Functions that show a mutant: its own; for an effect at load, all of its file and of its importers. */
  const functionsFor = ({ path, function: own }, isFresh) => {
    const first = tree.firstFunction.get(path) + own;
    return own >= 0 && !isFresh ? [[first, first + 1]] : [path, ...importersOf(path)].flatMap(functionsIn);
  };

  /** The tests that may notice a mutant, cheap and near ones first. */
  return (mutant, isFresh) => {
    const ranges = functionsFor(mutant, isFresh);
    const turn = ({ path, costMs }) => costMs * NEARNESS[rankOf(path, mutant.path)];
    return inOrder(mutant.path, reachable)
      .filter((path) => knowledge.isKnown(path) && !unsteady.has(path))
      .map((path) => knowledge.testsReaching(path, ranges))
      .map((one) => ({ ...one, ids: one.ids.filter((id) => !unsteady.has(id)) }))
      .filter(({ ids }) => ids.length > 0)
      .toSorted((a, b) => turn(a) - turn(b));
  };
}

/** Runs tests for a mutant, to see whether they fail with it and only with it. */
function createQuestion({ lane, knowledge, boundMs, unsteady }) {
  const patience = (id) => PATIENCE.times * (knowledge.timeOf(id) ?? PATIENCE.moreMs / 2) + PATIENCE.moreMs;

  const runOnce = async (worker, mutant, tests, limitMs) =>
    worker.run({ mutant, tests, bail: true, limitMs }, patience);

  /** In separate processes: whether tests fail with the mutant on from the start, and pass without it. */
  const failsAlone = async (mutant, tests) => {
    const mutated = await lane.inFresh(mutant.number, (worker) => runOnce(worker, mutant.number, tests));
    if (failureOf(mutated) === undefined) return undefined;
    lane.renew();
    const clean = await runOnce(lane.worker(), -1, tests);
    if (failureOf(clean) !== undefined) return undefined;
    return mutated.stuckAt === undefined ? "noticed" : "timeout";
  };

  /** A failure counts if it disappears without the mutant and returns with it. */
  const confirm = async (mutant, tests, failure, isFresh) => {
    if (!isFresh && !failure.isStuck) {
      const clean = await runOnce(lane.worker(), -1, tests);
      if (clean.stuckAt === undefined && failureOf(clean) === undefined) {
        const again = await runOnce(lane.worker(), mutant.number, tests);
        if (again.stuckAt !== undefined) lane.renew();
        else if (failureOf(again) !== undefined) return "noticed";
      }
    }
    return failsAlone(mutant, tests);
  };

  /** The verdict of tests on a mutant; `undefined` when all pass. */
  return async (mutant, tests, isFresh) => {
    const act = (worker) => runOnce(worker, mutant.number, tests, boundMs);
    while (tests.length > 0) {
      const answer = await (isFresh ? lane.inFresh(mutant.number, act) : act(lane.worker()));
      const failure = failureOf(answer);
      if (failure === undefined) return answer.isOver ? { isBounded: true } : undefined;
      if (failure.isStuck && !isFresh) lane.renew();
      if (isFresh && isUnloadable(answer)) return { verdict: "invalid", by: failure.name };
      const file = tests.find(({ path }) => path === failure.path) ?? tests[0];
      const verdict = await confirm(
        mutant,
        [failure.id === undefined ? file : { ...file, ids: [failure.id] }],
        failure,
        isFresh,
      );
      if (verdict !== undefined) return { verdict, by: `${file.path}: ${failure.name ?? failure.id}` };
      unsteady.add(failure.id ?? file.path);
      tests = tests
        .slice(tests.indexOf(file))
        .map((one) => ({ ...one, ids: one.ids.filter((id) => !unsteady.has(id)) }))
        .filter(({ path, ids }) => ids.length > 0 && !unsteady.has(path));
    }
    return undefined;
  };
}

function isUnloadable({ modules = [] }) {
  return modules.length > 0 && modules.every(({ errors, tests }) => errors.length > 0 && tests.length === 0);
}

function failureOf({ modules = [], stuckAt }) {
  if (stuckAt !== undefined) return { isStuck: true, path: stuckAt.path, id: stuckAt.id, name: stuckAt.name };
  const failed = modules.find(({ state }) => state === "failed");
  if (failed === undefined) return undefined;
  const test = failed.tests.find(({ state }) => state === "failed");
  return { path: failed.path, id: test?.id, name: test?.name ?? failed.errors[0] };
}
