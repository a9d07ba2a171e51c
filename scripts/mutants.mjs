/**
 * Plants small wrong changes in a copy of the source and runs the tests: what they do not notice, they do not guard.
 * Usage: npm run mutants -- [--files GLOB]… [--area NAME]… [--sample N] [--seed S] [--base REV] [--min PERCENT]
 *   [--bound SECONDS] [--seconds N] [--workers N] [--slow] [--json]
 * Without --files and --area all areas of scripts/mutants/areas.mjs are sampled equally. --base takes only lines
 * changed since a revision; --bound is the processor time that tests may take for one mutant, --seconds the total time.
 * The exit code is 1 if less than --min was noticed, 2 for a wrong command.
 */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { ROOT } from "./ensure-build.mjs";
import { AREAS } from "./mutants/areas.mjs";
import { changedLines } from "./mutants/changed-lines.mjs";
import { measureMutants } from "./mutants/run.mjs";
import { countsOf, percent, survivorsOf, tableOf } from "./mutants/report.mjs";

const { values } = parseArgs({
  options: {
    files: { type: "string", multiple: true, default: [] },
    area: { type: "string", multiple: true, default: [] },
    sample: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    base: { type: "string" },
    min: { type: "string", default: "85" },
    bound: { type: "string", default: "10" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    seconds: { type: "string" },
    slow: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

function areas() {
  if (values.files.length > 0) return { chosen: values.files };
  const unknown = values.area.filter((name) => AREAS[name] === undefined);
  if (unknown.length > 0) fail(`unknown area: ${unknown.join(", ")}; there are ${Object.keys(AREAS).join(", ")}`);
  return values.area.length === 0 ? AREAS : Object.fromEntries(values.area.map((name) => [name, AREAS[name]]));
}

function number(name) {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) fail(`--${name} takes a number, not "${values[name]}"`);
  return value;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const matchers = Object.entries(areas()).map(([area, globs]) => ({ area, matches: picomatch(globs) }));
const lines = values.base === undefined ? undefined : changedLines(ROOT, values.base, execFileSync);
const started = performance.now();
const results = await measureMutants({
  root: ROOT,
  areas: matchers,
  takes: lines === undefined ? () => true : ({ path, line }) => lines.get(path)?.has(line) === true,
  sample: number("sample"),
  seed: number("seed"),
  boundMs: number("bound") * 1_000,
  limitMs: values.seconds === undefined ? Number.POSITIVE_INFINITY : number("seconds") * 1_000,
  workers: Math.max(1, Math.floor(number("workers"))),
  slow: values.slow,
  cache: join(ROOT, "node_modules", ".cache", "memdir-mutants", values.slow ? "slow.json" : "quick.json"),
  onFailure: (what) => process.stderr.write(`left out, as it fails without a mutant: ${what}\n`),
  onResult: (one) =>
    process.stderr.write(
      `${one.verdict} ${one.seconds.toFixed(1)} s ${one.path}:${one.line} ${one.operator}${one.by === undefined ? "" : ` (${one.by})`}\n`,
    ),
});
const counts = countsOf(results);
const seconds = (performance.now() - started) / 1_000;
if (values.json)
  process.stdout.write(`${JSON.stringify({ seed: number("seed"), seconds, counts, results }, null, 2)}\n`);
else {
  const survivors = survivorsOf(results);
  process.stdout.write(`${tableOf(results)}\n${survivors === "" ? "" : `\nNot noticed:\n${survivors}\n`}\n`);
  process.stdout.write(
    `seed ${values.seed}: ${counts.judged} mutants in ${seconds.toFixed(0)} s, ${percent(counts.share)} noticed, at least ${values.min}% wanted\n`,
  );
}
/** Fewer than these say nothing about the share. */
const ENOUGH = Math.min(10, number("sample"));
if (values.seconds !== undefined && seconds >= number("seconds") && counts.judged < ENOUGH)
  process.stdout.write(
    `not enough time: ${counts.judged} of ${number("sample")} mutants were judged in ${values.seconds} s\n`,
  );
else if (counts.share !== undefined && counts.share < number("min")) process.exitCode = 1;
