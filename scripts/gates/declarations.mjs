/**
 * The published types compile for every user of the package, with `skipLibCheck: false`: every file that they reach is
 * in it, every package that they name is installed with it. Usage: node scripts/gates/declarations.mjs PACKAGE
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { isMain, report } from "./report.mjs";

/** Possible consumers: a project with Node's types, and one for browsers without them. */
const CONSUMERS = [
  { lib: ["lib.es2023.d.ts"], types: ["node"] },
  { lib: ["lib.es2023.d.ts", "lib.dom.d.ts"], types: [] },
];
const NODE_TYPES = join(import.meta.dirname, "..", "..", "node_modules", "@types");

/** Checks a package in its installed form, by the `types` of its `exports`. */
export function checkDeclarations(root) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.values(manifest.exports ?? {}).flatMap(({ types }) => types ?? []);
  const installed = new Set(
    ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) => Object.keys(manifest[kind] ?? {})),
  );
  const seen = new Set();
  const findings = entries.flatMap((entry) => follow(root, resolve(root, entry), "package.json", installed, seen));
  const files = [...seen];
  if (findings.length === 0 && files.length > 0) findings.push(...compiled(root, files));
  return { checked: files.length, findings };
}

function follow(root, file, from, installed, seen) {
  if (seen.has(file)) return [];
  if (!existsSync(file))
    return [{ rule: "not-in-package", path: from, message: `${relative(root, file)} is not in the package` }];
  seen.add(file);
  const own = relative(root, file);
  return ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith(".")) return follow(root, declarationOf(dirname(file), fileName), own, installed, seen);
    const name = fileName.split("/", fileName.startsWith("@") ? 2 : 1).join("/");
    return fileName.startsWith("node:") || installed.has(name)
      ? []
      : [{ rule: "not-installed", path: own, message: `${name} is not installed with the package` }];
  });
}

function declarationOf(directory, name) {
  return resolve(directory, name.replace(/(?:\.d)?\.ts$|\.js$/u, "")).concat(".d.ts");
}

function compiled(root, files) {
  const found = new Map();
  for (const consumer of CONSUMERS) {
    const program = ts.createProgram(files, {
      ...consumer,
      typeRoots: [NODE_TYPES],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    });
    for (const file of files)
      for (const diagnostic of ts.getPreEmitDiagnostics(program, program.getSourceFile(file))) {
        const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
        const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
        const finding = { rule: `TS${diagnostic.code}`, path: relative(root, file), line: line + 1, message };
        found.set(JSON.stringify(finding), finding);
      }
  }
  return [...found.values()];
}

if (isMain(import.meta.url))
  process.exitCode = report("declarations", checkDeclarations(resolve(process.argv[2] ?? ".")));
