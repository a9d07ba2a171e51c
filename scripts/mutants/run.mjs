/** Combines the parts: a copy of the project, processes that run tests, the knowledge about the tests, and a sample. */
import { bundleTests } from "./bundle.mjs";
import { importGraph } from "./import-graph.mjs";
import { startWorker } from "./judge-client.mjs";
import { createKnowledge } from "./knowledge.mjs";
import { LATE_TESTS } from "./late-tests.mjs";
import { learnTests } from "./learn.mjs";
import { createMeasure, inOrder, testsThatJudge } from "./measure.mjs";
import { apply, mutantsOf } from "./operators.mjs";
import { inJudgingOrder } from "./sample.mjs";
import { copyTree } from "./tree.mjs";
import { isWellFormed, weave } from "./weave.mjs";

/**
 * If the time is limited, a mutant is judged by this many of the nearest test files, all of them: a judgement by fewer
 * shows how little time there was, not how good the tests are.
 */
const NEAREST = 15;

/** A process is replaced after this many requests, because each run of a test file loads its module again. */
const ASKED_AT_MOST = 200;

/** @returns the judged mutants; mutants that do not load are replaced by others. */
export async function measureMutants(options) {
  const { root, areas, takes, sample, seed, limitMs, boundMs, slow, cache, workers = 1 } = options;
  const { onResult, onFailure = () => undefined } = options;
  const started = performance.now();
  const deadline = started + limitMs;
  const tree = copyTree(root);
  const lanes = [];
  const stop = () => process.exit(130);
  const clear = () => {
    for (const lane of lanes) lane.stop();
    tree.remove();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop).once("exit", clear);
  try {
    const chosen = chooseMutants(tree, areas, takes, sample, seed);
    const { distances, importersOf } = importGraph(tree.root, [...tree.sources.keys(), ...tree.tests, ...tree.support]);
    const reachable = testsThatJudge(tree, distances, slow);
    const isBounded = limitMs !== Number.POSITIVE_INFINITY;
    const nearest = ({ path }) =>
      inOrder(path, reachable)
        .filter((test) => !LATE_TESTS.has(test))
        .slice(0, NEAREST);
    const wanted = isBounded ? [...new Set(chosen.flatMap(nearest))] : inOrderOfUse(chosen.slice(0, sample), reachable);
    const mutants = await buildTests(tree, chosen, wanted);
    const what = { root: tree.root, setUp: tree.setUp, functions: tree.functions, slow };
    for (let at = 0; at < workers; at++) lanes.push(openLane(tree.base, what));
    const knowledge = createKnowledge(tree, cache);
    const isOver = () => performance.now() > deadline;
    const learn = (tests, by) => learnTests({ lanes: by, knowledge, wanted: tests, deadline, onFailure });
    if (!isBounded) await learn(wanted, lanes);
    const shared = { tree, knowledge, reachable, importersOf, boundMs, unsteady: new Set() };
    const judges = lanes.map((lane) => {
      const judge = createMeasure({ ...shared, lane });
      return async (mutant) => {
        if (isBounded) await learn(nearest(mutant), [lane]);
        return isOver() ? undefined : judge(mutant);
      };
    });
    return await judgeSample(mutants, sample, judges, isOver, onResult);
  } finally {
    clear();
    process.off("exit", clear).off("SIGINT", stop).off("SIGTERM", stop);
  }
}

/** One warm process, replaced when it is spoilt or old; `inFresh` uses one that is thrown away afterwards. */
function openLane(base, what) {
  let warm;
  let fresh;
  return {
    worker() {
      if (warm !== undefined && warm.asked >= ASKED_AT_MOST) this.renew();
      warm ??= startWorker(base, what);
      return warm;
    },
    renew() {
      warm?.stop();
      warm = undefined;
    },
    async inFresh(mutant, act) {
      fresh = startWorker(base, what, mutant);
      try {
        return await act(fresh);
      } finally {
        fresh.stop();
      }
    },
    stop() {
      warm?.stop();
      fresh?.stop();
    },
  };
}

/** The sample and some extra mutants, in the order of judging: areas take turns. */
function chooseMutants(tree, areas, takes, sample, seed) {
  const queues = areas.map(({ area, matches }) => queueOf(tree, area, matches, takes, seed));
  const chosen = [];
  const most = sample + Math.ceil(sample / 5) + 2;
  for (let turn = 0; chosen.length < most && queues.some(({ length }) => length > 0); turn++) {
    const mutant = queues[turn % queues.length].shift();
    if (mutant !== undefined && isWellFormed(mutant.path, apply(tree.sources.get(mutant.path), mutant)))
      chosen.push({ ...mutant, number: chosen.length });
  }
  return chosen;
}

function queueOf(tree, area, matches, takes, seed) {
  const mutants = [...tree.sources]
    .filter(([path]) => matches(path))
    .flatMap(([path, text]) => mutantsOf(path, text).map((mutant) => ({ area, path, ...mutant })));
  return inJudgingOrder(mutants.filter(takes), seed);
}

/** The test files that may judge the sample: the nearest of each mutant first, then the second nearest, … */
function inOrderOfUse(mutants, reachable) {
  const best = new Map();
  for (const path of new Set(mutants.map((mutant) => mutant.path)))
    for (const [place, test] of inOrder(path, reachable).entries())
      best.set(test, Math.min(place, best.get(test) ?? place));
  return [...best].toSorted(([, a], [, b]) => a - b).map(([test]) => test);
}

/** Builds the tests with the mutants in the sources they use; a mutant that fits nowhere is left out. */
async function buildTests(tree, chosen, tests) {
  const left = new Set();
  const atLoad = new Set();
  const texts = new Map();
  for (const [path, text] of tree.sources) {
    const own = chosen.filter((mutant) => mutant.path === path);
    const woven = weave(path, text, tree.firstFunction.get(path), own);
    texts.set(path, woven.text);
    for (const number of woven.left) left.add(number);
    for (const number of woven.atLoad) atLoad.add(number);
  }
  await bundleTests({ root: tree.root, tests, setUp: tree.setUp, texts });
  return chosen
    .filter(({ number }) => !left.has(number))
    .map((mutant) => ({ ...mutant, isAtLoad: atLoad.has(mutant.number) }));
}

/** Each judge takes the next mutant when it is free, until enough are judged or the time is over. */
async function judgeSample(mutants, sample, judges, isOver, onResult) {
  const results = [];
  const waiting = [...mutants];
  let missing = Math.min(sample, mutants.length);
  const work = async (judgeMutant) => {
    while (missing > 0 && !isOver()) {
      const mutant = waiting.shift();
      if (mutant === undefined) return;
      missing--;
      const result = await judgeMutant(mutant);
      if (result === undefined) return;
      if (result.verdict === "invalid") missing++;
      results.push(result);
      onResult(result);
    }
  };
  await Promise.all(judges.map(work));
  return results;
}
