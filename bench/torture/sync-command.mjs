/**
 * The commands that the devices of the sync torture run, and the log of what was done. Every line is written once and
 * names its note and its device.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Twenty devices on two processors wait minutes for their turn. */
const LONGEST_COMMAND_MS = 400_000;
/** After the faults, when every device has to take over the changes of all others. */
const LONGEST_CALM_MS = 600_000;
export const TOKEN = /tk-(qz\d+x|lines)-(d\d+)-\d+-end/gu;
const PRELOAD = path.join(import.meta.dirname, "sync-preload.cjs");

export const tokensIn = (text) => [...text.matchAll(TOKEN)].map(([token, note, device]) => ({ token, note, device }));

export function count(model, what, by = 1) {
  model.counts[what] = (model.counts[what] ?? 0) + by;
}

/** Files that changed since a command last read all of them. */
export function unsettledFiles() {
  const changed = new Map();
  let step = 0;
  return {
    add: (file) => void changed.set(file, ++step),
    has: (file) => changed.has(file),
    now: () => step,
    settle(upTo) {
      for (const [file, at] of changed) if (at <= upTo) changed.delete(file);
    },
  };
}

/** Runs a command to its end. `fate`: how it dies, or which fault it meets. `code` is `null` if it was killed. */
export function command(device, args, { fate = {}, during = () => {} } = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: device.home,
    LANG: "C.UTF-8",
    NODE_OPTIONS: `--require=${JSON.stringify(PRELOAD)}`, // The path may hold spaces.
    TORTURE_CLOCK_MS: String(device.clockMs),
    ...(fate.killAt !== undefined && { TORTURE_KILL_AT: String(fate.killAt) }),
    ...(fate.fullAt !== undefined && { TORTURE_FULL_AT: String(fate.fullAt) }),
  };
  const child = spawn(process.execPath, [device.program, ...args], {
    cwd: device.home,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, errors] = ["", ""];
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (errors += data));
  let isTooLong = false;
  const timers = [
    setTimeout(
      () => {
        isTooLong = true;
        child.kill("SIGKILL");
      },
      fate.isCalm ? LONGEST_CALM_MS : LONGEST_COMMAND_MS,
    ),
  ];
  if (fate.killMs !== undefined) timers.push(setTimeout(() => child.kill("SIGKILL"), fate.killMs));
  const writing = setInterval(during, 40);
  const begunAt = device.unsettled.now();
  return new Promise((done) => {
    child.on("close", (code, signal) => {
      timers.forEach(clearTimeout);
      clearInterval(writing);
      if (signal !== null) count(device.model, "kills");
      log(device, `memdir ${args.join(" ")}: ${signal ?? code}`, "", "");
      if (isTooLong) device.model.errors.push(`${device.name}: memdir ${args.join(" ")} took too long`);
      // A completed sync knows every file as it was when it began. Other commands read only what they need, and lines
      // appended to a file leave no trace in its directory.
      if (code === 0 && args[0] === "sync") device.unsettled.settle(begunAt);
      done({ code: signal === null ? code : null, out, errors });
    });
  });
}

/** What was done by hand, for those who look into a violation: in `actions.jsonl` next to the homes of the devices. */
export function log({ name, home }, what, file, text) {
  const entry = {
    at: new Date().toISOString(),
    device: name,
    what,
    file,
    tokens: tokensIn(text).map(({ token }) => token),
  };
  fs.appendFileSync(path.join(path.dirname(home), "actions.jsonl"), `${JSON.stringify(entry)}\n`);
}
