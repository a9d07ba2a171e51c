/** Runs Node scripts as named steps, some in parallel, and reports each in one line. */
import { spawn } from "node:child_process";

/**
 * @typedef {{ readonly name: string, readonly args: readonly string[], readonly after: readonly string[] }} Step
 * @typedef {Step & { readonly passed: boolean, readonly seconds: number, readonly output: string }} Result
 */

/** Colour only on a terminal; the tools would decide by their own output, which is a pipe. */
const ENVIRONMENT = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };

/** @param {Step} step @returns {Promise<Result>} */
function run(step) {
  const started = performance.now();
  const child = spawn(process.execPath, step.args, { env: ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      const seconds = (performance.now() - started) / 1000;
      done({ ...step, passed: code === 0, seconds, output: Buffer.concat(output).toString("utf8") });
    });
  });
}

/** One line per step; its output only if it failed. */
function describe({ name, passed, seconds, output }) {
  const line = `${passed ? "ok    " : "FAILED"} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s\n`;
  return passed ? line : `${line}${output.trimEnd()}\n`;
}

/**
 * Starts steps in order, at most `concurrency` at a time. A step waits for those named in `after`, and runs even if
 * they failed, so that one run reports everything.
 * @param {readonly Step[]} steps
 * @param {number} concurrency
 * @param {(text: string) => void} print
 * @returns {Promise<Result[]>} in the order the steps ended
 */
export async function runSteps(steps, concurrency, print = (text) => process.stdout.write(text)) {
  const waiting = [...steps];
  const pending = new Set(steps.map(({ name }) => name));
  const results = [];
  const running = new Set();
  const start = (step) => {
    const ended = run(step).then((result) => {
      running.delete(ended);
      pending.delete(result.name);
      results.push(result);
      print(describe(result));
    });
    running.add(ended);
  };
  while (pending.size > 0) {
    const next =
      running.size < concurrency ? waiting.findIndex(({ after }) => after.every((name) => !pending.has(name))) : -1;
    if (next >= 0) start(...waiting.splice(next, 1));
    else if (running.size > 0) await Promise.race(running);
    else throw new Error(`steps wait for one another: ${waiting.map(({ name }) => name).join(", ")}`);
  }
  return results;
}
