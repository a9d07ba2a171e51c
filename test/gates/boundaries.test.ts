import { describe, expect, it } from "vitest";
import { checkBoundaries } from "../../scripts/gates/boundaries.mjs";
import { plantTree } from "./tree.ts";

/** A small package to import. */
function installed(name: string): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
    [`node_modules/${name}/index.js`]: "module.exports = {};\n",
  };
}

const CLEAN = {
  "package.json": JSON.stringify({ dependencies: { alpha: "1" }, devDependencies: { beta: "1" } }),
  ...installed("alpha"),
  ...installed("beta"),
  "src/core/shared/text.ts": "export const limit = 1;\n",
  "src/core/shared/hash.ts": 'import { createHash } from "node:crypto";\nexport const hash = createHash;\n',
  "src/core/notes/note.ts": 'import { limit } from "../shared/text.ts";\nexport const note = limit;\n',
  "src/core/transcripts/turn.ts": 'import { note } from "../notes/note.ts";\nexport const turn = note;\n',
  "src/core/models/model.ts": 'import { limit } from "../shared/text.ts";\nexport const model = limit;\n',
  "src/core/recall/rank.ts": 'import { model } from "../models/model.ts";\nimport { note } from "../notes/note.ts";\nexport const rank = [model, note];\n',
  "src/core/capture/plan.ts": 'import { turn } from "../transcripts/turn.ts";\nexport const plan = turn;\n',
  "src/core/memory/remember.ts": 'import { plan } from "../capture/plan.ts";\nimport { rank } from "../recall/rank.ts";\nexport const remember = [plan, rank];\n',
  "src/adapters/files/disk.ts": 'import { readFileSync } from "node:fs";\nimport { note } from "../../core/notes/note.ts";\nexport const disk = [readFileSync, note];\n',
  "src/adapters/sqlite/driver.ts": 'import alpha from "alpha";\nimport { rows } from "./rows.ts";\nexport const driver = [alpha, rows];\n',
  "src/adapters/sqlite/rows.ts": 'import alpha from "alpha/index.js";\nexport const rows = alpha;\n',
  "src/compose/parts.ts": 'import { disk } from "../adapters/files/disk.ts";\nexport const parts = disk;\n',
  "src/compose.ts": 'import { parts } from "./compose/parts.ts";\nimport { disk } from "./adapters/files/disk.ts";\nimport { driver } from "./adapters/sqlite/driver.ts";\nexport const memory = [disk, driver, parts];\n',
  "src/surfaces/cli/main.ts": 'import { memory } from "../../compose.ts";\nimport { rank } from "../../core/recall/rank.ts";\nexport const main = [memory, rank];\n',
  "src/surfaces/mcp/server.ts": 'import { memory } from "../../compose.ts";\nexport const server = memory;\n',
  "src/index.ts": 'export { memory } from "./compose.ts";\nexport { note } from "./core/notes/note.ts";\n',
  "src/bin.ts": 'import { rank } from "./core/recall/rank.ts";\nvoid import("./surfaces/cli/main.ts");\nexport const bin = rank;\n',
};

const FORMS = {
  import: (target: string) => `import * as other from "${target}";\nexport const planted = other;\n`,
  "import type": (target: string) => `import type * as other from "${target}";\nexport type Planted = typeof other;\n`,
  "import()": (target: string) => `export const planted = import("${target}");\n`,
  "export from": (target: string) => `export * from "${target}";\n`,
} as const;

const PLANTED: readonly (readonly [rule: string, path: string, form: keyof typeof FORMS, target: string])[] = [
  ["core-imports-core-only", "src/core/notes/planted.ts", "import", "node:fs"],
  ["core-imports-core-only", "src/core/notes/planted.ts", "import", "node:crypto"],
  ["core-imports-core-only", "src/core/notes/planted.ts", "import", "alpha"],
  ["core-imports-core-only", "src/core/notes/planted.ts", "import", "../../adapters/files/disk.ts"],
  ["core-imports-core-only", "src/core/notes/planted.ts", "import type", "../../compose.ts"],
  ["core-imports-core-only", "src/core/notes/planted.ts", "import()", "../../surfaces/cli/main.ts"],
  ["hash-imports-crypto-only", "src/core/shared/hash.ts", "import", "node:fs"],
  ["core-shared-stands-alone", "src/core/shared/planted.ts", "import", "../notes/note.ts"],
  ["core-foundation-below-features", "src/core/notes/planted.ts", "import", "../recall/rank.ts"],
  ["core-foundation-below-features", "src/core/transcripts/planted.ts", "import type", "../capture/plan.ts"],
  ["core-foundation-below-features", "src/core/models/planted.ts", "import", "../recall/rank.ts"],
  ["core-foundation-below-features", "src/core/models/planted.ts", "import type", "../memory/remember.ts"],
  ["core-imports-core-only", "src/core/models/planted.ts", "import", "node:http"],
  ["core-features-stand-apart", "src/core/recall/planted.ts", "import", "../capture/plan.ts"],
  ["core-features-stand-apart", "src/core/capture/planted.ts", "import type", "../recall/rank.ts"],
  ["core-features-stand-apart", "src/core/dream/planted.ts", "import", "../recall/rank.ts"],
  ["core-features-stand-apart", "src/core/sync/planted.ts", "import()", "../capture/plan.ts"],
  ["core-features-stand-apart", "src/core/instructions/planted.ts", "import", "../recall/rank.ts"],
  ["core-features-stand-apart", "src/core/recall/planted.ts", "import type", "../memory/remember.ts"],
  ["core-foundation-below-features", "src/core/notes/planted.ts", "import", "../memory/remember.ts"],
  ["core-imports-core-only", "src/core/memory/planted.ts", "import", "../../adapters/files/disk.ts"],
  ["adapters-import-core-only", "src/adapters/files/planted.ts", "import", "../sqlite/driver.ts"],
  ["adapters-import-core-only", "src/adapters/files/planted.ts", "import type", "../../compose.ts"],
  ["adapters-import-core-only", "src/adapters/files/planted.ts", "import", "../../surfaces/cli/main.ts"],
  ["surfaces-import-core-and-compose-only", "src/surfaces/cli/planted.ts", "import", "../mcp/server.ts"],
  ["surfaces-import-core-and-compose-only", "src/surfaces/cli/planted.ts", "import", "../../adapters/files/disk.ts"],
  ["only-compose-imports-adapters", "src/surfaces/cli/planted.ts", "import()", "../../adapters/files/disk.ts"],
  ["only-compose-imports-adapters", "src/bin.ts", "import", "./adapters/files/disk.ts"],
  ["compose-imports-no-surface", "src/compose.ts", "import", "./surfaces/cli/main.ts"],
  ["compose-imports-no-surface", "src/compose/parts.ts", "import", "../surfaces/cli/main.ts"],
  ["index-imports-core-and-compose-only", "src/index.ts", "import", "./surfaces/cli/main.ts"],
  ["no-entry-imported", "src/surfaces/cli/planted.ts", "import type", "../../index.ts"],
  ["source-stays-in-source", "src/surfaces/cli/planted.ts", "import", "../../../test/planted.ts"],
  ["no-development-packages", "src/adapters/files/planted.ts", "import", "beta"],
  ["no-unresolved-imports", "src/adapters/files/planted.ts", "import", "./nowhere.ts"],
  ["no-cycles", "src/core/shared/text.ts", "import type", "../shared/planted.ts"],
  ["package-in-one-folder", "src/adapters/files/planted.ts", "import", "alpha"],
  ["package-in-one-folder", "src/adapters/files/planted.ts", "export from", "alpha/index.js"],
];

/** What some of the planted imports lead to. */
const TARGETS = {
  "test/planted.ts": "export const planted = 1;\n",
  "src/core/shared/planted.ts": 'import { limit } from "./text.ts";\nexport const planted = limit;\n',
};

describe("the boundary gate", () => {
  it("accepts a clean tree, having looked at every file of it", async () => {
    const sources = Object.keys(CLEAN).filter((path) => path.startsWith("src/"));
    expect(await checkBoundaries(plantTree(CLEAN))).toEqual({ checked: sources.length, findings: [] });
  });

  it.each(PLANTED)("rejects with %s that %s has an %s of %s", async (rule, path, form, target) => {
    const { findings } = await checkBoundaries(plantTree({ ...CLEAN, ...TARGETS, [path]: FORMS[form](target) }));
    const found = findings.filter((finding) => finding.rule === rule);
    const where = rule === "package-in-one-folder" ? "src/adapters/files" : path;
    expect(found.map((finding) => `${finding.path} ${finding.message}`).join("\n")).toContain(where);
  });

  it("checks nothing where there is no source and says so", async () => {
    expect((await checkBoundaries(plantTree({ "src/readme.md": "none\n" }))).checked).toBe(0);
  });
});
