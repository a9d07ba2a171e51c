import picomatch from "picomatch";
import { expect, it } from "vitest";
import { countsOf, survivorsOf, tableOf } from "../../scripts/mutants/report.mjs";
import { measureMutants } from "../../scripts/mutants/run.mjs";
import { plantTree } from "../gates/tree.ts";

const FILES = {
  "src/tested.ts": "export function isTall(size: number): boolean {\n  return size > 10;\n}\n",
  "src/untested.ts": "export function isWide(size: number): boolean {\n  return size > 10;\n}\n",
  "src/endless.ts":
    "export function count(to: number): number {\n  let at = 0;\n  while (at !== to) {\n    at = at + 1;\n  }\n  return at;\n}\n",
  "test/sizes.test.ts": [
    'import { expect, it } from "vitest";',
    'import { count } from "../src/endless.ts";',
    'import { isTall } from "../src/tested.ts";',
    'import { isWide } from "../src/untested.ts";',
    'it("is tall", () => expect([9, 10, 11].map(isTall)).toEqual([false, false, true]));',
    'it("is wide", () => { isWide(3); });',
    'it("counts", () => expect(count(3)).toBe(3));',
  ].join("\n"),
};

async function measure(files: string, takes: (mutant: { readonly operator: string }) => boolean) {
  return measureMutants({
    root: plantTree(FILES, { packages: true, config: ["vitest.config.ts"] }),
    areas: [{ area: files, matches: picomatch(files) }],
    takes,
    sample: 3,
    seed: 1,
    boundMs: 20_000,
    wholeFileMs: 5_000,
    graceMs: 3_000,
    limitMs: 60_000,
    slow: false,
    cache: undefined,
    onResult: () => undefined,
  });
}

it(
  "a tested function's mutant is noticed, that of a function without a test survives",
  { timeout: 60_000 },
  async () => {
    const tested = await measure("src/tested.ts", ({ operator }) => operator === "boundary moved");
    expect(tested).toMatchObject([{ verdict: "noticed", by: "test/sizes.test.ts: is tall", line: 2 }]);
    const untested = await measure("src/untested.ts", ({ operator }) => operator === "boundary moved");
    expect(untested).toMatchObject([{ verdict: "survived", line: 2 }]);
    expect(countsOf([...tested, ...untested])).toMatchObject({ judged: 2, noticed: 1, survived: 1, share: 50 });
    expect(tableOf([...tested, ...untested])).toContain("| all | 2 | 1 | 0 | 1 | 50% |");
    expect(survivorsOf([...tested, ...untested])).toBe("src/untested.ts:2 boundary moved\n  - >\n  + >=");
  },
);

it("a mutant that never ends is ended, and the next one is judged", { timeout: 120_000 }, async () => {
  const results = await measure("src/endless.ts", ({ operator }) =>
    ["off by one", "condition inverted"].includes(operator),
  );
  expect(results.map(({ verdict }) => verdict).toSorted()).toEqual(["noticed", "timeout"]);
});
