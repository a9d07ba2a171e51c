/**
 * Which test files are too long for `npm run check`: a measured limit, kept in long-files.json.
 * Usage: node scripts/long-files.mjs REPORT…, JSON reports of vitest from a quiet machine with two cores. Files that no
 * report contains stay as they were; a file that was never measured is not long, so it runs in the check.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ROOT } from "./ensure-build.mjs";
import { isMain } from "./gates/report.mjs";

/** A file that takes longer runs only in `npm test`. */
export const LIMIT_SECONDS = 1;
const KEPT = join(import.meta.dirname, "long-files.json");

/** The time of each file in a report, by its path below `root`. */
function measured(report, root) {
  return report.testResults.map(({ name, startTime, endTime }) => ({
    path: relative(root, name).split(sep).join("/"),
    seconds: Math.round((endTime - startTime) / 100) / 10,
  }));
}

/** The known times, updated from the reports. Slow files are recognised by name and need no entry. */
export function longFiles(known, reports, { root = ROOT, exists = (path) => existsSync(join(root, path)) } = {}) {
  const seconds = new Map(Object.entries(known));
  for (const file of reports.flatMap((report) => measured(report, root))) seconds.set(file.path, file.seconds);
  const long = [...seconds].filter(
    ([path, took]) => took > LIMIT_SECONDS && !path.endsWith(".slow.test.ts") && exists(path),
  );
  return Object.fromEntries(long.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The estimated time of a file named slow that was not measured. */
const SLOW_SECONDS = 15;

/**
 * The estimated time of a file; a short one counts as zero.
 * @param {string} path @param {Record<string, number>} known @returns {number}
 */
export function expectedSeconds(path, known) {
  return known[path] ?? (path.endsWith(".slow.test.ts") ? SLOW_SECONDS : 0);
}

/** @returns {Record<string, number>} seconds by path */
export function keptLongFiles() {
  return JSON.parse(readFileSync(KEPT, "utf8"));
}

if (isMain(import.meta.url)) {
  const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")));
  writeFileSync(KEPT, `${JSON.stringify(longFiles(keptLongFiles(), reports), null, 2)}\n`);
}
