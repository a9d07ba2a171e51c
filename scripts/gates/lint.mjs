/** Lint, warnings included. Usage: node scripts/gates/lint.mjs [ROOT] */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isMain, report } from "./report.mjs";

const PACKAGE_ROOT = join(import.meta.dirname, "..", "..");
/** Named one by one: without paths oxlint would read node_modules. */
const ROOTS = ["src", "web", "test", "bench", "scripts", "vitest.config.ts", "vitest.clients.config.ts"];

function run(root, args) {
  const oxlint = join(PACKAGE_ROOT, "node_modules", "oxlint", "bin", "oxlint");
  const options = { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxlint, ...args], options);
  if (status === null || !stdout.startsWith("{")) throw new Error(`oxlint did not answer: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Rules by their oxlint names: `eslint(no-empty)`. */
export function checkLint(root) {
  const present = new Set(readdirSync(root));
  const roots = ROOTS.filter((path) => present.has(path));
  if (roots.length === 0) return { checked: 0, findings: [] };
  const config = join(root, ".oxlintrc.json");
  const answer = run(root, [
    "--config",
    config,
    "--deny-warnings",
    "--report-unused-disable-directives",
    "--format=json",
    ...roots,
  ]);
  const findings = answer.diagnostics.map(({ code, filename, message, labels }) => ({
    rule: code ?? "unused-disable-directive",
    path: filename,
    line: labels[0]?.span.line,
    message,
  }));
  return { checked: answer.number_of_files, findings };
}

if (isMain(import.meta.url)) process.exitCode = report("lint", checkLint(process.argv[2] ?? process.cwd()));
