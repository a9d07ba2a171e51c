/**
 * node bench/speed.mjs [--notes N]: the speed of the store, the index and recall, compared with bare node in the same
 * run. Times are milliseconds, p50 of the stated number of runs. NODE_EXTRA_CA_CERTS is unset for child processes,
 * because Node 20 reads it at every start.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { openMemory } from "../dist/index.js";
import { locate } from "../dist/app/workspace/locations.js";
import { openWorkspace } from "../dist/app/workspace/open-workspace.js";
import { makeNote, seeded } from "./synthetic-notes.mjs";

const COMMAND = fileURLToPath(new URL("../dist/memdir.cjs", import.meta.url));
const COST = fileURLToPath(new URL("cost.cjs", import.meta.url));
const PROMPTS = [
  "how do we deploy the billing service to staging",
  "write a test for the parser of order imports",
  "why does the cache return stale sessions after login",
  "rename the queue worker and update the retry policy",
];

const STATEMENTS = [
  "The %s service listens on port %d because the old one collided with the proxy",
  "We deploy %s to cluster %d since the move in spring",
  "Retries in %s must wait %d seconds because the partner throttles",
  "Backups of %s are kept for %d days since the audit in May",
  "Invoices of %s are archived for %d months as the auditors want",
];

const total = Number(argument("--notes") ?? 10_000);
const environment = { ...process.env };
delete environment.NODE_EXTRA_CA_CERTS;
const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-speed-"));
const home = path.join(root, "home");
const random = seeded(7);
const childEnvironment = { ...environment, HOME: home, MEMDIR_HOME: path.join(home, ".memdir") };

try {
  const rows = [];
  const small = await addRun(path.join(root, "small"), 100);
  const large = await addRun(path.join(root, "large"), total);
  rows.push(
    ["acknowledged add, 100 notes, p50", ms(small), "≤ 8 ms"],
    [`acknowledged add, ${total} notes, p50`, ms(large), "≤ 8 ms"],
    ["growth of an add", `${(large / small).toFixed(2)} ×`, "≤ 1.5 ×"],
  );
  const directory = path.join(root, "large");
  rows.push([
    `remember, judged against its ten nearest of ${total} notes, p50`,
    ms(await rememberRun(directory)),
    "≤ 10 ms",
  ]);
  rows.push(["full index", ms(fullIndex(directory)), "≤ 6000 ms"]);
  rows.push(...oneChange(directory));
  rows.push(["warm recall, p50", ms(warmRecall(directory)), "≤ 5 ms"]);
  const cold = coldRecall(directory);
  rows.push(
    ["bare node, p50", ms(cold.bare), ""],
    ["cold memdir recall, p50", ms(cold.recall), ""],
    ["cold recall with verification / bare node", `${(cold.recall / cold.bare).toFixed(2)} ×`, "≤ 3.0 ×"],
    ["cold recall --no-verify / bare node", `${(cold.unverified / cold.bare).toFixed(2)} ×`, "≤ 2.0 ×"],
  );
  rows.push(["resident memory of a recall", `${residentMegabytes(directory)} MB`, "≤ 90 MB"]);
  report(rows);
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}

/** Adds durable notes to a store that holds `count`; p50 of 200 adds. */
async function addRun(directory, count) {
  fs.mkdirSync(directory, { recursive: true });
  for (let i = 0; i < count; i++) fs.writeFileSync(path.join(directory, `project_note_${i}.md`), makeNote(random, i));
  const workspace = openWorkspace(locate({ dir: directory, environment: childEnvironment }));
  const scoped = workspace.open("project");
  scoped.store.reconcile("full");
  scoped.store.history();
  const times = [];
  for (let i = 0; i < 200; i++) {
    const content = makeNote(random, count + i);
    const started = performance.now();
    const result = scoped.store.commit([{ kind: "create", file: `project_added_${i}.md`, content }], {
      actor: "user",
      reason: "benchmark",
    });
    times.push(performance.now() - started);
    if (!result.ok) throw new Error(`add ${i} was refused: ${JSON.stringify(result.outcomes)}`);
  }
  workspace.close();
  return median(times);
}

/** `remember` with all that it asks of a statement, in a process that already runs; p50 of 300 after 100. */
async function rememberRun(directory) {
  const memory = openMemory({ dir: directory, environment: childEnvironment });
  const times = [];
  for (let i = 0; i < 400; i++) {
    const body = format(STATEMENTS[i % STATEMENTS.length], `unit-${String.fromCharCode(97 + (i % 26))}${i}`, 100 + i);
    const started = performance.now();
    const { outcome } = await memory.remember({ body, type: "project" });
    times.push(performance.now() - started);
    if (outcome !== "created") throw new Error(`statement ${i} was ${outcome}`);
  }
  memory.close();
  return median(times.slice(100));
}

function fullIndex(directory) {
  const workspace = openWorkspace(locate({ dir: directory, environment: childEnvironment }));
  const { store } = workspace.open("project");
  store.index.clear();
  const started = performance.now();
  store.reconcile("full");
  const elapsed = performance.now() - started;
  if (store.index.count() < total) throw new Error("the index is incomplete");
  workspace.close();
  return elapsed;
}

/** One note edited by memdir, and one by another program; each until the index has it. */
function oneChange(directory) {
  const workspace = openWorkspace(locate({ dir: directory, environment: childEnvironment }));
  const { store } = workspace.open("project");
  const own = [];
  const foreign = [];
  for (let i = 0; i < 15; i++) {
    const file = `project_note_${i}.md`;
    const base = store.read(file);
    const entry = store.index.entry(file);
    let started = performance.now();
    store.commit([{ kind: "write", file, base, content: `${new TextDecoder().decode(base)}\nchanged ${i}\n` }], {
      actor: "user",
      reason: "benchmark",
    });
    own.push(performance.now() - started);
    if (store.index.entry(file).hash === entry.hash) throw new Error("the change is not in the index");
    const other = path.join(directory, `project_note_${100 + i}.md`);
    fs.writeFileSync(`${other}.tmp`, `${fs.readFileSync(other, "utf8")}\nedited elsewhere ${i}\n`);
    fs.renameSync(`${other}.tmp`, other);
    started = performance.now();
    store.reconcile("quick");
    foreign.push(performance.now() - started);
  }
  workspace.close();
  return [
    ["one note changed by memdir, p50", ms(median(own)), "≤ 30 ms"],
    ["one note changed by an editor, noticed, p50", ms(median(foreign)), ""],
  ];
}

function warmRecall(directory) {
  const memory = openMemory({ dir: directory, environment: childEnvironment });
  const times = [];
  memory.recall(PROMPTS[0]);
  for (let i = 0; i < 100; i++) {
    const started = performance.now();
    memory.recall(PROMPTS[i % PROMPTS.length]);
    times.push(performance.now() - started);
  }
  memory.close();
  return median(times);
}

/** Fresh processes, alternating bare node and recall. */
function coldRecall(directory) {
  const bare = [];
  const recall = [];
  const unverified = [];
  const run = (args) => {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { env: childEnvironment });
    if (status !== 0) throw new Error(stderr.toString());
    return performance.now() - started;
  };
  for (let i = 0; i < 31; i++) {
    bare.push(run(["-e", "0"]));
    recall.push(run([COMMAND, "recall", PROMPTS[i % PROMPTS.length], "--dir", directory]));
    unverified.push(run([COMMAND, "recall", PROMPTS[i % PROMPTS.length], "--no-verify", "--dir", directory]));
  }
  return { bare: median(bare), recall: median(recall), unverified: median(unverified) };
}

function residentMegabytes(directory) {
  const recall = [COMMAND, "recall", PROMPTS[0], "--dir", directory];
  const { stderr } = spawnSync(process.execPath, ["--require", COST, ...recall], { env: childEnvironment });
  return Math.round(Number(/^cost (\d+)/mu.exec(stderr.toString())?.[1]) / 1024);
}

function report(rows) {
  console.log(
    `memdir speed: ${total} notes, Node ${process.versions.node}, ${os.cpus()[0]?.model ?? "?"} × ${os.cpus().length}, ${os.type()} ${os.release()}`,
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value, goal] of rows) console.log(`${name.padEnd(width)}  ${value.padStart(10)}  ${goal}`);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}

function argument(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}
