import { describe, expect, it } from "vitest";
import { checkUnused } from "../../scripts/gates/unused.mjs";
import { plantTree, rulesFor } from "./tree.ts";

const OPTIONS = { config: ["knip.json", "tsconfig.json"], packages: true };

const CLEAN = {
  "package.json": JSON.stringify({ type: "module", dependencies: { yaml: "2" } }),
  "src/index.ts":
    'import { parse } from "yaml";\nimport { used } from "./used.ts";\nexport const read = [parse, used];\n',
  "src/used.ts": "export const used = 1;\n",
};

const PLANTED = {
  "package.json": JSON.stringify({ type: "module", dependencies: { yaml: "2", "node-diff3": "3" } }),
  "src/used.ts": "export const used = 1;\nexport const spare = 2;\nexport type Spare = string;\n",
  "src/nobody.ts": "export const lonely = 1;\n",
  "bench/speed.mjs": 'import "chrono-node";\n',
  "scripts/lib/nobody.mjs": "export const lonely = 1;\n",
};

describe("the unused-code gate", () => {
  const { findings } = checkUnused(plantTree({ ...CLEAN, ...PLANTED }, OPTIONS));

  it.each([
    ["unused-files", "src/nobody.ts"],
    ["unused-files", "scripts/lib/nobody.mjs"],
    ["unused-exports", "src/used.ts"],
    ["unused-types", "src/used.ts"],
    ["unused-dependencies", "package.json"],
    ["unused-unlisted", "bench/speed.mjs"],
  ])("rejects with %s what is planted in %s", (rule, path) => {
    expect(rulesFor(findings, path)).toContain(rule);
  });

  it("accepts a clean tree", () => {
    expect(checkUnused(plantTree(CLEAN, OPTIONS)).findings).toEqual([]);
  });
});
