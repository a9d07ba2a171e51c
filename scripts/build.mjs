/**
 * Builds dist/: the shipped bundles, and every module of src as .js for tests and benchmarks. The build is made in
 * another directory and then moved into place, so that a running command never sees half a build.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
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

/** Modules that cost a cold process some 5 ms each and that recall rarely needs, with the functions used from them. */
const LOADED_WHEN_NEEDED = {
  crypto: ["createHash", "randomBytes", "randomUUID", "timingSafeEqual"],
  child_process: ["execFileSync", "spawn", "spawnSync"],
  module: ["createRequire"],
  os: ["homedir", "tmpdir", "userInfo"],
};
/** The exports of these modules that are not functions, copied literally. */
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

/** A bundle is not located where the module that reads the manifest was, so the version is built in. */
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

/** In a bundle, each module keeps its path in dist, from which it finds package files. Core needs no files. */
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

/** Writes .js and .d.ts in half the time, unchecked: the gate `types` checks the same files. */
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
  external: ["libsql", "ignore", "picomatch", "node:*", "./*.cjs", "./learned-weights.json", "./word-tables/*"],
  write: false,
  // A script with kept code has no `import()`.
  supported: { "dynamic-import": false },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  // Prefer a package's ES modules to a script that looks for its parts at run time.
  mainFields: ["module", "main"],
  logLevel: "warning",
  define: { "import.meta.url": "bundleUrl" },
};
const BUNDLE_URL = 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;';

/** What users and clients start. */
const COMMANDS = { "memdir.cjs": "bin.ts", "hook.cjs": "hook.ts" };

/** The package memdir-server: one file with all its packages except the two databases, installed separately. */
const SERVER = {
  file: "memdir-server.cjs",
  entry: "server-bin.ts",
  external: ["@electric-sql/pglite", "pg-native", "libsql"],
};

/** What they load, each with one typed entry. Code that a user waits for is minified: each letter costs time. */
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

/** What the short bundles rarely need: the file, and the functions, by module, that are loaded from it when called. */
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

/** The words for days, of nine languages, once for all bundles: loaded by the first statement that is dated. */
const DATES = { part: "dates.cjs", module: "core/notes/dates/resolve.ts" };

function datesOutside(source) {
  const module = join(source, DATES.module);
  return {
    name: "dates-outside",
    setup(context) {
      context.onLoad({ filter: /[\\/]resolve\.ts$/ }, ({ path }) =>
        path === module ? { contents: `export const { dateResolver } = require("./${DATES.part}");` } : undefined,
      );
    },
  };
}

/**
 * Learnt weights, and the words of capture and of changes, as files next to the bundles, because each bundle would hold
 * a copy. Weights are read on first use: most commands load code that may judge, but judge nothing.
 */
const WEIGHTS = "learned-weights.json";

const weightsOutside = {
  name: "weights-outside",
  setup(context) {
    context.onLoad({ filter: /[\\/]weights\.json$/ }, ({ path }) => {
      const read = `require("./${WEIGHTS}").${basename(dirname(path))}`;
      const names = Object.keys(JSON.parse(readFileSync(path, "utf8"))).map((name) => JSON.stringify(name));
      const getters = names.map((name) => `get ${name}() { return ${read}[${name}]; }`);
      return { contents: `module.exports = { ${getters.join(", ")} };`, loader: "js" };
    });
    for (const [folder, table] of Object.entries(TABLES)) {
      const filter = new RegExp(`[\\\\/]${folder.replaceAll("/", "[\\\\/]")}[\\\\/][\\w-]+\\.json$`);
      context.onLoad({ filter }, ({ path }) => ({
        contents: `module.exports = require("./${WORDS}/${table}")[${JSON.stringify(basename(path))}];`,
        loader: "js",
      }));
    }
  },
};

/** The word tables of a folder, by file. */
const WORDS = "word-tables";
const TABLES = { "core/capture": "capture.json", "core/notes/changes": "changes.json" };

function copyWeights(source, output) {
  const files = readdirSync(source, { recursive: true }).filter((file) => basename(file) === "weights.json");
  const weights = files.map((file) => [basename(dirname(file)), JSON.parse(readFileSync(join(source, file), "utf8"))]);
  writeFileSync(join(output, WEIGHTS), JSON.stringify(Object.fromEntries(weights)));
  mkdirSync(join(output, WORDS), { recursive: true });
  for (const [folder, table] of Object.entries(TABLES)) {
    const names = readdirSync(join(source, folder)).filter((file) => file.endsWith(".json") && file !== "weights.json");
    const read = (file) => [file, JSON.parse(readFileSync(join(source, folder, file), "utf8"))];
    // What a pattern means is for readers of the source.
    const text = JSON.stringify(Object.fromEntries(names.map(read)), (key, value) =>
      key === "means" ? undefined : value,
    );
    writeFileSync(join(output, WORDS, table), text);
  }
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
    // The full command line and the page use most of Node's modules anyway.
    const lazy = /^(?:commands|web)/u.test(name) ? [] : [loadedWhenNeeded];
    const plugins = [...lazy, ...(short ? [partsOutside(source)] : [weightsOutside, datesOutside(source)])];
    await write(name, { entryPoints: [join(source, entry)] }, { plugins, short });
  }
  const parts = { ...PARTS, [DATES.part]: { [DATES.module]: ["dateResolver"] } };
  for (const [name, modules] of Object.entries(parts)) {
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

/** The library: one file per entry; entries share only types. Installed packages are not included. */
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
    external: [
      ...Object.keys(dependencies),
      ...Object.keys(optionalDependencies),
      `./${WEIGHTS}`,
      "./word-tables/*",
      `./${DATES.part}`,
    ],
    minifySyntax: true,
    // Lines are kept so that users of the library can read its stack traces.
    legalComments: "none",
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module";const require=requireFrom(import.meta.url);',
    },
    plugins: [versionBuiltIn(root), placesKept(source), weightsOutside, datesOutside(source)],
  });
}

/** Plugins that run in a client on top of the library: the file in dist and its source. */
const IN_CLIENTS = { "plugins/openclaw/plugin": "surfaces/openclaw/plugin" };

/** The exports in package.json, by file in dist. */
const LIBRARY = {
  index: "index",
  "ai-sdk": "surfaces/ai-sdk/middleware",
  anthropic: "surfaces/anthropic/memory-tool",
  "openai-agents": "surfaces/openai-agents/model",
  langgraph: "surfaces/langgraph/store",
};

/**
 * One .d.ts per entry instead of the two hundred that the compiler writes. The entry of a framework takes memdir's types
 * from the index, which would otherwise be in the package five times.
 */
async function joinDeclarations(dist) {
  const { generateDtsBundle } = await import("dts-bundle-generator");
  const project = join(dist, "tsconfig.json");
  const compilerOptions = { module: "NodeNext", target: "ES2022", types: ["node"], strict: true, skipLibCheck: true };
  const { index, ...frameworks } = LIBRARY;
  for (const [name, entry] of Object.entries(frameworks)) {
    const text = readFileSync(join(dist, `${entry}.d.ts`), "utf8");
    writeFileSync(join(dist, `${name}.d.ts`), text.replaceAll(/from "\.{1,2}\/[^"]+"/gu, 'from "./index.js"'));
  }
  const entries = [["index", join(dist, `${index}.d.ts`)]];
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
 * For `import fs from "node:fs"` esbuild copies the module's hundred properties in each file that does so: a
 * millisecond of a cold process. A file that also names some properties gets an object that inherits them all. The
 * result of `await import("node:…")` keeps its copy.
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

/** Builds `root` into its `dist`, with joined `declarations` for the package. @throws if a tool rejects the source. */
export async function buildProject(root, { declarations = false } = {}) {
  const aside = join(root, "node_modules", ".cache", `memdir-build-${process.pid}`);
  const dist = join(root, "dist");
  mkdirSync(aside, { recursive: true });
  try {
    await Promise.all([compile(root, aside), bundle(root, aside), buildPage(root, aside)]);
    await bundlePackages(root, aside);
    // After the compiler, because its index.js is one of many modules.
    await bundleLibrary(root, aside);
    // Checks for the folder, not the file: a renamed file then fails here instead of silently dropping the plugins.
    if (existsSync(join(aside, "core", "install"))) await writePlugins(aside);
    if (existsSync(join(aside, "surfaces", "cli"))) await writeManPage(root, aside);
    moveIntoPlace(aside, dist);
    if (declarations) await joinDeclarations(dist);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** A failed build, as its tools reported it. */
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
