import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const COMMAND = join(PROJECT, "dist", "memdir.cjs");

/** Says on standard error which data files are loaded. */
const NAMES_WEIGHTS = `
const { _extensions } = require("node:module");
const load = _extensions[".json"];
_extensions[".json"] = (module, file) => {
  if (/learned-weights\\.json$/.test(file)) process.stderr.write("weights read\\n");
  load(module, file);
};`;

it.skipIf(!fs.existsSync(COMMAND))("Only a command that judges a statement reads the learnt weights.", () => {
  const root = scratch();
  fs.writeFileSync(`${root}/names-weights.cjs`, NAMES_WEIGHTS);
  const reads = (...args: readonly string[]): boolean => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--require", `${root}/names-weights.cjs`, COMMAND, ...args],
      {
        cwd: root,
        env: emptyHome(root),
        encoding: "utf8",
        input: "",
      },
    );
    expect([args, status]).toEqual([args, 0]);
    return stderr.includes("weights read");
  };
  expect(reads("remember", "The office closes at six in the evening")).toBe(true);
  expect(["list", "status", "mcp"].filter((name) => reads(name))).toEqual([]);
});
