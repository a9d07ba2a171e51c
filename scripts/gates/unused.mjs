/** Unused files, exports and packages, by knip. Usage: node scripts/gates/unused.mjs [ROOT] */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { listFiles } from "./files.mjs";
import { isMain, report } from "./report.mjs";

const PACKAGE_ROOT = join(import.meta.dirname, "..", "..");

function* findingsOf({ file, ...kinds }) {
  for (const [kind, found] of Object.entries(kinds)) {
    if (!Array.isArray(found)) continue;
    for (const { name, line } of found.flat()) yield { rule: `unused-${kind}`, path: file, line, message: name };
  }
}

/** Rules are knip's kinds of finding, prefixed with `unused-`: `unused-exports`, `unused-dependencies`. */
export function checkUnused(root) {
  const knip = join(PACKAGE_ROOT, "node_modules", "knip", "bin", "knip.js");
  const args = [knip, "--directory", root, "--reporter", "json", "--no-progress", "--no-config-hints"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status === null || status > 1 || !stdout.startsWith("{"))
    throw new Error(`knip did not answer: ${stdout}${stderr}`);
  const findings = JSON.parse(stdout).issues.flatMap((issue) => [...findingsOf(issue)]);
  return { checked: listFiles(root).length, findings };
}

if (isMain(import.meta.url)) process.exitCode = report("unused code", checkUnused(process.argv[2] ?? process.cwd()));
