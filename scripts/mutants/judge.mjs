/**
 * A child process with one warm test runner. It is asked to run tests, with or without a mutant in place, and answers
 * what happened. A mutant that never ends blocks this process, so whoever asks ends it then.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createVitest } from "vitest/node";

/** Tests run in the order in which they were asked for. */
class InOrder {
  sort(specifications) {
    return specifications;
  }
  shard(specifications) {
    return specifications;
  }
}

const root = process.argv[2];
const OWN_SET_UP = [join(root, "test/support/set-up.ts")];
const runner = await createVitest("test", {
  root,
  watch: true,
  reporters: [{}],
  maxWorkers: 1,
  bail: 1,
  testTimeout: 15_000,
  tagsFilter: process.argv.includes("--slow") ? [] : ["!slow"],
  setupFiles: [...OWN_SET_UP.filter(existsSync), join(import.meta.dirname, "set-up.mjs")],
  include: ["test/**/*.test.ts"],
  sequence: { sequencer: InOrder },
});
const project = runner.getRootProject();
// What is run is asked for: a run that a changed file starts by itself would take time, and answer for another mutant.
runner.watcher.unregisterWatcher();

/** What earlier runs left would count as failures of this one. */
function forget() {
  runner.state.filesMap.clear();
  runner.state.idMap.clear();
  runner.state.errorsSet.clear();
}

async function run({ changed, tests, bail }) {
  forget();
  runner.config.bail = bail ? 1 : 0;
  project.config.bail = runner.config.bail;
  for (const path of changed) runner.invalidateFile(join(root, path));
  const specifications = tests.map(({ path, ids }) =>
    project.createSpecification(join(root, path), ids === undefined ? undefined : { testIds: ids }),
  );
  const asked = Date.now();
  const { testModules, unhandledErrors } = await runWhenReady(specifications);
  if (process.env["MEMDIR_MUTANTS_VERBOSE"] !== undefined)
    process.stderr.write(
      `${unhandledErrors.map((e) => e.stack).join()} ran ${tests.map(({ path }) => path).join(" ")} in ${Date.now() - asked} ms\n`,
    );
  return { modules: testModules.map(describeModule), unhandled: unhandledErrors.map(messageOf) };
}

/** After a run that ended at its first failure the workers are still being stopped for a moment: nothing was run then. */
async function runWhenReady(specifications) {
  for (let tries = 0; ; tries++) {
    const result = await runner.runTestSpecifications(specifications);
    const isStopping = result.unhandledErrors.some((error) => messageOf(error).includes("pool is cancelling"));
    if (!isStopping || tries === 200) return result;
    forget();
    await setTimeout(25);
  }
}

function describeModule(module) {
  const { duration, collectDuration } = module.diagnostic();
  return {
    path: module.moduleId.slice(root.length + 1),
    state: module.state(),
    durationMs: duration,
    loadMs: collectDuration,
    errors: module.errors().map(messageOf),
    tests: Array.from(module.children.allTests(), describeTest),
  };
}

function describeTest(test) {
  const { state, errors } = test.result();
  const { before = [], during = [] } = test.meta();
  return {
    id: test.id,
    name: test.fullName,
    state,
    durationMs: test.diagnostic()?.duration ?? 0,
    error: errors?.[0] === undefined ? undefined : messageOf(errors[0]),
    before,
    during,
  };
}

function messageOf(error) {
  return String(error?.message ?? error).split("\n", 1)[0];
}

process.on("message", (request) => {
  run(request).then(
    (answer) => process.send({ answer }),
    (error) => process.send({ error: messageOf(error) }),
  );
});
process.on("disconnect", () => process.exit());
process.send({ ready: true });
