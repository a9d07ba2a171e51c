/**
 * Adds up the test runner's JSON reports and prints one final line: `N passed, N failed, N skipped`.
 * Usage: node scripts/closing-line.mjs DIRECTORY. Fails when a test failed or none ran.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMain } from "./gates/report.mjs";

/** Counts of one report. A file that could not be loaded has no tests, so it counts as one failure. */
export function countTests(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** @returns {{ line: string, ok: boolean }} */
export function closingLine(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  const tail = skipped > 0 ? `, ${skipped} skipped` : "";
  return { line: `${passed} passed, ${failed} failed${tail}`, ok: passed > 0 && failed === 0 };
}

function main(directory) {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .toSorted();
  const counts = files.map((file) => {
    const count = countTests(JSON.parse(readFileSync(join(directory, file), "utf8")));
    process.stdout.write(
      `${file}: ${count.passed} tests passed, ${count.failed} failed, ${count.skipped} were skipped\n`,
    );
    return count;
  });
  const { line, ok } = closingLine(counts);
  process.stdout.write(`${line}\n`);
  process.exitCode = ok ? 0 : 1;
}

if (isMain(import.meta.url)) main(process.argv[2] ?? ".");
