/**
 * npm run walk [-- --list]: how many files a reader meets on two ways through the source, by static imports of values:
 * a prompt's way from the hook to the text, and a note's way from the command to the disk. Both should fall.
 */
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";

const ROOT = dirname(import.meta.dirname);
const WANTED = 60;
/** `operation` is the operation and what it reads or writes with; `around` are the surface's files before it. */
const WAYS = [
  {
    name: "a prompt, from the hook to its text",
    operation: ["src/app/recall/recall.ts", "src/app/recall/quick-recall.ts"],
    around: ["src/hook.ts", "src/surfaces/hooks/hook-main.ts", "src/surfaces/hooks/hook-recall.ts"],
  },
  {
    name: "a note, from the command to the disk",
    operation: ["src/surfaces/cli/commands/remember.ts", "src/adapters/files/store.ts"],
    around: ["src/bin.ts", "src/surfaces/cli/main.ts"],
  },
];

/** An import of types alone leads to no file that runs. */
function isOfValues({ importClause, exportClause, isTypeOnly = false }) {
  const names = (importClause?.namedBindings ?? exportClause)?.elements;
  if (isTypeOnly || importClause?.isTypeOnly === true) return false;
  return importClause?.name !== undefined || names === undefined || names.some((one) => !one.isTypeOnly);
}

function importsOf(path) {
  const tree = ts.createSourceFile(path, readFileSync(join(ROOT, path), "utf8"), ts.ScriptTarget.Latest);
  return tree.statements
    .filter((one) => (ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) && isOfValues(one))
    .flatMap(({ moduleSpecifier }) => (moduleSpecifier?.text.startsWith(".") ? [moduleSpecifier.text] : []))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}

function filesFrom(entries) {
  const met = new Set(entries);
  for (const path of met) for (const target of importsOf(path)) met.add(target);
  return [...met].toSorted();
}

function byLayer(files) {
  const counts = new Map();
  for (const path of files) {
    const layer = path.split("/")[1].replace(/\.ts$/u, "");
    counts.set(layer, (counts.get(layer) ?? 0) + 1);
  }
  return [...counts].map(([layer, count]) => `${layer} ${count}`).join(", ");
}

for (const { name, operation, around } of WAYS) {
  const own = filesFrom(operation);
  const all = filesFrom([...operation, ...around]);
  console.log(`${name}: ${own.length} files (at most ${WANTED} wanted): ${byLayer(own)}`);
  console.log(`  with the surface around it: ${all.length} files: ${byLayer(all)}`);
  if (process.argv.includes("--list"))
    for (const path of all) console.log(`  ${own.includes(path) ? " " : "+"} ${path}`);
}
