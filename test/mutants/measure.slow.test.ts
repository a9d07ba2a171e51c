import picomatch from "picomatch";
import { expect, it } from "vitest";
import { countsOf, survivorsOf, tableOf } from "../../scripts/mutants/report.mjs";
import { measureMutants } from "../../scripts/mutants/run.mjs";
import { plantTree } from "../gates/tree.ts";

const FILES = {
  "src/tested.ts": "export function isTall(size: number): boolean {\n  return size > 10;\n}\n",
  "src/spoiling.ts":
    "export function isDeep(size: number): boolean {\n  const is = size > 10;\n  if (is) Object.assign(globalThis, { wasDeep: true });\n  return is;\n}\n",
  "src/untested.ts": "export function isWide(size: number): boolean {\n  return size > 10;\n}\n",
  "src/table.ts":
    "const WORDS = /^wide$/u;\nexport function isWord(text: string): boolean {\n  return WORDS.test(text);\n}\n",
  "src/endless.ts":
    "export function count(to: number): number {\n  let at = 0;\n  while (at !== to) {\n    at = at + 1;\n  }\n  return at;\n}\n",
  "test/sizes.test.ts": [
    'import { expect, it } from "vitest";',
    'import { isDeep } from "../src/spoiling.ts";',
    'import { count } from "../src/endless.ts";',
    'import { isWord } from "../src/table.ts";',
    'import { isTall } from "../src/tested.ts";',
    'import { isWide } from "../src/untested.ts";',
    'it("is tall", () => expect([9, 10, 11].map(isTall)).toEqual([false, false, true]));',
    'it("is deep", () => expect([9, 10].map(isDeep)).toEqual([false, false]));',
    'it("is wide where nothing is deep", () => { isWide(3); expect(globalThis).not.toHaveProperty("wasDeep"); });',
    'it("is not wide", () => { expect(isWide(10)).toBe(true); });',
    'it("is a word", () => expect(["wide", "widen", "awide"].map(isWord)).toEqual([true, false, false]));',
    'it("counts", () => expect(count(3)).toBe(3));',
  ].join("\n"),
};

async function measure(files: readonly string[], operators: readonly string[]) {
  const failing: string[] = [];
  const results = await measureMutants({
    root: plantTree(FILES, { packages: true, config: ["vitest.config.ts"] }),
    areas: files.map((file) => ({ area: file, matches: picomatch(file) })),
    takes: ({ operator }: { readonly operator: string }) => operators.includes(operator),
    sample: 4,
    seed: 1,
    boundMs: 20_000,
    limitMs: Number.POSITIVE_INFINITY,
    slow: false,
    cache: undefined,
    onResult: () => undefined,
    onFailure: (what: string) => failing.push(what),
  });
  return { results, failing };
}

it("what a test fails with is noticed, and nothing that fails without it", { timeout: 120_000 }, async () => {
  const paths = ["src/tested.ts", "src/spoiling.ts", "src/untested.ts", "src/table.ts"];
  const { results, failing } = await measure(paths, ["boundary moved", "anchor dropped"]);
  expect(failing).toEqual([expect.stringMatching(/^test\/sizes\.test\.ts: is not wide: expected false to be true/u)]);
  // A table is made while its module loads; what one mutant left in the process counts for no other.
  expect(results.map(({ path, verdict, by }) => [path, verdict, by])).toEqual([
    ["src/tested.ts", "noticed", "test/sizes.test.ts: is tall"],
    ["src/spoiling.ts", "noticed", "test/sizes.test.ts: is deep"],
    ["src/untested.ts", "survived", undefined],
    ["src/table.ts", "noticed", "test/sizes.test.ts: is a word"],
  ]);
  expect(countsOf(results)).toMatchObject({ judged: 4, noticed: 3, survived: 1, share: 75 });
  expect(tableOf(results)).toContain("| all | 4 | 3 | 0 | 1 | 75% |");
  expect(survivorsOf(results)).toBe("src/untested.ts:2 boundary moved\n  - >\n  + >=");
});

it("a mutant that never ends is ended, and the next one is judged", { timeout: 120_000 }, async () => {
  const { results } = await measure(["src/endless.ts"], ["off by one", "condition inverted"]);
  expect(results.map(({ verdict }) => verdict).toSorted()).toEqual(["noticed", "timeout"]);
});
