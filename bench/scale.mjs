/**
 * node bench/scale.mjs [--notes 1000,10000,60000]: how index and recall times grow with a store. Prints one row per
 * size: the index from scratch, one changed note, warm recall of four prompts without verification (p50 and p95 of 100
 * runs, with a turn of the event loop between them, as in any program that waits for its user), `audit` and
 * `conflicts`, and how much faster than the number of notes each grew since the previous row.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openMemory } from "../dist/index.js";
import { auditNotes } from "../dist/app/care/audit.js";
import { findConflicts } from "../dist/app/dream/conflicts.js";
import { locate } from "../dist/app/workspace/locations.js";
import { openWorkspace } from "../dist/app/workspace/open-workspace.js";
import { makeNote, seeded } from "./synthetic-notes.mjs";

const { values } = parseArgs({ options: { notes: { type: "string", default: "1000,10000,60000" } } });
const sizes = values.notes.split(",").map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 10)) {
  console.error("usage: node bench/scale.mjs [--notes 1000,10000,60000]; sizes are whole numbers from 10 on");
  process.exit(2);
}
const PROMPTS = [
  "how do we deploy the billing service to staging",
  "write a test for the parser of order imports",
  "why does the cache return stale sessions after login",
  "rename the queue worker and update the retry policy",
];
const at = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const root = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-scale-"));
const environment = { HOME: path.join(root, "home"), PATH: process.env.PATH, MEMDIR_RECALL_LOG: "off" };

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function measure(size) {
  const directory = path.join(root, String(size));
  fs.mkdirSync(directory, { recursive: true });
  const random = seeded(7);
  for (let i = 0; i < size; i++) fs.writeFileSync(path.join(directory, `project_note_${i}.md`), makeNote(random, i));
  const workspace = openWorkspace(locate({ dir: directory, environment }));
  const { store } = workspace.open("project");
  store.index.clear();
  const index = timed(() => store.reconcile("full"));
  const changes = Array.from({ length: 15 }, (_, i) => {
    const base = store.read(`project_note_${i}.md`);
    return timed(() =>
      store.commit(
        [
          {
            kind: "write",
            file: `project_note_${i}.md`,
            base,
            content: `${new TextDecoder().decode(base)}\nchanged\n`,
          },
        ],
        { actor: "user", reason: "benchmark" },
      ),
    );
  });
  const started = performance.now();
  const findings = await auditNotes(workspace);
  const audit = performance.now() - started;
  let found = [];
  const conflicts = timed(() => (found = findConflicts(workspace)));
  console.log(`${size} notes: ${findings.length} findings, ${found.length} conflicts`);
  workspace.close();
  const memory = openMemory({ dir: directory, environment });
  memory.recall(PROMPTS[0], { verify: false });
  const recalls = [];
  for (let i = 0; i < 100; i++) {
    await setImmediate();
    recalls.push(timed(() => memory.recall(PROMPTS[i % PROMPTS.length], { verify: false })));
  }
  memory.close();
  return {
    "index ms": index,
    "changed ms": at(changes, 0.5),
    "recall p50 ms": at(recalls, 0.5),
    "recall p95 ms": at(recalls, 0.95),
    "audit ms": audit,
    "conflicts ms": conflicts,
  };
}

try {
  console.log(
    `memdir scale: Node ${process.versions.node}, ${os.cpus()[0]?.model ?? "?"} × ${os.cpus().length}, ${os.type()} ${os.release()}`,
  );
  const rows = [];
  for (const size of sizes) rows.push([size, await measure(size)]);
  console.table(
    Object.fromEntries(
      rows.map(([size, row]) => [
        size,
        Object.fromEntries(Object.entries(row).map(([name, ms]) => [name, ms.toFixed(1)])),
      ]),
    ),
  );
  console.log("growth against the number of notes (1 is linear, less is better):");
  for (const [i, [size, row]] of rows.entries()) {
    if (i === 0) continue;
    const [smaller, before] = rows[i - 1];
    console.log(
      `  ${smaller} to ${size}: ${Object.entries(row)
        .map(([name, ms]) => `${name.replace(" ms", "")} ${(ms / before[name] / (size / smaller)).toFixed(2)}`)
        .join(", ")}`,
    );
  }
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
