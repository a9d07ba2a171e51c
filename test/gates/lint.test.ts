import { describe, expect, it } from "vitest";
import { checkLint } from "../../scripts/gates/lint.mjs";
import { plantTree, rulesFor } from "./tree.ts";

const OPTIONS = { config: [".oxlintrc.json"] };

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  [
    "eslint(no-empty)",
    "src/empty-catch.ts",
    "export function go(work: () => void): void {\n  try {\n    work();\n  } catch {}\n}\n",
  ],
  ["eslint(no-empty)", "src/empty-branch.ts", "export function go(yes: boolean): void {\n  if (yes) {\n  }\n}\n"],
  ["eslint(no-unused-vars)", "src/unused-local.ts", "const spare = 1;\nexport const used = 2;\n"],
  ["eslint(no-unused-vars)", "src/unused-parameter.ts", "export const one = (spare: number): number => 1;\n"],
  [
    "eslint(no-unused-vars)",
    "src/unused-error.ts",
    "export function go(work: () => void): boolean {\n  try {\n    work();\n    return true;\n  } catch (error) {\n    return false;\n  }\n}\n",
  ],
  ["typescript(no-explicit-any)", "src/any.ts", "export const read = (value: any): string => String(value);\n"],
  [
    "typescript(no-non-null-assertion)",
    "src/bang.ts",
    "export const first = (words: readonly string[]): string => words[0]!;\n",
  ],
  ["typescript(ban-ts-comment)", "src/ignored.ts", "// @ts-ignore\nexport const count: number = 'one';\n"],
  [
    "typescript(consistent-type-imports)",
    "src/type-import.ts",
    'import { Port } from "./port.ts";\nexport const use = (port: Port): Port => port;\n',
  ],
  ["import(no-default-export)", "src/default.ts", "export default function go(): void {}\n"],
  ["node(no-process-env)", "src/adapters/files/home.ts", 'export const home = process.env["HOME"];\n'],
  ["node(no-process-env)", "src/app/recall/home.ts", 'export const home = process.env["HOME"];\n'],
  ["eslint(no-restricted-globals)", "src/app/notes/zone.ts", "export const platform = process.platform;\n"],
  ["eslint(no-restricted-globals)", "src/app/recall/fetched.ts", 'export const page = fetch("https://example.com");\n'],
  ["eslint(no-restricted-globals)", "src/core/notes/zone.ts", "export const platform = process.platform;\n"],
  ["eslint(no-restricted-globals)", "src/core/notes/fetched.ts", 'export const page = fetch("https://example.com");\n'],
  ["eslint(no-console)", "src/talk.ts", 'console.log("hello");\n'],
  ["eslint(eqeqeq)", "src/loose.ts", "export const same = (a: string, b: string): boolean => a == b;\n"],
  ["eslint(no-var)", "src/var.ts", "export var count = 1;\n"],
  ["eslint(prefer-const)", "src/let.ts", "let count = 1;\nexport { count };\n"],
  ["eslint(no-dupe-keys)", "src/correctness.ts", "export const pair = { a: 1, a: 2 };\n"],
  [
    "unicorn(no-array-sort)",
    "src/suspicious.ts",
    "export const sorted = (words: string[]): string[] => words.sort();\n",
  ],
  ["eslint(no-misleading-character-class)", "src/pair.ts", "export const thumb = /[👍]/;\n"],
  ["unused-disable-directive", "src/excuse.ts", "// oxlint-disable-next-line no-console\nexport const quiet = true;\n"],
  [
    "vitest(no-focused-tests)",
    "test/only.test.ts",
    'import { expect, it } from "vitest";\nit.only("counts", () => {\n  expect(1).toBe(1);\n});\n',
  ],
  [
    "vitest(valid-expect)",
    "test/idle.test.ts",
    'import { expect, it } from "vitest";\nit("counts", () => {\n  expect(1);\n});\n',
  ],
  ["typescript(no-explicit-any)", "bench/any.ts", "export const read = (value: any): string => String(value);\n"],
  ["eslint(no-empty)", "scripts/empty-catch.mjs", "try {\n  JSON.parse('{');\n} catch {}\n"],
];

const CLEAN = {
  "src/port.ts": "export interface Port {\n  readonly name: string;\n}\n",
  "src/app/workspace/locations.ts": 'export const config = process.env["MEMDIR_CONFIG"];\n',
  "src/bin.ts": 'export const home = process.env["HOME"];\n',
};

describe("the lint gate", () => {
  const files = Object.fromEntries(PLANTED.map(([, path, text]) => [path, text]));
  const { findings } = checkLint(plantTree({ ...CLEAN, ...files }, OPTIONS));

  it.each(PLANTED)("rejects with %s what is planted in %s", (rule, path) => {
    expect(rulesFor(findings, path)).toContain(rule);
  });

  it("finds nothing in the clean files beside them", () => {
    expect(Object.keys(CLEAN).flatMap((path) => rulesFor(findings, path))).toEqual([]);
  });

  it("accepts a clean tree", () => {
    expect(checkLint(plantTree(CLEAN, OPTIONS))).toEqual({ checked: 3, findings: [] });
  });

  it("checks nothing in an empty tree and says so", () => {
    expect(checkLint(plantTree({}, OPTIONS)).checked).toBe(0);
  });
});
