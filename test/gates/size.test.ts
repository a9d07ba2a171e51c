import { describe, expect, it } from "vitest";
import { checkSizes } from "../../scripts/gates/size.mjs";
import { plantTree, rulesFor } from "./tree.ts";

function fileOf(lines: number): string {
  return "export {};\n".repeat(lines);
}

/** A function of exactly so many lines, in the form `wrap` gives it. */
function functionOf(lines: number, wrap: (body: string) => string): string {
  return `${wrap(`{\n${"  go();\n".repeat(lines - 2)}}`)}\n`;
}

const declared = (body: string): string => `export function long() ${body}`;
const arrow = (body: string): string => `export const long = () => ${body}`;
const method = (body: string): string => `export const port = { long() ${body} }`;
const test = (body: string): string => `it("does much", () => ${body});`;
const suite = (body: string): string => `describe("much", () => ${body});`;

const CLEAN: readonly (readonly [path: string, text: string])[] = [
  ["src/file.ts", fileOf(400)],
  ["src/declared.ts", functionOf(60, declared)],
  ["bench/arrow.mjs", functionOf(60, arrow)],
  ["test/file.test.ts", fileOf(600)],
  ["test/test.test.ts", functionOf(120, test)],
  ["test/suite.test.ts", functionOf(300, suite)],
  ["docs/long.md", fileOf(1000)],
];

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  ["file-lines", "src/file.ts", fileOf(401)],
  ["file-lines", "bench/file.mjs", fileOf(401)],
  ["file-lines", "scripts/gates/file.mjs", fileOf(401)],
  ["file-lines", "test/file.test.ts", fileOf(601)],
  ["function-lines", "src/declared.ts", functionOf(61, declared)],
  ["function-lines", "src/arrow.ts", functionOf(61, arrow)],
  ["function-lines", "src/method.ts", functionOf(61, method)],
  ["function-lines", "scripts/declared.mjs", functionOf(61, declared)],
  ["function-lines", "bench/arrow.mjs", functionOf(61, arrow)],
  ["function-lines", "test/test.test.ts", functionOf(121, test)],
  ["function-lines", "src/suite.ts", functionOf(61, suite)],
];

describe("the size gate", () => {
  it("accepts files and functions at their limits", () => {
    expect(checkSizes(plantTree(Object.fromEntries(CLEAN)))).toEqual({ checked: CLEAN.length - 1, findings: [] });
  });

  const { findings } = checkSizes(plantTree(Object.fromEntries(PLANTED.map(([, path, text]) => [path, text]))));

  it.each(PLANTED)("rejects with %s one line more in %s", (rule, path) => {
    expect(rulesFor(findings, path)).toEqual([rule]);
  });

  it("checks nothing in an empty tree and says so", () => {
    expect(checkSizes(plantTree({})).checked).toBe(0);
  });
});
