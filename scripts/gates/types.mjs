/** The strictest types, by the compiler. Usage: node scripts/gates/types.mjs [ROOT] */
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { isMain, report } from "./report.mjs";

function findingOf(root, diagnostic) {
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
  const { file, start = 0, code } = diagnostic;
  if (file === undefined) return { rule: `TS${code}`, path: "tsconfig.json", message };
  const path = file.fileName.startsWith(root) ? file.fileName.slice(root.length + 1) : file.fileName;
  return { rule: `TS${code}`, path, line: file.getLineAndCharacterOfPosition(start).line + 1, message };
}

/**
 * Rules are the compiler's own numbers: `TS2322`. With a file for `memory` the compiler judges anew what changed since, and
 * what depends on it; without, and where the file is missing, everything.
 */
export function checkTypes(root, memory) {
  const own = checkProject(root, root, memory);
  if (!existsSync(join(root, PAGE, "tsconfig.json"))) return own;
  const page = checkProject(root, join(root, PAGE), memory?.replace(/\.json$/u, "-page.json"));
  return { checked: own.checked + page.checked, findings: [...own.findings, ...page.findings] };
}

/** The page's sources: they know the browser and not Node. */
const PAGE = "web";

function checkProject(root, place, memory) {
  const { config } = ts.readConfigFile(join(place, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, place);
  const program =
    memory === undefined
      ? ts.createProgram(fileNames, options)
      : ts.createIncrementalProgram({
          rootNames: fileNames,
          options: { ...options, incremental: true, tsBuildInfoFile: memory },
        });
  const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(program)];
  if (memory !== undefined) program.emit();
  return { checked: fileNames.length, findings: diagnostics.map((diagnostic) => findingOf(root, diagnostic)) };
}

if (isMain(import.meta.url)) {
  const root = process.argv[2] ?? process.cwd();
  process.exitCode = report("types", checkTypes(root, join(root, "node_modules", ".cache", "memdir-types.json")));
}
