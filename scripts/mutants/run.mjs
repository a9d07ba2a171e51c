/** Puts the parts together: a copy of the project, a judge, what is known of the tests, and a sample of mutants. */
import { createJudge } from "./judge-client.mjs";
import { importGraph } from "./import-graph.mjs";
import { createKnowledge } from "./knowledge.mjs";
import { learnTests } from "./learn.mjs";
import { createMeasure, testsThatJudge } from "./measure.mjs";
import { mutantsOf } from "./operators.mjs";
import { inJudgingOrder } from "./sample.mjs";
import { copyTree } from "./tree.mjs";

/** With less time than this for one mutant, tests that take long are not learnt. */
const LATE_BOUND_MS = 60_000;

/** The share of a bounded time in which tests are learnt. */
const LEARNING = 0.55;

/** @returns the judged mutants; those that do not load are replaced by others. */
export async function measureMutants(options) {
  const { root, areas, takes, sample, seed, limitMs, slow, cache, onResult, workers = 1 } = options;
  const { boundMs, wholeFileMs = 60_000, graceMs = 20_000 } = options;
  const lanes = Array.from({ length: workers }, () => laneOf(root, slow));
  const stop = () => process.exit(130);
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const clear = () => {
    for (const { tree, judge } of lanes) {
      judge.stop();
      tree.remove();
    }
  };
  process.once("exit", clear);
  const [{ tree }] = lanes;
  const knowledge = createKnowledge(tree, cache);
  try {
    const started = performance.now();
    const deadline = started + limitMs;
    const distances = importGraph(tree.root, [...tree.sources.keys(), ...tree.tests, ...tree.support]);
    const reachable = testsThatJudge(tree, distances, slow);
    const queues = areas.map(({ area, matches }) => queueOf(tree, area, matches, takes, seed));
    const paths = new Set(queues.flat().map(({ path }) => path));
    await learnTests({
      lanes,
      knowledge,
      wanted: [...reachable].filter(([, steps]) => [...paths].some((path) => steps.has(path))).map(([test]) => test),
      deadline: started + LEARNING * limitMs,
      withLate: limitMs === Number.POSITIVE_INFINITY && boundMs >= LATE_BOUND_MS,
      wholeFileMs,
    });
    const shared = { knowledge, reachable, boundMs, wholeFileMs, graceMs, deadline, unsteady: new Set() };
    const judges = lanes.map((lane) => createMeasure({ ...shared, ...lane }));
    const report = (result) => {
      knowledge.save();
      onResult(result);
    };
    return await judgeSample(queues, sample, judges, () => performance.now() > deadline, report);
  } finally {
    knowledge.save();
    clear();
    process.off("exit", clear).off("SIGINT", stop).off("SIGTERM", stop);
  }
}

/** A copy of the project and a test runner in it, which judges one mutant at a time. */
function laneOf(root, slow) {
  const tree = copyTree(root);
  return { tree, judge: createJudge(tree, { slow }) };
}

function queueOf(tree, area, matches, takes, seed) {
  const mutants = [...tree.sources]
    .filter(([path]) => matches(path))
    .flatMap(([path, text]) => mutantsOf(path, text).map((mutant) => ({ area, path, ...mutant })));
  return inJudgingOrder(mutants.filter(takes), seed);
}

/** Areas take turns until the sample is full; each judge takes the next mutant when it is free. */
async function judgeSample(queues, sample, judges, isOver, onResult) {
  const results = [];
  let turn = 0;
  const nextQueue = () => {
    for (let tried = 0; tried < queues.length; tried++) {
      const queue = queues[turn++ % queues.length];
      if (queue.length > 0) return queue;
    }
    return undefined;
  };
  let taken = 0;
  const work = async (judgeMutant) => {
    while (taken < sample && !isOver()) {
      const queue = nextQueue();
      if (queue === undefined) return;
      taken++;
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const result = await judgeMutant(mutant);
        results.push(result);
        onResult(result);
        if (result.verdict !== "invalid" || isOver()) break;
      }
    }
  };
  await Promise.all(judges.map(work));
  return results;
}
