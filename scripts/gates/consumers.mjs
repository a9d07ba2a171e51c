/**
 * Programs that use the installed package, each compiled and run: ES modules, CommonJS, and the strictest TypeScript in
 * both. Usage: node scripts/gates/consumers.mjs FOLDER, where FOLDER/node_modules has the package
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { isMain, report } from "./report.mjs";

/** The newest compiler, which takes a tenth of the time; the gate `declarations` uses the previous one. */
const COMPILER = join(dirname(createRequire(import.meta.url).resolve("typescript-7/package.json")), "bin", "tsc");
const NODE_TYPES = join(import.meta.dirname, "..", "..", "node_modules", "@types");

/** Saves a note, finds it again, and ends with 1 if it is not found. */
const ROUND_TRIP = `async function main() {
  const memory = openMemory({ dir: process.argv[2] ?? "." });
  await memory.remember({ body: "Releases are cut on Thursdays", type: "project" });
  const { text } = await memory.recall("when are releases cut?");
  await memory.close();
  if (!text.includes("Thursdays")) process.exitCode = 1;
}
void main();
`;

/** Programs by file; `names` are the package's entries. */
export function programs(names) {
  const others = names.filter((name) => name !== "memdir");
  const imports = others.map((name) => `import ${JSON.stringify(name)};\n`).join("");
  const requires = others.map((name) => `require(${JSON.stringify(name)});\n`).join("");
  return {
    "module.mjs": `import { openMemory } from "memdir";\n${imports}${ROUND_TRIP}`,
    "common.cjs": `const { openMemory } = require("memdir");\n${requires}${ROUND_TRIP}`,
    "strict.mts": `import { openMemory } from "memdir";\n${ROUND_TRIP}`,
    "strict-common.cts": `import { openMemory } from "memdir";\n${ROUND_TRIP}`,
  };
}

const STRICT = {
  module: "NodeNext",
  moduleResolution: "NodeNext",
  target: "ES2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  types: ["node"],
  typeRoots: [NODE_TYPES],
};

function run(cwd, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, HOME: join(cwd, "home"), USERPROFILE: join(cwd, "home") },
    encoding: "utf8",
  });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim() || `ended with ${status}`;
}

/** @param {string} folder a folder whose node_modules contains the package */
export function checkConsumers(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules", "memdir", "package.json"), "utf8"));
  const names = Object.keys(manifest.exports).map((entry) => entry.replace(/^\./u, "memdir"));
  const place = mkdtempSync(join(folder, "consumers-"));
  try {
    const files = programs(names);
    const typed = Object.keys(files).filter((file) => /\.[cm]ts$/u.test(file));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions: STRICT, files: typed }));
    const compiled = run(place, [COMPILER, "-p", "."]);
    const started = Object.keys(files).map((file) => file.replace(/ts$/u, "js"));
    const findings = [
      ...(compiled === undefined ? [] : [{ rule: "compile", path: typed.join(", "), message: compiled }]),
      ...started.flatMap((file) => {
        mkdirSync(join(place, `notes-${file}`));
        const failed = run(place, [file, join(place, `notes-${file}`)]);
        return failed === undefined ? [] : [{ rule: "run", path: file, message: failed }];
      }),
    ];
    return { checked: started.length, findings };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) process.exitCode = report("consumers", checkConsumers(resolve(process.argv[2] ?? ".")));
