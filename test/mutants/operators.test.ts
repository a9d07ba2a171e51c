import { readdirSync } from "node:fs";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { AREAS } from "../../scripts/mutants/areas.mjs";
import { parseDiff } from "../../scripts/mutants/changed-lines.mjs";
import { apply, functionsOf, mutantsOf } from "../../scripts/mutants/operators.mjs";
import { packNumbers, unpackNumbers } from "../../scripts/mutants/reach.mjs";
import { inJudgingOrder } from "../../scripts/mutants/sample.mjs";
import { weave } from "../../scripts/mutants/weave.mjs";

/** Every mutant of a source as its whole text. */
function textsOf(source: string, operator: string): string[] {
  const mutants = mutantsOf("src/one.ts", source).filter((mutant) => mutant.operator === operator);
  return mutants.map((mutant) => apply(source, mutant));
}

const CASES: readonly (readonly [operator: string, source: string, mutants: readonly string[]])[] = [
  ["condition inverted", "if (a) b();", ["if (!(a)) b();"]],
  ["condition inverted", "const x = a ? b : c;", ["const x = !(a) ? b : c;"]],
  ["part of a condition dropped", "const x = a && b;", ["const x = a;"]],
  ["guard dropped", "function f() { if (a) return 1; return 2; }", ["function f() { ; return 2; }"]],
  ["guard dropped", "if (a) { b(); throw new Error(); }", [";"]],
  ["guard dropped", "function f() { if (a) return 1; else g(); }", []],
  ["guard dropped", "function f() { if (list.length === 0) return []; }", []],
  ["call removed", "fsyncSync(fd);", [";"]],
  ["call removed", "await purge(name);", [";"]],
  ["call removed", "io.err(text); console.log(text);", []],
  ["and-or swapped", "const x = a && b || c;", ["const x = a || b || c;", "const x = a && b && c;"]],
  ["boundary moved", "const x = a < b;", ["const x = a <= b;"]],
  ["boundary moved", "const order = (a, b) => (a < b ? -1 : 1);", []],
  ["method swapped", "const x = list.every(is);", ["const x = list.some(is);"]],
  ["off by one", "const x = list.slice(1);", ["const x = list.slice(2);"]],
  ["off by one", "const x = at + 1;", ["const x = at;"]],
  ["default dropped", "const x = a ?? b;", ["const x = a;"]],
  ["answer constant", "const f = (a) => a === 1;", ["const f = (a) => true;", "const f = (a) => false;"]],
  ["arguments swapped", "merge(mine.text, theirs.text);", ["merge(theirs.text, mine.text);"]],
  [
    "arguments swapped",
    "function f(a: string, b: string, c: number) { g(a, b, c); }",
    ["function f(a: string, b: string, c: number) { g(b, a, c); }"],
  ],
  ["option dropped", "rm(path, { force: true });", ["rm(path, { force: false });"]],
  ["option dropped", 'git(["-c", "x=y"]);', ['git(["x=y"]);', 'git(["-c", ]);']],
  ["flag flipped", "open(path, true);", ["open(path, false);"]],
  ["option dropped", 'const words = ["not permitted; check its owner"];', []],
  ["part of a condition dropped", "list.sort((a, b) => a.time - b.time || 1);", []],
  ["anchor dropped", "const x = /a(.*)b.*$/u;", []],
  ["negation dropped", "const x = !a && b;", ["const x = a && b;"]],
  ["anchor dropped", "const x = /^a$/u;", ["const x = /a$/u;", "const x = /^a/u;"]],
];

describe("mutants of a source", () => {
  it.each(CASES)("%s: %s", (operator, source, wanted) => {
    expect(textsOf(source, operator)).toEqual(wanted);
  });

  it("leave types, imports, comments and the words of errors alone", () => {
    const source = [
      'import { a } from "./a.ts";',
      "type Both = A & B;",
      "// if (a) return b;",
      "function f(x: 1 | 2): void { throw new Error(x < 1 ? 'a' : 'b'); }",
    ].join("\n");
    expect(mutantsOf("src/one.ts", source)).toEqual([]);
  });

  it("know the line and the innermost function they are in", () => {
    const source = "const x = a && b;\nfunction f() {\n  return list.map((one) => one < 2);\n}\n";
    const found = mutantsOf("src/one.ts", source).map(({ line, function: at }) => [line, at]);
    expect(found).toContainEqual([1, -1]);
    expect(found).toContainEqual([3, 1]);
    expect(functionsOf("src/one.ts", source)).toHaveLength(2);
  });
});

describe("the sample", () => {
  const source = "if (a && b) c(d ?? e);\nif (f < 1) g(h.every(i));\nif (j) k(!l && m);\n";
  const mutants = mutantsOf("src/one.ts", source).map((mutant) => ({ path: "src/one.ts", ...mutant }));

  it("is the same for one seed and another for another", () => {
    expect(inJudgingOrder(mutants, 1)).toEqual(inJudgingOrder(mutants, 1));
    const orders = [1, 2, 3, 4, 5].map((seed) => JSON.stringify(inJudgingOrder(mutants, seed)));
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  it("has at most one mutant a line", () => {
    const lines = inJudgingOrder(mutants, 7).map(({ line }) => line);
    expect(lines.toSorted()).toEqual([1, 2, 3]);
  });
});

describe("a source with all its mutants", () => {
  const source = [
    "const bound = 4 - 1;",
    "const pick = (list, isOdd = (n) => n % 2 === 1) => list.filter((n) => isOdd(n) && n < bound);",
    "function* walk(node) {",
    "  if (node === undefined) return;",
    "  yield node.name ?? 'none';",
    "  for (const child of node.children) if (!child.hidden) yield* walk(child);",
    "}",
    "class Count {",
    "  #step = 1 + 1;",
    "  constructor(at) { this.at = at; }",
    "  get next() { return this.at < 3 ? this.at + this.#step : 0; }",
    "}",
    "if (bound > 2) globalThis.__memdirBound?.push(bound);",
  ].join("\n");
  const asked = `return JSON.stringify([
    pick([1, 2, 3, 4, 5, 6, 7]), [...walk({ name: 'a', children: [{ children: [] }, { hidden: true, children: [] }] })],
    new Count(1).next, new Count(3).next, bound])`;
  const answerOf = (text: string, active: number, reached: Uint8Array) => {
    const bound: number[] = [];
    const set = { __memdirMutant: active, __memdirReached: reached, __memdirBound: bound };
    Object.assign(globalThis, set);
    try {
      return `${Function(`${text}\n${asked}`)()} ${bound.join()}`;
    } catch (error) {
      return String(error);
    } finally {
      for (const name of Object.keys(set)) Reflect.deleteProperty(globalThis, name);
    }
  };
  const mutants = mutantsOf("src/one.ts", source).map((mutant, number) => ({ ...mutant, number }));
  const woven = weave("src/one.ts", source, 0, mutants);

  it("does what it did while none is switched on", () => {
    expect(answerOf(woven.text, -1, new Uint8Array(99))).toBe(answerOf(source, -1, new Uint8Array(99)));
  });

  it("does what each mutant alone does while it is switched on", () => {
    expect(mutants.length).toBeGreaterThan(20);
    expect([...woven.left]).toEqual([]);
    for (const mutant of mutants)
      expect([mutant, answerOf(woven.text, mutant.number, new Uint8Array(99))]).toEqual([
        mutant,
        answerOf(apply(source, mutant), -1, new Uint8Array(99)),
      ]);
  });

  it("says which functions ran, and which mutants are chosen while it loads", () => {
    const reached = new Uint8Array(99);
    const two = "const twice = (x) => ({ v: x * 2 }); function never() { return 1; } const four = twice(4).v;";
    answerOf(weave("src/one.ts", two, 10).text, -1, reached);
    expect([...reached.entries()].filter(([, mark]) => mark === 1).map(([number]) => number)).toEqual([10]);
    expect(mutants.filter(({ number }) => woven.atLoad.has(number)).map(({ line }) => line)).toEqual(
      mutants.filter(({ line }) => [1, 9, 13].includes(line)).map(({ line }) => line),
    );
  });

  it("keeps numbers in little room", () => {
    expect(unpackNumbers(packNumbers([3, 900]))).toEqual([3, 900]);
  });
});

it("reads the changed lines of a difference, and none of what was removed", () => {
  const diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +3 @@ f\n@@ -9 +8,2 @@\n@@ -20,3 +19,0 @@\n";
  expect(parseDiff(diff)).toEqual(new Map([["src/a.ts", new Set([3, 8, 9])]]));
});

it("the parts whose tests must notice most name files that there are", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).map((file) => `src/${file}`);
  const patterns = Object.values(AREAS).flatMap((globs) => globs.flatMap(alternatives));
  expect(patterns.filter((pattern) => !files.some((file) => picomatch(pattern)(file)))).toEqual([]);
});

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function alternatives(pattern: string): readonly string[] {
  const [, before = "", names, after = ""] = /^(.*)\{(.*)\}(.*)$/u.exec(pattern) ?? [];
  return names?.split(",").map((name) => `${before}${name}${after}`) ?? [pattern];
}
