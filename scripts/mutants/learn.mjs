/** Runs the tests once without a mutant and keeps what each reaches: many files a run, as each run starts a worker. */
import { LATE_TESTS } from "./late-tests.mjs";

const FILES_A_RUN = 20;
/** A run that began in time may end this much later. */
const GRACE_MS = 10_000;

/** @param wanted the test files in the order in which they matter; lanes take turns until none is left or the time is over. */
export async function learnTests({ lanes, knowledge, wanted, deadline, withLate, wholeFileMs }) {
  const unknown = wanted.filter((path) => !knowledge.isKnown(path));
  const quick = unknown.filter((path) => !LATE_TESTS.has(path));
  const runs = [];
  for (let at = 0; at < quick.length; at += FILES_A_RUN) runs.push(quick.slice(at, at + FILES_A_RUN));
  if (withLate) runs.push(...unknown.filter((path) => LATE_TESTS.has(path)).map((path) => [path]));
  const work = async ({ judge }) => {
    for (let paths = runs.shift(); paths !== undefined; paths = runs.shift()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return;
      const limitMs = Math.min(leftMs + GRACE_MS, wholeFileMs * 2);
      const answer = await judge.run({ tests: paths.map((path) => ({ path })), bail: false }, limitMs);
      knowledge.learn(answer?.modules ?? [], { whole: true });
      knowledge.save();
    }
  };
  await Promise.all(lanes.map(work));
}
