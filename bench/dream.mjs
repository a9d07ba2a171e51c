#!/usr/bin/env node
// What a dream finds, leaves alone and costs: node bench/dream.mjs [--notes 2000] [--seeds 1,2,3] [--large 10000]
// Uses generated five-year stores with planted problems, decoys and protected notes. The labels come from the generator
// (bench/dream/store.mjs), never from what the dream does. Run `npm run build` first.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateStore } from "./dream/store.mjs";

const { values } = parseArgs({
  options: {
    notes: { type: "string", default: "2000" },
    seeds: { type: "string", default: "1,2,3" },
    large: { type: "string", default: "10000" },
    json: { type: "boolean", default: false },
  },
});
const command = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist", "memdir.cjs");
if (!fs.existsSync(command)) {
  console.error("dist/memdir.cjs is missing: run `npm run build` first");
  process.exit(2);
}

const FOUND_BY = {
  duplicate: ["merge"],
  "near-duplicate": ["merge"],
  superseded: ["supersede"],
  conflict: ["conflict"],
  renamed: ["correct"],
  dead: ["retire"],
  "relative-date": ["correct"],
  "stale-link": ["correct", "flag"],
};

function memdir(place, args, extra = {}) {
  const environment = {
    PATH: process.env.PATH,
    HOME: place,
    MEMDIR_HOME: path.join(place, "state"),
    TZ: "UTC",
    ...extra,
  };
  return execFileSync(process.execPath, [command, ...args, "--dir", path.join(place, "memory"), "--json"], {
    cwd: path.join(place, "project"),
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The share of prompts whose note, or its successor, is shown or pointed at. */
function foundShare(place, prompts) {
  const file = path.join(place, "prompts.jsonl");
  const heirs = heirsIn(path.join(place, "memory"));
  fs.writeFileSync(
    file,
    prompts.map(({ prompt, file: note }) => `${JSON.stringify({ prompt, notes: [heirs(note)] })}\n`).join(""),
  );
  const { memdir: figures } = JSON.parse(memdir(place, ["bench", file]));
  return figures;
}

function heirsIn(directory) {
  const heir = (file) => /^ {2}supersededBy: (.+)$/mu.exec(fs.readFileSync(path.join(directory, file), "utf8"))?.[1];
  return (file) => {
    let now = file;
    for (let next = heir(now); next !== undefined && next !== "nothing"; next = heir(now)) now = next;
    return now;
  };
}

function digest(directory) {
  return new Map(
    fs
      .readdirSync(directory)
      .filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
      .map((name) => [name, fs.readFileSync(path.join(directory, name), "utf8")]),
  );
}

function measure(size, seed) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-dream-bench-"));
  try {
    const { labels, decoys, protected: guarded, prompts } = generateStore(place, { size, seed });
    const before = digest(path.join(place, "memory"));
    const recallBefore = foundShare(place, prompts);
    const rounds = [];
    let operations = [];
    // A run changes at most a quarter; problems are a fifth of the store, so one run should be enough.
    const started = performance.now();
    const first = JSON.parse(memdir(place, ["dream", "--apply"]));
    const seconds = (performance.now() - started) / 1000;
    operations = first.operations;
    rounds.push(first.applied.length);
    const after = digest(path.join(place, "memory"));
    const recallAfter = foundShare(place, prompts);
    const second = JSON.parse(memdir(place, ["dream", "--apply"]));
    const settled = digest(path.join(place, "memory"));
    const isFound = ({ kind, files }) =>
      operations.some(
        (operation) => FOUND_BY[kind].includes(operation.kind) && files.every((file) => operation.files.includes(file)),
      );
    const touched = (file) => before.get(file) !== after.get(file);
    const kinds = Object.fromEntries(
      Object.keys(FOUND_BY).map((kind) => {
        const own = labels.filter((label) => label.kind === kind);
        return [kind, { planted: own.length, found: own.filter(isFound).length }];
      }),
    );
    return {
      seed,
      notes: size,
      planted: labels.length,
      found: labels.filter(isFound).length,
      kinds,
      decoys: decoys.length,
      decoysMerged: decoys.filter((pair) =>
        operations.some(
          ({ kind, files }) => ["merge", "supersede"].includes(kind) && pair.every((file) => files.includes(file)),
        ),
      ).length,
      decoysReported: decoys.filter((pair) =>
        operations.some(({ kind, files }) => kind === "conflict" && pair.every((file) => files.includes(file))),
      ).length,
      protected: guarded.length,
      protectedTouched: guarded.filter(touched).length,
      applied: first.applied.length,
      refused: first.refused.length,
      recallBefore,
      recallAfter,
      secondApplied: second.applied.length,
      secondChanged: [...settled].filter(([file, text]) => after.get(file) !== text).length,
      seconds,
      missed: labels.filter((label) => !isFound(label)).slice(0, 5),
    };
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/** Time and peak memory of the whole process, as the kernel reports them. */
function cost(size) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-dream-bench-"));
  try {
    generateStore(place, { size, seed: 7 });
    memdir(place, ["list"]);
    const preload = path.join(path.dirname(fileURLToPath(import.meta.url)), "cost.cjs");
    const environment = { PATH: process.env.PATH, HOME: place, MEMDIR_HOME: path.join(place, "state"), TZ: "UTC" };
    const started = performance.now();
    const { stderr, status } = spawnSync(
      process.execPath,
      ["--require", preload, command, "dream", "--apply", "--dir", path.join(place, "memory"), "--json"],
      { cwd: path.join(place, "project"), env: environment, encoding: "utf8", maxBuffer: 1 << 28 },
    );
    const seconds = (performance.now() - started) / 1000;
    const [, kilobytes, cpuSeconds] = /^cost (\d+) ([\d.]+)$/mu.exec(stderr) ?? [];
    if (status !== 0 || kilobytes === undefined)
      throw new Error(`the dream over ${size} notes ended with ${status}: ${stderr}`);
    return { notes: size, seconds, cpuSeconds: Number(cpuSeconds), megabytes: Number(kilobytes) / 1024 };
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

const runs = values.seeds.split(",").map((seed) => measure(Number(values.notes), Number(seed)));
const large = Number(values.large) > 0 ? cost(Number(values.large)) : undefined;
if (values.json) console.log(JSON.stringify({ runs, large }, undefined, 2));
else {
  console.log(
    `memdir dream without a model; ${os.cpus().length} × ${os.cpus()[0]?.model}, Node ${process.version}; command: ${process.argv
      .slice(1)
      .map((part) => path.basename(part))
      .join(" ")}`,
  );
  const percent = (found, planted) =>
    planted === 0 ? "none" : `${((100 * found) / planted).toFixed(1)}% (${found} of ${planted})`;
  for (const run of runs) {
    console.log(`\nseed ${run.seed}, ${run.notes} notes: planted problems found ${percent(run.found, run.planted)}`);
    for (const [kind, { planted, found }] of Object.entries(run.kinds))
      console.log(`  ${kind.padEnd(15)} ${percent(found, planted)}`);
    console.log(
      `  decoys merged ${run.decoysMerged} of ${run.decoys} pairs (reported as conflicts: ${run.decoysReported}); protected notes touched ${run.protectedTouched} of ${run.protected}`,
    );
    console.log(
      `  applied ${run.applied}, refused ${run.refused}; a second dream applied ${run.secondApplied} and changed ${run.secondChanged} files; ${run.seconds.toFixed(1)} s`,
    );
    console.log(`  recall before and after: ${JSON.stringify(run.recallBefore)} ${JSON.stringify(run.recallAfter)}`);
    for (const { kind, files } of run.missed) console.log(`  missed ${kind}: ${files.join(", ")}`);
  }
  if (large !== undefined)
    console.log(
      `\n${large.notes} notes: ${large.seconds.toFixed(1)} s (${large.cpuSeconds.toFixed(1)} s of processor time), peak ${large.megabytes.toFixed(0)} MB`,
    );
}
