/** Size limits: no file or function grows beyond what a reader can follow. Usage: node scripts/gates/size.mjs [ROOT] */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listFiles } from "./files.mjs";
import { isMain, report } from "./report.mjs";

const CODE = { fileLines: 400, functionLines: 60 };
const TESTS = { fileLines: 600, functionLines: 120 };
const LIMITS = [
  { folder: /^(?:src|web|bench|scripts)\//u, limits: CODE },
  { folder: /^test\//u, limits: TESTS },
];
const SOURCE = /\.[cm]?[jt]sx?$/u;

function limitsOf(path) {
  return SOURCE.test(path) ? LIMITS.find(({ folder }) => folder.test(path))?.limits : undefined;
}

function countLines(text) {
  return text.replace(/\n$/u, "").split("\n").length;
}

function nameOf(node) {
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  return parent?.name === undefined ? "an unnamed function" : parent.name.getText();
}

/** A `describe` of tests is a list, not a sequence to follow: in tests only the functions inside it count. */
function isSuite(node) {
  return ts.isCallExpression(node.parent) && /^describe\b/u.test(node.parent.expression.getText());
}

function* functionsIn(node) {
  if (ts.isFunctionLike(node) && node.body !== undefined) yield node;
  const children = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* functionsIn(child);
}

/** Findings for one file: `file-lines` and `function-lines`. */
export function measure(path, text) {
  const limits = limitsOf(path);
  if (limits === undefined) return [];
  const findings = [];
  const lines = countLines(text);
  if (lines > limits.fileLines) {
    findings.push({ rule: "file-lines", path, line: 1, message: `${lines} lines, at most ${limits.fileLines}` });
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  for (const node of functionsIn(source)) {
    const first = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const last = source.getLineAndCharacterOfPosition(node.end).line + 1;
    const length = last - first + 1;
    if (length <= limits.functionLines || (limits === TESTS && isSuite(node))) continue;
    const message = `${nameOf(node)} has ${length} lines, at most ${limits.functionLines}`;
    findings.push({ rule: "function-lines", path, line: first, message });
  }
  return findings;
}

/** @returns {{ checked: number, findings: { rule: string, path: string, line: number, message: string }[] }} */
export function checkSizes(root) {
  const paths = listFiles(root).filter((path) => limitsOf(path) !== undefined);
  return {
    checked: paths.length,
    findings: paths.flatMap((path) => measure(path, readFileSync(join(root, path), "utf8"))),
  };
}

if (isMain(import.meta.url)) process.exitCode = report("size", checkSizes(process.argv[2] ?? process.cwd()));
