/**
 * Sources that hold many mutants at once, each switched on by its number at run time, and that record which of their
 * functions ran. A test that never ran a function cannot notice a mutant in it.
 */
import ts from "typescript";
import { apply, functionsOf } from "./operators.mjs";

/** Names on `globalThis`: the number of the active mutant, and the marks of the functions that ran. */
export const ACTIVE = "__memdirMutant";
export const REACHED = "__memdirReached";

/**
 * The source with a mark in each function, and the mutants next to what they change.
 * @param mutants each with its `number`; `first` is the number of the source's first function
 * @returns {{ text: string, atLoad: Set<number>, left: Set<number> }} the numbers of the mutants that take effect while
 * the module loads, and of those that fit nowhere
 */
export function weave(path, text, first, mutants = []) {
  const regions = regionsOf(path, text);
  const marks = functionsOf(path, text);
  const own = new Map(marks.map(({ start }, at) => [start, first + at]));
  const left = new Set();
  const atLoad = new Set();
  const perRegion = new Map();
  for (const mutant of mutants) {
    const region = regions.findLast(({ start, end }) => start <= mutant.start && mutant.end <= end);
    if (region === undefined) left.add(mutant.number);
    else perRegion.set(region, [...(perRegion.get(region) ?? []), mutant]);
    if (region?.isInFunction === false) atLoad.add(mutant.number);
  }
  const wanted = regions.filter((region) => perRegion.has(region) || own.has(region.start));
  const render = (from, to, inner) => {
    let out = "";
    let at = from;
    for (let index = 0; index < inner.length;) {
      const region = inner[index];
      const after = inner.findIndex((one, place) => place > index && one.start >= region.end);
      const within = inner.slice(index + 1, after === -1 ? inner.length : after);
      out += text.slice(at, region.start) + place(region, within);
      at = region.end;
      index += within.length + 1;
    }
    return out + text.slice(at, to);
  };
  const place = (region, within) => {
    const { kind, start, end } = region;
    const isBlock = kind === "block";
    const original = isBlock ? render(start + 1, end - 1, within) : render(start, end, within);
    const number = kind === "block" || kind === "body" ? own.get(start) : undefined;
    const mark = number === undefined ? "" : `globalThis.${REACHED}[${number}] = 1`;
    const choices = (perRegion.get(region) ?? []).map((mutant) => ({
      test: `globalThis.${ACTIVE} === ${mutant.number}`,
      body: apply(text, mutant).slice(start, end + mutant.replacement.length - (mutant.end - mutant.start)),
    }));
    if (isBlock || kind === "statement") {
      const whole = choices.map(({ test, body }) => `if (${test}) { ${body}\n} else `).join("");
      if (!isBlock) return `${whole}{ ${original}\n}`;
      return whole === "" ? `{${mark};${original}}` : `{${mark};${whole}{ ${original}\n}}`;
    }
    const chosen = choices.map(({ test, body }) => `${test} ? (${body}\n) : `).join("");
    return `(${mark === "" ? "" : `${mark}, `}${chosen}(${original}\n))`;
  };
  return { text: render(0, text.length, wanted), atLoad, left };
}

/** Whether a text has the form of a module. */
export function isWellFormed(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest).parseDiagnostics.length === 0;
}

/** Places where one of several texts can stand, outer ones first: bodies, values of declarations, statements. */
function regionsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (kind, node, isInFunction) =>
    found.push({ kind, start: node.getStart(source), end: node.end, isInFunction });
  const visit = (node, isInFunction) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isSourceFile(node.parent ?? node) && isPlainStatement(node)) add("statement", node, false);
    const isFunction = ts.isFunctionLike(node) && node.body !== undefined;
    ts.forEachChild(node, (child) => {
      if (isFunction && child === node.body) add(ts.isBlock(child) ? "block" : "body", child, true);
      else if (isValue(node, child)) add("value", child, isInFunction);
      visit(child, isInFunction || (isFunction && child === node.body));
    });
  };
  visit(source, false);
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

function isPlainStatement(node) {
  return ts.isExpressionStatement(node) || ts.isIfStatement(node) || ts.isForOfStatement(node);
}

function isValue(node, child) {
  if (ts.isExportAssignment(node)) return child === node.expression;
  const isDeclared =
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node);
  return isDeclared && child === node.initializer;
}
