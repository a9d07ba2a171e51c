/**
 * Builds dist/: every module of src as .js and .d.ts, and dist/memdir.cjs, the `memdir` command in one file.
 * Built aside and moved into place, so that a running command never meets half a build.
 */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { bundlePackages } from "./bundled-packages.mjs";
import { writePlugins } from "./plugins.mjs";

const COMMAND = "memdir.cjs";

/**
 * A dynamic import of a relative path stays one: the full command line is loaded from dist when it is
 * needed, so that the short path never reads it.
 */
function lazyModulesStayOutside(source) {
  return {
    name: "lazy-modules-stay-outside",
    setup(context) {
      context.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const module = relative(source, resolve(resolveDir, path)).replaceAll("\\", "/");
        return { path: `./${module.replace(/\.ts$/u, ".js")}`, external: true };
      });
    },
  };
}

/** Modules that cost a cold process some 5 ms each and that recall rarely needs, with the functions taken from them. */
const LOADED_WHEN_NEEDED = { crypto: ["createHash", "randomBytes", "randomUUID"], child_process: ["execFileSync", "spawn", "spawnSync"], module: ["createRequire"], os: ["homedir", "tmpdir"] };
/** What of them is no function: the same words that the module has. */
const CONSTANTS = { os: 'export const devNull = process.platform === "win32" ? "\\\\\\\\.\\\\nul" : "/dev/null";' };

const loadedWhenNeeded = {
  name: "loaded-when-needed",
  setup(context) {
    context.onResolve({ filter: /^node:(?:crypto|child_process|module|os)$/, namespace: "file" }, ({ path }) => ({ path: path.slice(5), namespace: "lazy" }));
    context.onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({ contents: LOADED_WHEN_NEEDED[path].map((name) => `export const ${name} = (...args) => require("node:${path}").${name}(...args);`).join("\n") + (CONSTANTS[path] ?? "") }));
  },
};

/** A bundle is not where the module was that looks for the manifest: it knows the version. */
function versionBuiltIn(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return {
    name: "version-built-in",
    setup(context) {
      context.onLoad({ filter: /[\\/]compose[\\/]version\.ts$/ }, () => ({ contents: `export const version = () => ${JSON.stringify(version)};` }));
    },
  };
}

/** Writes .js and .d.ts without judging types, which the gate `types` does for the same files: half the time. */
async function compile(root, output) {
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const project = join(root, "tsconfig.build.json");
  await promisify(execFile)(process.execPath, [compiler, "-p", project, "--noCheck", "--outDir", output], { cwd: root });
}

const BUNDLE = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  external: ["libsql", "ignore", "picomatch", "node:*"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  logLevel: "warning",
  define: { "import.meta.url": "bundleUrl" },
};
const BUNDLE_URL = 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;';

async function bundle(root, output) {
  const source = join(root, "src");
  const entry = join(source, "bin.ts");
  if (!existsSync(entry)) throw new Error(`${entry} is missing: the memdir command has no entry to bundle.`);
  const outfile = join(output, COMMAND);
  const plugins = [lazyModulesStayOutside(source), loadedWhenNeeded, versionBuiltIn(root)];
  await build({ ...BUNDLE, entryPoints: [entry], outfile, banner: { js: `#!/usr/bin/env node\n${BUNDLE_URL}` }, plugins });
  chmodSync(outfile, 0o755);
  for (const [name, file] of [...QUICK.map((quick) => [quick, quickEntry(root, quick)]), ...hookEntries(root)]) {
    if (!existsSync(file)) continue;
    const bundled = join(output, `${name}.cjs`);
    await build({ ...BUNDLE, entryPoints: [file], outfile: bundled, banner: { js: BUNDLE_URL }, plugins });
    const text = withoutCopies(readFileSync(bundled, "utf8"));
    // What code-cache.ts runs has no `import()`; it gives this instead. The hooks' whole command is required as it is.
    writeFileSync(bundled, REQUIRED.has(name) ? text : text.replaceAll('import("./', 'importModule("./'));
  }
}

/** For `import fs from "node:fs"` esbuild copies the module's hundred properties, in each file that says so: a millisecond of a cold process. */
function withoutCopies(bundled) {
  return bundled.replace(/__toESM\((require\("node:\w+"\)),1\)/gu, "{default:$1}");
}

/** Commands that are answered by one file each. */
const QUICK = ["quick-recall", "quick-verify", "quick-context", "mcp"];

/** Loaded by `require`, which knows `import()`. */
const REQUIRED = new Set(["hook", "hook-full"]);

/** The command of the hooks, and what it loads when it needs it. */
function hookEntries(root) {
  const parts = ["hook-main", "hook-recall", "hook-full"].map((name) => [name, join(root, "src", "surfaces", "hooks", `${name}.ts`)]);
  return [["hook", join(root, "src", "hook.ts")], ...parts];
}

function quickEntry(root, name) {
  return join(root, "src", "surfaces", name === "mcp" ? "mcp" : "cli", `${name}.ts`);
}

/** The compiled code of the short path, for the Node that builds; another Node does without it. */
async function keepCompiledCode(root, output) {
  if (existsSync(quickEntry(root, "quick-recall"))) await promisify(execFile)(process.execPath, [join(root, "scripts", "code-cache.mjs"), output], { cwd: root });
}

/** Another build may put its own `dist` there between the two calls; the last one wins. */
function moveIntoPlace(aside, dist, triesLeft = 3) {
  rmSync(dist, { recursive: true, force: true, maxRetries: 3 });
  try {
    renameSync(aside, dist);
  } catch (error) {
    if (triesLeft === 0 || (error.code !== "ENOTEMPTY" && error.code !== "EEXIST")) throw error;
    moveIntoPlace(aside, dist, triesLeft - 1);
  }
}

/** Builds the project at `root` into its `dist`. @throws when the compiler or the bundler rejects the source. */
export async function buildProject(root) {
  const aside = join(root, "node_modules", ".cache", `memdir-build-${process.pid}`);
  const dist = join(root, "dist");
  mkdirSync(aside, { recursive: true });
  try {
    await Promise.all([compile(root, aside), bundle(root, aside)]);
    await bundlePackages(root, aside);
    await keepCompiledCode(root, aside);
    if (existsSync(join(aside, "core", "install", "plugins.js"))) await writePlugins(aside);
    moveIntoPlace(aside, dist);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** A failed build as its tools printed it. */
export function buildFailure(error) {
  return `${error.stdout ?? ""}${error.stderr ?? ""}${error.message}\n`;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await buildProject(dirname(import.meta.dirname));
  } catch (error) {
    process.stderr.write(buildFailure(error));
    process.exitCode = 1;
  }
}
