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
  "src/core/recall/rank.ts":
    'import { model } from "../models/model.ts";\nimport { note } from "../notes/note.ts";\nexport const rank = [model, note];\n',
  "src/core/capture/plan.ts": 'import { turn } from "../transcripts/turn.ts";\nexport const plan = turn;\n',
  "src/adapters/files/disk.ts":
    'import { readFileSync } from "node:fs";\nimport { note } from "../../core/notes/note.ts";\nexport const disk = [readFileSync, note];\n',
  "src/adapters/sqlite/driver.ts":
    'import alpha from "alpha";\nimport { rows } from "./rows.ts";\nexport const driver = [alpha, rows];\n',
  "src/adapters/sqlite/rows.ts": 'import alpha from "alpha/index.js";\nexport const rows = alpha;\n',
  "src/app/notes/remember.ts":
    'import { plan } from "../../core/capture/plan.ts";\nimport { rank } from "../../core/recall/rank.ts";\nimport { place } from "../workspace/locations.ts";\nexport const remember = [plan, rank, place];\n',
  "src/app/workspace/locations.ts":
    'import { disk } from "../../adapters/files/disk.ts";\nexport const place = disk;\n',
  "src/app/models/open-model.ts":
    'import { driver } from "../../adapters/sqlite/driver.ts";\nimport path from "node:path";\nexport const opened = [driver, path];\n',
  "src/app/memory.ts":
    'import { opened } from "./models/open-model.ts";\nimport { remember } from "./notes/remember.ts";\nexport const memory = [opened, remember];\n',
  "src/surfaces/cli/main.ts":
    'import { memory } from "../../app/memory.ts";\nimport type { rank } from "../../core/recall/rank.ts";\nimport { limit } from "../../core/shared/text.ts";\nexport type Rank = typeof rank;\nexport const main = [memory, limit];\n',
  "src/surfaces/mcp/server.ts": 'import { memory } from "../../app/memory.ts";\nexport const server = memory;\n',
  "src/index.ts": 'export { memory } from "./app/memory.ts";\nexport { note } from "./core/notes/note.ts";\n',
  "src/bin.ts":
    'import { limit } from "./core/shared/text.ts";\nvoid import("./surfaces/cli/main.ts");\nexport const bin = limit;\n',
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
  ["core-imports-core-only", "src/core/notes/planted.ts", "import type", "../../app/memory.ts"],
  ["core-imports-core-only", "src/core/notes/planted.ts", "import()", "../../surfaces/cli/main.ts"],
  ["hash-imports-crypto-only", "src/core/shared/hash.ts", "import", "node:fs"],
  ["core-shared-stands-alone", "src/core/shared/planted.ts", "import", "../notes/note.ts"],
  ["core-foundation-below-features", "src/core/notes/planted.ts", "import", "../recall/rank.ts"],
  ["core-foundation-below-features", "src/core/transcripts/planted.ts", "import type", "../capture/plan.ts"],
  ["core-foundation-below-features", "src/core/models/planted.ts", "import", "../recall/rank.ts"],
  ["core-foundation-below-features", "src/core/models/planted.ts", "import type", "../capture/plan.ts"],
  ["core-imports-core-only", "src/core/models/planted.ts", "import", "node:http"],
  ["core-features-stand-apart", "src/core/recall/planted.ts", "import", "../capture/plan.ts"],
  ["core-features-stand-apart", "src/core/capture/planted.ts", "import type", "../recall/rank.ts"],
  ["core-features-stand-apart", "src/core/dream/planted.ts", "import", "../recall/rank.ts"],
  ["core-features-stand-apart", "src/core/sync/planted.ts", "import()", "../capture/plan.ts"],
  ["core-features-stand-apart", "src/core/instructions/planted.ts", "import", "../recall/rank.ts"],
  ["core-imports-core-only", "src/core/capture/planted.ts", "import", "../../app/notes/remember.ts"],
  ["app-features-downwards", "src/app/workspace/planted.ts", "import", "../notes/remember.ts"],
  ["app-features-downwards", "src/app/recall/planted.ts", "import type", "../capture/planted.ts"],
  ["app-features-downwards", "src/app/models/planted.ts", "import()", "../recall/planted.ts"],
  ["app-features-downwards", "src/app/care/planted.ts", "import", "../memory.ts"],
  ["app-feature-in-the-order", "src/app/nowhere/planted.ts", "import", "../../core/notes/note.ts"],
  ["app-imports-no-surface", "src/app/memory.ts", "import", "../surfaces/cli/main.ts"],
  ["app-imports-no-surface", "src/app/workspace/locations.ts", "import type", "../../surfaces/cli/main.ts"],
  ["app-pure-but-what-is-listed", "src/app/notes/planted.ts", "import", "../../adapters/files/disk.ts"],
  ["app-pure-but-what-is-listed", "src/app/recall/planted.ts", "import", "node:fs"],
  ["app-pure-but-what-is-listed", "src/app/recall/planted.ts", "import", "alpha"],
  ["listed-for-nothing", "src/app/workspace/locations.ts", "import", "../../core/notes/note.ts"],
  ["no-circle-of-folders", "src/core/notes/planted.ts", "import", "../transcripts/turn.ts"],
  ["adapters-import-core-only", "src/adapters/files/planted.ts", "import", "../sqlite/driver.ts"],
  ["adapters-import-core-only", "src/adapters/files/planted.ts", "import type", "../../app/memory.ts"],
  ["adapters-import-core-only", "src/adapters/files/planted.ts", "import", "../../surfaces/cli/main.ts"],
  ["surfaces-import-app-and-core-only", "src/surfaces/cli/planted.ts", "import", "../mcp/server.ts"],
  ["surfaces-import-app-and-core-only", "src/surfaces/cli/planted.ts", "import", "../../adapters/files/disk.ts"],
  ["surfaces-import-types-of-core-only", "src/surfaces/cli/planted.ts", "import", "../../core/recall/rank.ts"],
  ["surfaces-import-types-of-core-only", "src/surfaces/mcp/planted.ts", "export from", "../../core/notes/note.ts"],
  ["surfaces-import-types-of-core-only", "src/bin.ts", "import()", "./core/recall/rank.ts"],
  ["only-app-imports-adapters", "src/surfaces/cli/planted.ts", "import()", "../../adapters/files/disk.ts"],
  ["only-app-imports-adapters", "src/bin.ts", "import", "./adapters/files/disk.ts"],
  ["index-imports-app-and-core-only", "src/index.ts", "import", "./surfaces/cli/main.ts"],
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
  "src/app/capture/planted.ts": "export const planted = 1;\n",
  "src/app/recall/planted.ts": "export const planted = 1;\n",
  "src/core/shared/planted.ts": 'import { limit } from "./text.ts";\nexport const planted = limit;\n',
};

/** What these rules name is a folder. */
const WHERE: Readonly<Record<string, string>> = {
  "package-in-one-folder": "src/adapters/files",
  "no-circle-of-folders": "src/core/notes",
};

describe("the boundary gate", () => {
  it("accepts a clean tree, having looked at every file of it", async () => {
    const sources = Object.keys(CLEAN).filter((path) => path.startsWith("src/"));
    expect(await checkBoundaries(plantTree(CLEAN))).toEqual({ checked: sources.length, findings: [] });
  });

  it.each(PLANTED)("rejects with %s that %s has an %s of %s", async (rule, path, form, target) => {
    const { findings } = await checkBoundaries(plantTree({ ...CLEAN, ...TARGETS, [path]: FORMS[form](target) }));
    const found = findings.filter((finding) => finding.rule === rule);
    const where = WHERE[rule] ?? path;
    expect(found.map((finding) => `${finding.path} ${finding.message}`).join("\n")).toContain(where);
  });

  it("rejects a benchmark that loads a module whose source is gone, and accepts one that loads what is there", async () => {
    const bench = (module: string): string => `export const built = await load("core/notes/${module}.js");\n`;
    const { findings } = await checkBoundaries(
      plantTree({ ...CLEAN, "bench/kept.mjs": bench("note"), "bench/stale.mjs": bench("moved") }),
    );
    expect(findings).toEqual([
      { rule: "no-such-module", path: "bench/stale.mjs", message: "src/core/notes/moved.ts does not exist" },
    ]);
  });

  it("checks nothing where there is no source and says so", async () => {
    expect((await checkBoundaries(plantTree({ "src/readme.md": "none\n" }))).checked).toBe(0);
  });
});
