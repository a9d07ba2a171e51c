/** One formatter, 120 columns: the size gate counts honest lines. Usage: node scripts/gates/format.mjs [ROOT] */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { isMain, report } from "./report.mjs";

const PACKAGE_ROOT = join(import.meta.dirname, "..", "..");
/** Named one by one: documents, data and fixtures are not formatted. */
const ROOTS = ["src", "web", "test", "bench", "scripts", "examples", "vitest.config.ts", "vitest.clients.config.ts"];

/** One finding per file that the formatter would change. */
export function checkFormat(root) {
  const present = new Set(readdirSync(root));
  const roots = ROOTS.filter((path) => present.has(path));
  if (roots.length === 0) return { checked: 0, findings: [] };
  const oxfmt = join(PACKAGE_ROOT, "node_modules", "oxfmt", "bin", "oxfmt");
  const args = ["--config", join(root, ".oxfmtrc.json"), "--check", ...roots];
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxfmt, ...args], { cwd: root, encoding: "utf8" });
  const answer = stripVTControlCharacters(stdout); // in CI it is coloured, whatever NO_COLOR says
  const checked = Number(/on (\d+) files?/u.exec(answer + stderr)?.[1] ?? 0);
  const findings = [...answer.matchAll(/^(?<path>\S.*?) \(\d+ms\)$/gmu)].map(({ groups }) => ({
    rule: "format",
    path: groups?.path ?? "",
    message: "run `npm run format`",
  }));
  if (status !== 0 && findings.length === 0) throw new Error(`oxfmt did not answer: ${stdout}${stderr}`);
  return { checked, findings };
}

if (isMain(import.meta.url)) process.exitCode = report("format", checkFormat(process.argv[2] ?? process.cwd()));
