/** The operators: functions from a node to its changes, each a node or a range with the replacing text. */
import ts from "typescript";

const { SyntaxKind } = ts;

const SWAPPED = new Map([
  [SyntaxKind.AmpersandAmpersandToken, ["and-or", "||"]],
  [SyntaxKind.BarBarToken, ["and-or", "&&"]],
  [SyntaxKind.LessThanToken, ["boundary", "<="]],
  [SyntaxKind.LessThanEqualsToken, ["boundary", "<"]],
  [SyntaxKind.GreaterThanToken, ["boundary", ">="]],
  [SyntaxKind.GreaterThanEqualsToken, ["boundary", ">"]],
]);
const COMPARISONS = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  ...SWAPPED.keys(),
]);
const TWINS = new Map([
  ["every", "some"],
  ["some", "every"],
  ["startsWith", "includes"],
  ["endsWith", "includes"],
]);

function swappedOperator(wanted) {
  return function* swap(node) {
    if (!ts.isBinaryExpression(node)) return;
    const [operator, replacement] = SWAPPED.get(node.operatorToken.kind) ?? [];
    if (operator === wanted && !isTieBreak(node)) yield { node: node.operatorToken, replacement };
  };
}

function* invertCondition(node) {
  const condition =
    ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : undefined;
  if (condition === undefined || condition.kind === SyntaxKind.TrueKeyword) return;
  yield { node: condition, replacement: `!(${condition.getText()})` };
}

/** Drops a part of a condition: `a && b` becomes `a`. */
function* dropPart(node) {
  if (!ts.isBinaryExpression(node)) return;
  const { kind } = node.operatorToken;
  if (kind !== SyntaxKind.AmpersandAmpersandToken && kind !== SyntaxKind.BarBarToken) return;
  if (isTieBreak(node)) return;
  yield { node, replacement: node.left.getText() };
}

/** `a.time - b.time || …` and `a < b ? -1 : 1` order otherwise equal items, which is seldom visible. */
function isTieBreak(node) {
  const { left, parent } = node;
  if (ts.isBinaryExpression(left) && left.operatorToken.kind === SyntaxKind.MinusToken) return true;
  return ts.isConditionalExpression(parent) && parent.condition === node && isOne(parent.whenTrue);
}

function isOne(node) {
  return /^-?1$/u.test(node.getText());
}

/** `if (…) return …;`, `throw`, `continue` without an else. An empty-list shortcut is kept: it rarely matters. */
function* dropGuard(node) {
  if (!ts.isIfStatement(node) || node.elseStatement !== undefined) return;
  const then = ts.isBlock(node.thenStatement) ? node.thenStatement.statements.at(-1) : node.thenStatement;
  if (then === undefined || !(ts.isReturnStatement(then) || ts.isThrowStatement(then) || ts.isContinueStatement(then)))
    return;
  if (/\.(?:length|size) === 0$/u.test(node.expression.getText())) return;
  yield { node, replacement: ";" };
}

function* removeCall(node) {
  if (!ts.isExpressionStatement(node)) return;
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  if (ts.isCallExpression(inner) && inner.expression.kind !== SyntaxKind.SuperKeyword) yield { node, replacement: ";" };
}

function* swapMethod(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const twin = TWINS.get(node.expression.name.text);
  if (twin !== undefined) yield { node: node.expression.name, replacement: twin };
}

/** One more or one less where a number is a limit: an argument of a call, a sum, or a part of a comparison. */
function* offByOne(node) {
  if (!ts.isNumericLiteral(node)) return;
  const { parent } = node;
  const isOperand = ts.isBinaryExpression(parent);
  if (isOperand && /[+-]/u.test(parent.operatorToken.getText()) && node === parent.right && node.text === "1")
    yield { node: parent, replacement: parent.left.getText() };
  const isBound = isOperand && COMPARISONS.has(parent.operatorToken.kind);
  const isPosition =
    ts.isCallExpression(parent) && /\b(?:slice|substring|subarray|at)$/u.test(parent.expression.getText());
  const value = Number(node.text);
  if ((isBound || isPosition) && Number.isInteger(value) && value < 1000)
    yield { node, replacement: String(value + 1) };
}

function* dropDefault(node) {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.QuestionQuestionToken) return;
  yield { node, replacement: node.left.getText() };
}

/** A yes-or-no answer is always yes, or always no. */
function* constantAnswer(node) {
  const answer = ts.isReturnStatement(node) ? node.expression : ts.isArrowFunction(node) ? node.body : undefined;
  if (answer === undefined || ts.isBlock(answer) || !isCondition(answer)) return;
  yield { node: answer, replacement: "true" };
  yield { node: answer, replacement: "false" };
}

function isCondition(node) {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === SyntaxKind.ExclamationToken;
  if (ts.isBinaryExpression(node)) return COMPARISONS.has(node.operatorToken.kind);
  return (
    ts.isCallExpression(node) &&
    /(?:^|\.)(?:is|has|test|every|some|includes)(?:[A-Z]\w*)?$/u.test(node.expression.getText())
  );
}

/** Swaps two adjacent arguments that seem to be of one kind: `a.text, b.text`, or parameters declared with one type. */
function* swapArguments(node) {
  if (!ts.isCallExpression(node)) return;
  for (let at = 0; at + 1 < node.arguments.length; at++) {
    const [left, right] = [node.arguments[at], node.arguments[at + 1]];
    if (typeName(left) === undefined || typeName(left) !== typeName(right) || left.getText() === right.getText())
      continue;
    yield { start: left.getStart(), end: right.end, replacement: `${right.getText()}, ${left.getText()}` };
  }
}

function typeName(node) {
  if (ts.isPropertyAccessExpression(node)) return `.${node.name.text}`;
  if (!ts.isIdentifier(node)) return undefined;
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const parameter = at.parameters.find(({ name }) => ts.isIdentifier(name) && name.text === node.text);
    if (parameter !== undefined) return parameter.type?.getText();
  }
  return undefined;
}

/** Drops an option of a call or inverts it; drops an element of a list of words. */
function* dropOption(node) {
  if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.parent) && isArgument(node.parent)) {
    if (node.initializer.kind === SyntaxKind.TrueKeyword) yield { node: node.initializer, replacement: "false" };
    if (node.initializer.kind === SyntaxKind.FalseKeyword) yield { node: node.initializer, replacement: "true" };
  }
  if (!ts.isArrayLiteralExpression(node) || !node.elements.every(ts.isStringLiteral)) return;
  // Longer lists are data with their own tests; a string with spaces is a message.
  if (node.elements.length > 12 || node.elements.some(({ text }) => text.includes(" "))) return;
  for (const [at, element] of node.elements.entries()) {
    const next = node.elements[at + 1];
    yield { start: element.getStart(), end: next === undefined ? element.end : next.getStart(), replacement: "" };
  }
}

function isArgument(node) {
  return ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent);
}

function* flipFlag(node) {
  if (!ts.isCallExpression(node)) return;
  for (const one of node.arguments) {
    if (one.kind === SyntaxKind.TrueKeyword) yield { node: one, replacement: "false" };
    if (one.kind === SyntaxKind.FalseKeyword) yield { node: one, replacement: "true" };
  }
}

function* dropNot(node) {
  if (!ts.isPrefixUnaryExpression(node) || node.operator !== SyntaxKind.ExclamationToken) return;
  if (!ts.isIfStatement(node.parent)) yield { node, replacement: node.operand.getText() };
}

function* dropAnchor(node) {
  if (!ts.isRegularExpressionLiteral(node)) return;
  const [, body, flags] = /^\/(.*)\/(\w*)$/su.exec(node.text) ?? [];
  if (body === undefined || body.includes("|")) return;
  if (body.startsWith("^") && body.length > 1) yield { node, replacement: `/${body.slice(1)}/${flags}` };
  const isGreedy = /(?:\.|\])[*+]\$$/u.test(body);
  if (body.endsWith("$") && !body.endsWith("\\$") && body.length > 1 && !isGreedy)
    yield { node, replacement: `/${body.slice(0, -1)}/${flags}` };
}

/** The operators by name, each with its change. */
export const OPERATORS = [
  ["condition inverted", invertCondition],
  ["part of a condition dropped", dropPart],
  ["guard dropped", dropGuard],
  ["call removed", removeCall],
  ["and-or swapped", swappedOperator("and-or")],
  ["boundary moved", swappedOperator("boundary")],
  ["method swapped", swapMethod],
  ["off by one", offByOne],
  ["default dropped", dropDefault],
  ["answer constant", constantAnswer],
  ["arguments swapped", swapArguments],
  ["option dropped", dropOption],
  ["flag flipped", flipFlag],
  ["negation dropped", dropNot],
  ["anchor dropped", dropAnchor],
];
