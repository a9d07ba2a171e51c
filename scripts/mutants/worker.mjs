/**
 * A process that loads the tests once and runs them on request, with or without a mutant. It uses vitest's own
 * functions and runner, without its server. A mutant that never ends blocks this process: it reports what it begins, so
 * that its parent can kill it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { moduleOf } from "./bundle.mjs";
import { ACTIVE, REACHED } from "./weave.mjs";

const { root, setUp, functions, slow, mutant } = JSON.parse(process.argv[2]);
const reached = new Uint8Array(functions);
globalThis[REACHED] = reached;
globalThis[ACTIVE] = mutant;

const config = {
  root,
  name: "",
  setupFiles: setUp,
  sequence: { setupFiles: "list", hooks: "stack", shuffle: false, concurrent: false },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxConcurrency: 5,
  retry: 0,
  tags: [{ name: "slow" }],
  tagsFilter: slow ? undefined : ["!slow"],
  expect: {},
  experimental: { importDurations: { limit: 0 } },
  snapshotOptions: { updateSnapshot: "none", expand: false },
  fakeTimers: {},
  passWithNoTests: true,
  allowOnly: true,
};
/** The process state that vitest's functions read, under the name that they expect. */
const WORKER_STATE = "__vitest_worker__";
globalThis[WORKER_STATE] = {
  config,
  ctx: { pool: "forks" },
  environment: { name: "node" },
  rpc: {},
  metaEnv: process.env,
  evaluatedModules: { getModuleById: () => undefined, idToModuleMap: new Map() },
  resolvingModules: new Set(),
  moduleExecutionInfo: new Map(),
  durations: { environment: 0, prepare: 0 },
  onCancel: () => undefined,
  onCleanup: () => undefined,
};

const here = createRequire(join(root, "package.json"));
const vitest = join(here.resolve("vitest/package.json"), "../dist/index.js");
const { TestRunner, expect, vi } = await import(pathToFileURL(vitest).href);
const { collectTests, startTests } = await import(pathToFileURL(createRequire(vitest).resolve("@vitest/runner")).href);

process.exit = ((end) => (code) => {
  if (code === ENDS) end(0);
  throw new Error(`process.exit was called with "${code}"`);
})(process.exit.bind(process));
const ENDS = Symbol("the process that asked is gone");

/** Errors outside any test are attributed to the running one. */
let strays = [];
process.on("uncaughtException", (error) => strays.push(error));
process.on("unhandledRejection", (error) => strays.push(error));

let loads = 0;

const WAITING = 12;

/** Vitest's runner without snapshots; it reports what begins and records which functions ran. */
class Runner extends TestRunner {
  bail = true;
  cancelRun = false;
  trace = (_name, details, act) => (act ?? details)();
  importFile(path) {
    const place = path.startsWith("/") ? path.slice(root.length + 1) : path;
    process.send({ begins: { path: place } });
    return import(`${pathToFileURL(moduleOf(root, place)).href}?load=${loads++}`);
  }
  onBeforeRunSuite(suite) {
    if (this.cancelRun) suite.mode = "skip";
  }
  onAfterRunSuite() {}
  onAfterRunFiles() {}
  onBeforeRunTask(test) {
    if (this.cancelRun) test.mode = "skip";
    test.meta.before = take();
    if (test.mode === "run" || test.mode === "queued")
      process.send({ begins: { path: test.file.name, id: test.id, name: test.name } });
  }
  onBeforeTryTask(test) {
    expect.setState({
      assertionCalls: 0,
      isExpectingAssertions: false,
      isExpectingAssertionsError: null,
      expectedAssertionsNumber: null,
      expectedAssertionsNumberErrorGen: null,
      currentTestName: test.name,
      testPath: test.file.filepath,
    });
  }
  onAfterRunTask(test) {
    test.meta.during = take();
    if (this.bail && test.result?.state === "fail") this.cancelRun = true;
  }
}

function take() {
  const numbers = [];
  for (let at = reached.indexOf(1); at !== -1; at = reached.indexOf(1, at + 1)) numbers.push(at);
  reached.fill(0);
  return numbers;
}

async function run({ mutant: number, tests, bail, learns = false, limitMs = Number.POSITIVE_INFINITY }) {
  const isOver = timeLimit(limitMs);
  const modules = [];
  globalThis[ACTIVE] = number;
  try {
    for (const { path, ids } of tests) {
      if (isOver()) return { modules, isOver: true };
      const loading = learns ? await loadOnly(path) : [];
      const module = { ...(await runFile(path, ids, bail)), loading };
      modules.push(module);
      if (bail && module.state === "failed") break;
    }
    return { modules, isOver: false };
  } finally {
    globalThis[ACTIVE] = -1;
  }
}

/** Processor time, because a busy machine gives little of it; tests that wait for others get a multiple of it. */
function timeLimit(limitMs) {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 > limitMs || performance.now() - started > WAITING * limitMs;
  };
}

/** Code that runs while a file's modules load for the first time does not count as work of its tests. */
async function loadOnly(path) {
  reached.fill(0);
  await collectTests([join(root, path)], new Runner(config));
  return take();
}

async function runFile(path, testIds, bail) {
  strays = [];
  reached.fill(0);
  const runner = new Runner(config);
  runner.bail = bail;
  const started = performance.now();
  const [file] = await startTests([{ filepath: join(root, path), testIds }], runner);
  vi.restoreAllMocks();
  // An unhandled rejection is reported one turn later.
  await new Promise((done) => setImmediate(done));
  const tests = [...testsOf(file)].map(describeTest);
  const errors = [...(file.result?.errors ?? []), ...strays].map(messageOf);
  const failed = errors.length > 0 || tests.some(({ state }) => state === "failed");
  const testsMs = tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const loadMs = Math.max(0, performance.now() - started - testsMs);
  return { path, state: failed ? "failed" : "passed", loadMs, errors, tests };
}

function* testsOf(suite) {
  for (const task of suite.tasks)
    if (task.type === "suite") {
      // A failed hook belongs only to the suite.
      for (const error of task.result?.errors ?? []) strays.push(error);
      yield* testsOf(task);
    } else yield task;
}

const STATES = { pass: "passed", fail: "failed" };

function describeTest({ id, name, result, meta }) {
  const { before = [], during = [] } = meta;
  const state = STATES[result?.state] ?? "skipped";
  return { id, name, state, durationMs: result?.duration ?? 0, error: messageOf(result?.errors?.[0]), before, during };
}

function messageOf(error) {
  return error === undefined ? undefined : String(error?.message ?? error).split("\n", 1)[0];
}

process.on("message", (request) => {
  run(request).then(
    (answer) => process.send({ answer }),
    (error) => process.send({ error: String(error?.stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit(ENDS));
process.send({ ready: true });
