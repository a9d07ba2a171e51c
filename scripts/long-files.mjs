/**
 * Which files of tests are too long for `npm run check`: a measured limit, kept in long-files.json.
 * Usage: node scripts/long-files.mjs REPORT…, JSON reports of vitest from a quiet machine with two cores. Files that no
 * report knows stay as they were; a file that nobody measured is not long, so it runs in the check.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ROOT } from "./ensure-build.mjs";
import { isMain } from "./gates/report.mjs";

/** A file that takes longer runs in `npm test` alone. */
export const LIMIT_SECONDS = 1;
const KEPT = join(import.meta.dirname, "long-files.json");

/** What each file of a report took, by its path below `root`. */
function measured(report, root) {
  return report.testResults.map(({ name, startTime, endTime }) => ({
    path: relative(root, name).split(sep).join("/"),
    seconds: Math.round((endTime - startTime) / 100) / 10,
  }));
}

/** What was known, with what the reports say instead; slow files are told by their name and need no list. */
export function longFiles(known, reports, { root = ROOT, exists = (path) => existsSync(join(root, path)) } = {}) {
  const seconds = new Map(Object.entries(known));
  for (const file of reports.flatMap((report) => measured(report, root))) seconds.set(file.path, file.seconds);
  const long = [...seconds].filter(
    ([path, took]) => took > LIMIT_SECONDS && !path.endsWith(".slow.test.ts") && exists(path),
  );
  return Object.fromEntries(long.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** What a file named slow takes, about, where nobody measured it. */
const SLOW_SECONDS = 15;

/**
 * How long a file takes, about; a short one counts as nothing.
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
