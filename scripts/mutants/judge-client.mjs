/** Starts a process that runs tests, and sends it requests; a process that stays at one test for too long is killed. */
import { fork } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

/** If set to anything, the output of the tests is shown. */
const VERBOSE = process.env["MEMDIR_MUTANTS_VERBOSE"] !== undefined;

/** The time a process may take to start, or to load a test file. */
const LOAD_MS = 60_000;

/** @param what `{ root, setUp, functions, slow }` for the worker; `active` is the mutant that is on from the start */
export function startWorker(base, what, active = -1) {
  const home = mkdtempSync(join(base, "home-"));
  const child = fork(join(import.meta.dirname, "worker.mjs"), [JSON.stringify({ ...what, mutant: active })], {
    cwd: what.root,
    detached: true,
    execArgv: ["--no-warnings"],
    stdio: ["ignore", VERBOSE ? "inherit" : "ignore", VERBOSE ? "inherit" : "ignore", "ipc"],
    env: { PATH: process.env["PATH"], HOME: home, TMPDIR: home, NODE_ENV: "test", TEST: "true", VITEST: "true" },
  });
  const ready = answerOf(child, () => LOAD_MS);
  return {
    /** The number of requests sent to it. */
    asked: 0,
    /** Its answer; `{ stuckAt }` if it stayed at a test for longer than `patience` of its id allows, or died. */
    async run(request, patience) {
      const begun = await ready;
      if (begun.ready === undefined) throw new Error(`The tests do not load in ${what.root}: ${JSON.stringify(begun)}`);
      this.asked++;
      const answer = answerOf(child, patience);
      child.send(request);
      const message = await answer;
      if (message.error !== undefined) throw new Error(`The test runner failed: ${message.error}`);
      return message.answer ?? message;
    },
    stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      // Processes that the tests started are in the same group.
      process.kill(-child.pid, "SIGKILL");
    },
  };
}

function answerOf(child, patience) {
  return new Promise((done) => {
    let at = {};
    let timer;
    const finish = (message) => {
      clearTimeout(timer);
      child.off("message", hear);
      child.off("exit", gone);
      done(message);
    };
    const gone = () => finish({ stuckAt: at });
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(gone, at.id === undefined ? LOAD_MS : patience(at.id));
    };
    const hear = (message) => {
      if (message.begins === undefined) return finish(message);
      at = message.begins;
      wait();
    };
    wait();
    child.on("message", hear);
    child.on("exit", gone);
  });
}
