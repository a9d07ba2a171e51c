/** The strictest types, checked by the compiler. Usage: node scripts/gates/types.mjs [ROOT] */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isMain, report } from "./report.mjs";

const require = createRequire(import.meta.url);
/** The native compiler; the tools that read the source still need the previous one. */
const COMPILER = join(dirname(require.resolve("typescript-7/package.json")), "bin", "tsc");
/** The page's sources: they know the browser but not Node. */
const PAGE = "web";
const FINDING = /^(?:(?<path>.+)\((?<line>\d+),\d+\): )?error (?<rule>TS\d+): (?<message>.*)$/u;
const LONGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * Rules are the compiler's own numbers: `TS2322`. With a file for `memory` the compiler checks only what changed and
 * what depends on it; without one, or if the file is missing, everything.
 */
export function checkTypes(root, memory) {
  const own = checkProject(root, ".", memory);
  if (!existsSync(join(root, PAGE, "tsconfig.json"))) return own;
  const page = checkProject(root, PAGE, memory?.replace(/\.json$/u, "-page.json"));
  return { checked: own.checked + page.checked, findings: [...own.findings, ...page.findings] };
}

function checkProject(root, place, memory) {
  const remembering = memory === undefined ? [] : ["--incremental", "--tsBuildInfoFile", memory];
  const args = [COMPILER, "-p", place, "--noEmit", "--pretty", "false", "--listFiles", ...remembering];
  const { stdout, stderr, status, error } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: LONGEST_OUTPUT,
  });
  const lines = stdout.split("\n");
  const findings = lines.flatMap((line) => {
    const { path = "tsconfig.json", line: number, rule = "", message = "" } = FINDING.exec(line)?.groups ?? {};
    return rule === "" ? [] : [{ rule, path, message, ...(number !== undefined && { line: Number(number) }) }];
  });
  if (error !== undefined || (status !== 0 && findings.length === 0))
    throw new Error(`the compiler failed: ${error?.message ?? `${stdout}${stderr}`}`);
  const checked = lines.filter((line) => line.startsWith(`${root}/`) && !line.includes("/node_modules/")).length;
  return { checked, findings };
}

if (isMain(import.meta.url)) {
  const root = process.argv[2] ?? process.cwd();
  process.exitCode = report("types", checkTypes(root, join(root, "node_modules", ".cache", "memdir-types.json")));
}
