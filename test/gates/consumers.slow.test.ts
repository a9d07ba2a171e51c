import { expect, it } from "vitest";
import { checkConsumers } from "../../scripts/gates/consumers.mjs";
import { plantTree } from "./tree.ts";

const MANIFEST = JSON.stringify({
  name: "memdir",
  type: "module",
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
});
const CODE = `export const openMemory = () => ({
  remember: async () => {},
  recall: () => ({ text: "Thursdays" }),
  close: () => {},
});
`;
const TYPES = `export declare function openMemory(options?: { readonly dir?: string }): {
  remember(input: { readonly body: string; readonly type?: string }): Promise<void>;
  recall(prompt: string): { readonly text: string };
  close(): void;
};
`;

/** What is found of a package with this code and these types. */
function found(code: string, types: string): readonly string[] {
  const root = plantTree({
    "node_modules/memdir/package.json": MANIFEST,
    "node_modules/memdir/index.js": code,
    "node_modules/memdir/index.d.ts": types,
  });
  return checkConsumers(root).findings.map(({ rule, path }) => `${rule} ${path}`);
}

it("Programs of each kind are compiled and run, and what does not compile or does not find its note is named.", () => {
  const all = ["module.mjs", "common.cjs", "strict.mjs", "strict-common.cjs"].map((file) => `run ${file}`);
  const compile = "compile strict.mts, strict-common.cts";
  expect(found(CODE, TYPES)).toEqual([]);
  expect(found(CODE.replace("Thursdays", "Fridays"), TYPES)).toEqual(all);
  expect(found(CODE, `import type { Gone } from "./gone.js";\nexport type Here = Gone;\n${TYPES}`)).toEqual([compile]);
}, 120_000);
