/**
 * Builds dist/: the bundles that are shipped, and every module of src as .js for tests and benchmarks.
 * Built aside and moved into place, so that a running command never meets half a build.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { bundlePackages } from "./bundled-packages.mjs";
import { writeManPage } from "./man-page.mjs";
import { writePlugins } from "./plugins.mjs";
import { buildPage } from "./web.mjs";
import { writeServerPackage } from "./server-package.mjs";

const COMMAND = "memdir.cjs";

/** Modules that cost a cold process some 5 ms each and that recall rarely needs, with the functions taken from them. */
const LOADED_WHEN_NEEDED = {
  crypto: ["createHash", "randomBytes", "randomUUID", "timingSafeEqual"],
  child_process: ["execFileSync", "spawn", "spawnSync"],
  module: ["createRequire"],
  os: ["homedir", "tmpdir", "userInfo"],
};
/** What of them is no function: the same words that the module has. */
const CONSTANTS = { os: 'export const devNull = process.platform === "win32" ? "\\\\\\\\.\\\\nul" : "/dev/null";' };

const loadedWhenNeeded = {
  name: "loaded-when-needed",
  setup(context) {
    context.onResolve({ filter: /^node:(?:crypto|child_process|module|os)$/, namespace: "file" }, ({ path }) => ({
      path: path.slice(5),
      namespace: "lazy",
    }));
    context.onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({
      contents:
        LOADED_WHEN_NEEDED[path]
          .map((name) => `export const ${name} = (...args) => require("node:${path}").${name}(...args);`)
          .join("\n") + (CONSTANTS[path] ?? ""),
    }));
  },
};

/** A bundle is not where the module was that looks for the manifest: it knows the version. */
function versionBuiltIn(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return {
    name: "version-built-in",
    setup(context) {
      context.onLoad({ filter: /[\\/]workspace[\\/]version\.ts$/ }, () => ({
        contents: `export const version = () => ${JSON.stringify(version)};`,
      }));
    },
  };
}

/** In a bundle each module still says where it would lie in dist: files of the package are found from there. Core asks for no file. */
function placesKept(source) {
  return {
    name: "places-kept",
    setup(context) {
      context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path.startsWith(join(source, "core"))) return undefined;
        const text = readFileSync(path, "utf8");
        if (!text.includes("import.meta.url")) return undefined;
        const place = JSON.stringify(`./${relative(source, path).replaceAll("\\", "/")}`);
        return {
          contents: text.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`),
          loader: "ts",
        };
      });
    },
  };
}

/** Writes .js and .d.ts without judging types, which the gate `types` does for the same files: half the time. */
async function compile(root, output) {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript-7/package.json")), "bin", "tsc");
  const project = join(root, "tsconfig.build.json");
  await promisify(execFile)(process.execPath, [compiler, "-p", project, "--noCheck", "--outDir", output], {
    cwd: root,
  });
}

const BUNDLE = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  external: ["libsql", "ignore", "picomatch", "node:*", "./*.cjs", "./weights/*"],
  write: false,
  // A script of kept code has no `import()`.
  supported: { "dynamic-import": false },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  // What a package says as modules, not as a script that looks for its parts when it runs.
  mainFields: ["module", "main"],
  logLevel: "warning",
  define: { "import.meta.url": "bundleUrl" },
};
const BUNDLE_URL = 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;';

/** What people and clients start. */
const COMMANDS = { "memdir.cjs": "bin.ts", "hook.cjs": "hook.ts" };

/** What the package memdir-server is: one file with all its packages but the two databases, which are installed beside it. */
const SERVER = {
  file: "memdir-server.cjs",
  entry: "server-bin.ts",
  external: ["@electric-sql/pglite", "pg-native", "libsql"],
};

/** What they load, each of one typed entry. Code that somebody waits for is shortened: a cold process pays for each letter. */
const BUNDLES = {
  "hooks.cjs": { entry: "surfaces/hooks/hook-main.ts", short: true },
  "reader.cjs": { entry: "reader.ts", short: true },
  "sync.cjs": { entry: "sync.ts", short: true },
  "shell.cjs": { entry: "surfaces/hooks/hook-shell.ts", short: true },
  "mcp.cjs": { entry: "surfaces/mcp/mcp.ts", short: false },
  "web.cjs": { entry: "surfaces/web/web.ts", short: false },
  "web-worker.cjs": { entry: "surfaces/web/worker.ts", short: false },
  "commands.cjs": { entry: "commands.ts", short: false },
};

/** What the short bundles rarely need: the file, and the functions of which modules are taken from it when they are called. */
const PARTS = {
  "secrets.cjs": { "core/shared/secrets/find-secrets.ts": ["findSecrets"] },
  "verify.cjs": { "app/recall/verify-notes.ts": ["verifySelected"], "app/workspace/tree.ts": ["openTree"] },
};

function partsOutside(source) {
  const taken = new Map(
    Object.entries(PARTS).flatMap(([part, modules]) =>
      Object.entries(modules).map(([module, names]) => [join(source, module), { part, names }]),
    ),
  );
  return {
    name: "parts-outside",
    setup(context) {
      context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const { part, names } = taken.get(path) ?? {};
        if (part === undefined) return undefined;
        return {
          contents: names
            .map((name) => `export const ${name} = (...args) => require("./${part}").${name}(...args);`)
            .join("\n"),
        };
      });
    },
  };
}

/**
 * Learnt weights, as files that every bundle beside them reads: in each they would be most of it. They are read by the
 * first who asks for one: most commands load the code that may judge, and judge nothing.
 */
const WEIGHTS = "weights";

const weightsOutside = {
  name: "weights-outside",
  setup(context) {
    context.onLoad({ filter: /[\\/]weights\.json$/ }, ({ path }) => {
      const read = `require("./${WEIGHTS}/${basename(dirname(path))}.json")`;
      const names = Object.keys(JSON.parse(readFileSync(path, "utf8"))).map((name) => JSON.stringify(name));
      const getters = names.map((name) => `get ${name}() { return ${read}[${name}]; }`);
      return { contents: `module.exports = { ${getters.join(", ")} };`, loader: "js" };
    });
  },
};

function copyWeights(source, output) {
  const files = readdirSync(source, { recursive: true }).filter((file) => basename(file) === "weights.json");
  mkdirSync(join(output, WEIGHTS), { recursive: true });
  for (const file of files) copyFileSync(join(source, file), join(output, WEIGHTS, `${basename(dirname(file))}.json`));
}

async function bundle(root, output) {
  const source = join(root, "src");
  if (!existsSync(join(source, COMMANDS[COMMAND])))
    throw new Error(`${join(source, COMMANDS[COMMAND])} is missing: the memdir command has no entry to bundle.`);
  copyWeights(source, output);
  const texts = [];
  const write = async (name, input, { plugins = [], short = true, define = {} } = {}) => {
    const banner = { js: name === COMMAND || name === SERVER.file ? `#!/usr/bin/env node\n${BUNDLE_URL}` : BUNDLE_URL };
    const { outputFiles } = await build({
      ...BUNDLE,
      ...input,
      banner,
      plugins: [versionBuiltIn(root), placesKept(source), ...plugins],
      minifyIdentifiers: short,
      define: { ...BUNDLE.define, ...define },
    });
    texts.push(withoutCopies(outputFiles[0].text));
    writeFileSync(join(output, name), texts.at(-1));
  };
  for (const [name, { entry, short }] of Object.entries(BUNDLES)) {
    if (!existsSync(join(source, entry))) continue;
    // The full command line and the page may use all of Node's modules, and do.
    const lazy = /^(?:commands|web)/u.test(name) ? [] : [loadedWhenNeeded];
    const plugins = [...lazy, short ? partsOutside(source) : weightsOutside];
    await write(name, { entryPoints: [join(source, entry)] }, { plugins, short });
  }
  for (const [name, modules] of Object.entries(PARTS)) {
    if (!existsSync(join(source, BUNDLES["reader.cjs"].entry))) continue;
    const contents = Object.entries(modules).map(([module, names]) => `export { ${names} } from "./${module}";`);
    const stdin = { contents: contents.join("\n"), resolveDir: source };
    await write(name, { stdin }, { plugins: [loadedWhenNeeded] });
  }
  const define = { BUILD: JSON.stringify(createHash("sha256").update(texts.join("")).digest("hex").slice(0, 16)) };
  for (const [name, entry] of Object.entries(COMMANDS))
    if (existsSync(join(source, entry))) await write(name, { entryPoints: [join(source, entry)] }, { define });
  chmodSync(join(output, COMMAND), 0o755);
  const { file, entry, external } = SERVER;
  if (!existsSync(join(source, entry))) return;
  await write(
    file,
    { entryPoints: [join(source, entry)], external: [...BUNDLE.external, ...external] },
    { short: false },
  );
  chmodSync(join(output, file), 0o755);
  writeServerPackage(root, output, file);
}

/** The library: a file an entry; entries share nothing but types. Packages that are installed are not in it. */
async function bundleLibrary(root, output) {
  const source = join(root, "src");
  const entries = Object.entries({ ...LIBRARY, ...IN_CLIENTS })
    .map(([name, entry]) => [name, join(source, `${entry}.ts`)])
    .filter(([, file]) => existsSync(file));
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await build({
    entryPoints: Object.fromEntries(entries),
    outdir: output,
    bundle: true,
    platform: "node",
    format: "esm",
    target: BUNDLE.target,
    external: [...Object.keys(dependencies), ...Object.keys(optionalDependencies), "./weights/*"],
    minifySyntax: true,
    // Lines stay: who builds on the library reads its stack traces.
    legalComments: "none",
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module";const require=requireFrom(import.meta.url);',
    },
    plugins: [versionBuiltIn(root), placesKept(source), weightsOutside],
  });
}

/** Plugins that run in a client over the library: the file in dist, and what it is made from. */
const IN_CLIENTS = { "plugins/openclaw/plugin": "surfaces/openclaw/plugin" };

/** What package.json gives out, by the file in dist. */
const LIBRARY = {
  index: "index",
  "ai-sdk": "surfaces/ai-sdk/middleware",
  anthropic: "surfaces/anthropic/memory-tool",
  "openai-agents": "surfaces/openai-agents/model",
  langgraph: "surfaces/langgraph/store",
};

/** One .d.ts an entry in place of the two hundred that the compiler writes. */
async function joinDeclarations(dist) {
  const { generateDtsBundle } = await import("dts-bundle-generator");
  const project = join(dist, "tsconfig.json");
  const compilerOptions = { module: "NodeNext", target: "ES2022", types: ["node"], strict: true, skipLibCheck: true };
  const entries = Object.entries(LIBRARY).map(([name, entry]) => [name, join(dist, `${entry}.d.ts`)]);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: entries.map(([, file]) => file) }));
  try {
    const joined = generateDtsBundle(
      entries.map(([, filePath]) => ({ filePath, output: { noBanner: true, exportReferencedTypes: false } })),
      { preferredConfigPath: project },
    );
    for (const [at, [name]] of entries.entries()) writeFileSync(join(dist, `${name}.d.ts`), joined[at]);
  } finally {
    rmSync(project);
  }
}

/**
 * For `import fs from "node:fs"` esbuild copies the module's hundred properties, in each file that says so: a millisecond
 * of a cold process. A file may name some of them beside the default: it gets an object that inherits them all. What
 * `await import("node:…")` gives keeps its copy.
 */
export function withoutCopies(bundled) {
  return bundled.replace(
    /(?<!=>|[\w$])[\w$]+\((require\("node:[\w/]+"\)),1\)/gu,
    "Object.create($1,{default:{value:$1}})",
  );
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

/** Builds the project at `root` into its `dist`; for the package with `declarations` joined. @throws when the compiler or the bundler rejects the source. */
export async function buildProject(root, { declarations = false } = {}) {
  const aside = join(root, "node_modules", ".cache", `memdir-build-${process.pid}`);
  const dist = join(root, "dist");
  mkdirSync(aside, { recursive: true });
  try {
    await Promise.all([compile(root, aside), bundle(root, aside), buildPage(root, aside)]);
    await bundlePackages(root, aside);
    // After the compiler, whose index.js is one of many modules.
    await bundleLibrary(root, aside);
    // Asked of the folder, not of the file: a file that was renamed fails here instead of leaving the plugins out.
    if (existsSync(join(aside, "core", "install"))) await writePlugins(aside);
    if (existsSync(join(aside, "surfaces", "cli"))) await writeManPage(root, aside);
    moveIntoPlace(aside, dist);
    if (declarations) await joinDeclarations(dist);
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
    await buildProject(dirname(import.meta.dirname), { declarations: process.argv.includes("--declarations") });
  } catch (error) {
    process.stderr.write(buildFailure(error));
    process.exitCode = 1;
  }
}
