/**
 * `npm run check`: every gate, then the unit tests; the same here and in continuous integration. Violations planted for
 * gates that read nothing of the project are judged again only when gates or rules changed; `npm test` always judges
 * them.
 * Usage: node scripts/check.mjs [STEP…]. If MEMDIR_REPORTS names a directory, the test runner's own reports go there.
 */
import { join } from "node:path";
import { ROOT } from "./ensure-build.mjs";
import { keptLongFiles } from "./long-files.mjs";
import { rulesPassed, rulesStand, PLANTED } from "./planted.mjs";
import { runSteps } from "./steps.mjs";

const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const CONCURRENCY = 2;

function gate(name) {
  return { name, args: [join(ROOT, "scripts", "gates", `${name}.mjs`), ROOT], after: [] };
}

function tests(name, after, ...args) {
  const reports = process.env["MEMDIR_REPORTS"];
  const json = reports === undefined ? [] : ["--reporter=json", `--outputFile.json=${join(reports, `${name}.json`)}`];
  return { name, args: [VITEST, "run", "--reporter=dot", ...json, ...args], after };
}

/** Runs only in `npm test`: tests marked or named slow, folders of end-to-end tests, files above a measured limit. */
const LEFT_OUT = ["test/e2e/**", "test/faults/**", "**/*.slow.test.ts", ...Object.keys(keptLongFiles())];

/** Long ones first. Tests that start the built command need the build. */
const STEPS = [
  { name: "build", args: [join(ROOT, "scripts", "build.mjs")], after: [] },
  tests("planted", [], ...PLANTED),
  tests(
    "unit",
    ["build"],
    ...[...PLANTED, ...LEFT_OUT].flatMap((files) => ["--exclude", files]),
    "--tags-filter=!slow",
  ),
  gate("types"),
  gate("unused"),
  gate("boundaries"),
  gate("format"),
  gate("lint"),
  gate("size"),
  gate("forbidden-text"),
  gate("page-size"),
  gate("doc-links"),
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stderr.write(`unknown step: ${unknown.join(", ")}; there are ${STEPS.map(({ name }) => name).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const started = performance.now();
  const isAsked = ({ name }) => names.includes(name) || (names.length === 0 && !(name === "planted" && rulesStand()));
  const steps = STEPS.filter(isAsked);
  if (names.length === 0 && steps.length < STEPS.length)
    process.stdout.write(
      "same   planted          as when it last passed; `npm run check -- planted` judges it again\n",
    );
  const results = await runSteps(steps, CONCURRENCY);
  if (results.some(({ name, passed }) => name === "planted" && passed)) rulesPassed();
  const failed = results.filter(({ passed }) => !passed);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${results.length - failed.length} of ${results.length} steps passed in ${seconds} s\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
