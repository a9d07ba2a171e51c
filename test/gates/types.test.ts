import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkTypes } from "../../scripts/gates/types.mjs";
import { plantTree, rulesFor } from "./tree.ts";

const OPTIONS = { config: ["tsconfig.json"], packages: true };

const PLANTED: readonly (readonly [flag: string, rule: string, text: string])[] = [
  ["strictNullChecks", "TS18048", "export const length = (text: string | undefined): number => text.length;\n"],
  ["noImplicitAny", "TS7006", "export function same(value) {\n  return value;\n}\n"],
  ["noUncheckedIndexedAccess", "TS2322", "export const first = (words: readonly string[]): string => words[0];\n"],
  ["exactOptionalPropertyTypes", "TS2375", "export const note: { readonly pin?: boolean } = { pin: undefined };\n"],
  [
    "noPropertyAccessFromIndexSignature",
    "TS4111",
    "export const read = (words: Record<string, string>) => words.name;\n",
  ],
  ["noImplicitOverride", "TS4114", "class A {\n  go(): void {}\n}\nexport class B extends A {\n  go(): void {}\n}\n"],
  ["noImplicitReturns", "TS7030", "export function pick(yes: boolean) {\n  if (yes) return 1;\n}\n"],
  [
    "noFallthroughCasesInSwitch",
    "TS7029",
    "export function act(kind: string, go: () => void): void {\n  switch (kind) {\n    case 'a':\n      go();\n    case 'b':\n      go();\n  }\n}\n",
  ],
  ["noUnusedLocals", "TS6133", "const spare = 1;\nexport const used = 2;\n"],
  ["noUnusedParameters", "TS6133", "export const one = (spare: number): number => 1;\n"],
  [
    "verbatimModuleSyntax",
    "TS1484",
    'import { Port } from "./port.ts";\nexport const use = (port: Port): Port => port;\n',
  ],
  ["erasableSyntaxOnly", "TS1294", "export enum Kind {\n  User,\n}\n"],
];

const CLEAN = { "src/port.ts": "export interface Port {\n  readonly name: string;\n}\n" };

describe("the type gate", () => {
  const files = Object.fromEntries(PLANTED.map(([flag, , text]) => [`src/${flag}.ts`, text]));
  const { findings } = checkTypes(plantTree({ ...CLEAN, ...files }, OPTIONS));

  it.each(PLANTED)("rejects what %s forbids with %s", (flag, rule) => {
    expect(rulesFor(findings, `src/${flag}.ts`)).toContain(rule);
  });

  it("accepts a clean tree", () => {
    expect(checkTypes(plantTree(CLEAN, OPTIONS))).toEqual({ checked: 1, findings: [] });
  });

  it("with a memory of its last run, rejects again what is still wrong and accepts it once it is right", () => {
    const root = plantTree(
      { ...CLEAN, "package.json": '{ "type": "module" }', "src/wrong.ts": 'export const size: number = "x";\n' },
      OPTIONS,
    );
    const memory = join(root, "types.json");
    for (const round of ["first", "second"])
      expect([round, ...rulesFor(checkTypes(root, memory).findings, "src/wrong.ts")]).toEqual([round, "TS2322"]);
    writeFileSync(join(root, "src/wrong.ts"), "export const size: number = 1;\n");
    expect(checkTypes(root, memory).findings).toEqual([]);
  });

  it("checks nothing in an empty tree and says so", () => {
    expect(checkTypes(plantTree({}, OPTIONS)).checked).toBe(0);
  });
});
