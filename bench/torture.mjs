#!/usr/bin/env node
/**
 * Tortures one store (K writers, one editor of its files) and at the same time a home with five stores (commands, an
 * MCP server and an editor; `torture/life.mjs`), with random kills and stops. Afterwards a model checks that nothing
 * acknowledged was lost, nothing forgotten came back and no byte of it is left.
 * Usage: npm run torture -- --processes 8 --seconds 60 [--seed N] [--keep] [--dist DIR]. Exit code 1 on any violation.
 * With `--sync` it tortures sync instead (`torture/sync.mjs`). MEMDIR_TORTURE_FAULT=overwrite plants a store without
 * lock and comparison, which must be detected; other faults are in `torture/plant.mjs`.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { judge, missingLines, readLogs, settle } from "./torture/check.mjs";
import { startLife } from "./torture/life.mjs";
import { isPlanted, plant } from "./torture/plant.mjs";
import { HOT, loadParts, noteWith, openTorturedStore, seededRandom, sharedNow } from "./torture/store.mjs";

const USAGE = `usage: npm run torture -- [--processes 8] [--seconds 60] [--seed N] [--keep] [--dist DIR]
       npm run torture -- --sync [--processes DEVICES] [--operations 10000] [--seconds 60] [--seed N] [--keep] [--dist DIR]`;

const values = readOptions();
if (values.sync) {
  const { tortureSync } = await import("./torture/sync.mjs");
  const { dist, keep } = values;
  const [processes, operations, seconds] = [values.processes, values.operations, values.seconds].map(Number);
  process.exit(await tortureSync({ processes, operations, seconds, seed: Number(values.seed), dist, keep }));
}
const seed = Number(values.seed);
const fault = process.env.MEMDIR_TORTURE_FAULT ?? "";
const random = seededRandom(seed);
/** Shorter than the time until a displaced copy is removed: no editor waits that long between opening and writing. */
const LONGEST_STOP_MS = 1_200;
const END_WAIT_MS = 60_000;

const started = performance.now();
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memdir-torture-")));
fs.mkdirSync(path.join(root, "logs"));
console.log(
  `seed ${seed}, ${values.processes} writers and an editor for ${values.seconds} s${fault === "" ? "" : `, planted fault "${fault}"`}`,
);

const parts = await loadParts(values.dist);
prepare();
const counts = { kills: 0, stops: 0 };
const crashes = [];
const children = new Map();
let isEnding = false;
for (let id = 0; id < Number(values.processes); id++) start("writer", id, 0);
start("editor", "e", 0);
const planted = isPlanted(fault) ? plant(values.dist, fault) : undefined;
const life =
  fault === "overwrite"
    ? undefined
    : await startLife({ root, dist: planted ?? values.dist, seed, seconds: Number(values.seconds) });
await torment(sharedNow() + Number(values.seconds) * 1000);
const leftovers = await end();
const lived = await life?.end();
if (planted !== undefined) fs.rmSync(planted, { recursive: true, force: true });
report();

function readOptions() {
  try {
    const { values: given } = parseArgs({
      options: {
        processes: { type: "string", default: "8" },
        seconds: { type: "string", default: "60" },
        seed: { type: "string", default: String(Date.now() % 1_000_000) },
        dist: { type: "string", default: path.join(import.meta.dirname, "..", "dist") },
        keep: { type: "boolean", default: false },
        sync: { type: "boolean", default: false },
        operations: { type: "string", default: "10000" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    for (const name of ["processes", "seconds", "seed", "operations"])
      if (!/^\d+$/u.test(given[name])) throw new Error(`--${name} takes a whole number, not "${given[name]}"`);
    if (!given.help) return given;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

function prepare() {
  const store = openTorturedStore(parts, root);
  for (const file of HOT)
    store.commit([{ kind: "create", file, content: noteWith(file.slice(0, -3), `tk-p-0-${file.charAt(3)}-end`) }], {
      actor: "user",
      reason: "prepare",
    });
  store.close();
  fs.appendFileSync(path.join(root, "notes", "MEMORY.md"), "- a line that was there before\n");
}

function start(role, id, incarnation) {
  const worker = fileURLToPath(new URL("./torture/worker.mjs", import.meta.url));
  const child = spawn(
    process.execPath,
    [worker, role, String(id), String(incarnation), root, values.dist, String(seed), fault],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const entry = { child, role, id, incarnation, stopped: false };
  children.set(id, entry);
  child.on("exit", (code, signal) => {
    children.delete(id);
    if (signal === null && code !== 0) crashes.push(`process ${id} ended by itself with ${code}`);
    if (!isEnding) start(role, id, incarnation + 1);
  });
}

/** Kills and stops our own children at random, each by its own pid, until the time is over. */
async function torment(until) {
  while (sharedNow() < until) {
    await sleep(30 + random.below(250));
    const running = [...children.values()].filter(({ stopped }) => !stopped);
    if (running.length === 0) continue;
    const victim = random.pick(running);
    if (random.next() < 0.45) {
      counts.kills++;
      victim.child.kill("SIGKILL");
    } else {
      counts.stops++;
      victim.stopped = true;
      victim.child.kill("SIGSTOP");
      setTimeout(
        () => {
          victim.stopped = false;
          victim.child.kill("SIGCONT");
        },
        20 + random.below(LONGEST_STOP_MS),
      );
    }
  }
}

async function end() {
  isEnding = true;
  fs.writeFileSync(path.join(root, "stop"), "");
  const deadline = sharedNow() + END_WAIT_MS;
  while (children.size > 0 && sharedNow() < deadline) {
    for (const { child } of children.values()) child.kill("SIGCONT");
    await sleep(100);
  }
  const left = [...children.values()];
  for (const { child } of left) child.kill("SIGKILL");
  return left.map(({ role, id }) => `${role} ${id} did not end within ${END_WAIT_MS} ms`);
}

function report() {
  const operations = readLogs(root);
  const { files, problems } = settleOrTell();
  const { lost, resurrected } = judge(root, operations, files);
  const lines = missingLines(operations, files);
  if (!files.get("notes/MEMORY.md")?.includes("- a line that was there before"))
    lines.push("- a line that was there before");
  const errors = operations
    .filter(({ error }) => error !== undefined)
    .map(({ kind, file, error }) => `${kind} ${file ?? ""}: ${error}`);
  const evidence = [
    ...lost.map((one) => `LOST ${JSON.stringify(one)}`),
    ...resurrected.map((one) => `RESURRECTED ${JSON.stringify(one)}`),
    ...lines.map((line) => `MEMORY.md lost a line: ${line}`),
    ...problems,
    ...leftovers,
    ...errors,
    ...crashes,
    ...(lived?.evidence ?? []),
  ];
  for (const line of evidence.slice(0, 40)) console.log(line);
  if (evidence.length > 40) console.log(`… and ${evidence.length - 40} more`);
  const row = (name, value) => console.log(`${name.padEnd(16)}${String(value).padStart(10)}`);
  row("operations", operations.length);
  row("acknowledged", operations.filter(({ acknowledged }) => acknowledged).length);
  for (const [name, value] of lived?.rows ?? []) row(name, value);
  row("kills", counts.kills + (lived?.counts.kills ?? 0));
  row("stops", counts.stops + (lived?.counts.stops ?? 0));
  row("lost", lost.length + (lived?.lost ?? 0));
  row("resurrected", resurrected.length + (lived?.resurrected ?? 0));
  row("violations", evidence.length);
  row("seconds", ((performance.now() - started) / 1000).toFixed(1));
  if (values.keep || (evidence.length > 0 && fault === "")) console.log(`kept: ${root}`);
  else fs.rmSync(root, { recursive: true, force: true });
  process.exitCode = evidence.length > 0 ? 1 : 0;
}

/** A store too damaged to be opened or checked is the worst violation of all. */
function settleOrTell() {
  try {
    return settle(parts, root);
  } catch (error) {
    return { files: new Map(), problems: [`the store cannot be opened or checked: ${error.message}`] };
  }
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
