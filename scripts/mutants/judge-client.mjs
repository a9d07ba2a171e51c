/** Starts a process that runs tests and asks it; one that stays at the same test for too long is ended. */
import { fork } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

/** Set to anything, it shows what the tests print. */
const VERBOSE = process.env["MEMDIR_MUTANTS_VERBOSE"] !== undefined;

/** What a process may take to begin, or to load a test file. */
const LOAD_MS = 60_000;

/**
 * @param what `{ root, setUp, functions, slow }` for the worker; `active` is the mutant that is there from the start
 */
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
    /** How often it was asked. */
    asked: 0,
    /**
     * What it answered; `{ stuckAt }` when it stayed at a test for longer than `patience` of its id allows, or died there.
     */
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
      // What the tests started is of the same group.
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
