/** Runs tests once without a mutant, to learn how long each takes and which functions it runs. */

/** The time a test may take while it is learnt. */
const PATIENCE_MS = 45_000;

const SAVED_EVERY = 10;

/** @param wanted the test files by importance; lanes take turns until none is left or the time is over. */
export async function learnTests({ lanes, knowledge, wanted, deadline, onFailure }) {
  const left = wanted.filter((path) => !knowledge.isKnown(path));
  let learnt = 0;
  const work = async (lane) => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return;
      const request = { mutant: -1, tests: [{ path }], bail: false, learns: true };
      const answer = await lane
        .worker()
        .run(request, () => Math.min(PATIENCE_MS, deadline - performance.now() + 5_000));
      if (answer.stuckAt !== undefined) lane.renew();
      // A file that hangs is not run again; one that only ran out of time can be learnt in a later run.
      if (answer.stuckAt === undefined || performance.now() < deadline)
        knowledge.learn(answer.modules?.[0] ?? { path });
      for (const failure of failuresOf(answer)) onFailure(`${path}: ${failure}`);
      if (++learnt % SAVED_EVERY === 0) knowledge.save();
    }
  };
  await Promise.all(lanes.map(work));
  knowledge.save();
}

/** Tests that fail, or do not end, without a mutant. */
function failuresOf({ modules = [], stuckAt }) {
  const failed = modules.flatMap(({ errors, tests }) => [
    ...errors,
    ...tests.filter(({ state }) => state === "failed").map(({ name, error }) => `${name}: ${error}`),
  ]);
  return stuckAt === undefined ? failed : [`${stuckAt.name ?? "the file"} does not end`];
}
