/** Starts the judge and asks it; a judge that does not answer in time is ended and started again. */
import { fork } from "node:child_process";
import { join } from "node:path";

/** Set to anything, it shows what the judge runs. */
const VERBOSE = Object.fromEntries(Object.entries(process.env).filter(([name]) => name === "MEMDIR_MUTANTS_VERBOSE"));

export function createJudge(tree, { slow = false } = {}) {
  let child;
  const start = async () => {
    const args = [tree.root, ...(slow ? ["--slow"] : [])];
    child = fork(join(import.meta.dirname, "judge.mjs"), args, {
      cwd: tree.root,
      detached: true,
      execArgv: [],
      stdio: ["ignore", "ignore", Object.keys(VERBOSE).length === 0 ? "ignore" : "inherit", "ipc"],
      env: { ...VERBOSE, PATH: process.env["PATH"], HOME: tree.home, TMPDIR: tree.home, NODE_ENV: "test" },
    });
    if ((await reply(child, 60_000)) === undefined) throw new Error(`The test runner does not start in ${tree.root}`);
  };
  const stop = () => {
    const ended = child;
    child = undefined;
    if (ended?.pid === undefined || ended.exitCode !== null) return;
    // The test runner's workers are of the same group and may be in an endless loop.
    process.kill(-ended.pid, "SIGKILL");
  };
  return {
    /** What the runner answered, or `undefined` when it did not in time. */
    async run(request, limitMs) {
      if (child === undefined) await start();
      child.send({ ...request, changed: tree.takeChanged() });
      const message = await reply(child, limitMs);
      if (message === undefined) stop();
      else if (message.error !== undefined) throw new Error(`The test runner failed: ${message.error}`);
      return message?.answer;
    },
    stop,
  };
}

function reply(child, limitMs) {
  return new Promise((done) => {
    const finish = (message) => {
      clearTimeout(timer);
      child.off("message", finish);
      child.off("exit", gone);
      done(message);
    };
    const gone = () => finish(undefined);
    const timer = setTimeout(gone, limitMs);
    child.on("message", finish);
    child.on("exit", gone);
  });
}
