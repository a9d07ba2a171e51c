/**
 * Small wrong changes of a TypeScript source, such as a person could make. Types, imports, messages and comments are
 * left alone: no test should notice a change there.
 */
import ts from "typescript";
import { OPERATORS } from "./operator-list.mjs";

/** Calls whose only effect is a text for people. */
const TALK = /^(?:io|console|process\.std(?:out|err))\.|(?:^|\.)(?:warn|debug|print|say|tell)$/u;

/**
 * Every mutant of a source, in the order of its text.
 * @returns {{ operator: string, start: number, end: number, replacement: string, line: number, was: string, function: number }[]}
 */
export function mutantsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  let functions = 0;
  const visit = (node, enclosing) => {
    if (isOutOfReach(node)) return;
    const own = ts.isFunctionLike(node) && node.body !== undefined ? functions++ : enclosing;
    for (const [operator, change] of OPERATORS)
      for (const one of change(node, source)) found.push(describe(source, operator, one, own));
    ts.forEachChild(node, (child) => visit(child, own));
  };
  visit(source, -1);
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end || (a.operator < b.operator ? -1 : 1));
}

/** The positions of a source's functions with a body, in the order in which `mutantsOf` counts them. */
export function functionsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const bodies = [];
  const visit = (node) => {
    if (isOutOfReach(node)) return;
    if (ts.isFunctionLike(node) && node.body !== undefined) bodies.push(bodyOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return bodies;
}

/** The source with one mutant in place. */
export function apply(text, { start, end, replacement }) {
  return text.slice(0, start) + replacement + text.slice(end);
}

function bodyOf({ body }, source) {
  return { isBlock: ts.isBlock(body), start: body.getStart(source), end: body.end };
}

function isOutOfReach(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return true;
  if (ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeParameterDeclaration(node))
    return true;
  if (ts.isThrowStatement(node) || ts.isDebuggerStatement(node)) return true;
  const call = ts.isExpressionStatement(node) ? node.expression : node;
  return ts.isCallExpression(call) && TALK.test(call.expression.getText());
}

function describe(source, operator, { node, start, end, replacement }, enclosing) {
  const from = start ?? node.getStart(source);
  const to = end ?? node.end;
  const { line } = source.getLineAndCharacterOfPosition(from);
  const was = source.text.slice(from, to);
  return { operator, start: from, end: to, replacement, line: line + 1, was, function: enclosing };
}
