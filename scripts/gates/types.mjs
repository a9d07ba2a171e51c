/** The strictest types, by the compiler. Usage: node scripts/gates/types.mjs [ROOT] */
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

/** Rules are the compiler's own numbers: `TS2322`. */
export function checkTypes(root) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(fileNames, options);
  const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(program)];
  return { checked: fileNames.length, findings: diagnostics.map((diagnostic) => findingOf(root, diagnostic)) };
}

if (isMain(import.meta.url)) process.exitCode = report("types", checkTypes(process.argv[2] ?? process.cwd()));
