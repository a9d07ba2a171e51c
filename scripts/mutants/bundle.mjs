/**
 * Turns the tests, and the sources with all their mutants, into plain modules: a process loads what tests share once,
 * and can reload a test file for each of its runs.
 */
import { readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The directory of the modules, below the copy's root so that packages are found. */
const BUILT = ".mutants";

/** @param texts sources, by path, that are not read from the disk. */
export async function bundleTests({ root, tests, setUp, texts }) {
  await build({
    absWorkingDir: root,
    entryPoints: [...tests, ...setUp],
    outdir: join(root, BUILT),
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    legalComments: "none",
    keepNames: true,
    define: PLACES,
    plugins: [{ name: "sources", setup: (builder) => readSources(builder, root, texts) }],
  });
}

function readSources(builder, root, texts) {
  builder.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
    const own = texts.get(path.slice(root.length + 1));
    const text = own ?? (await readFile(path, "utf8"));
    return { contents: whereItStood(text, path), loader: extname(path).slice(1).replace(/^[cm]/u, "") };
  });
}

/** A module reports the place of its source, not its own place. */
const PLACES = { "import.meta.url": "moduleUrl", "import.meta.dirname": "moduleDirectory", require: "noRequire" };

function whereItStood(text, path) {
  if (!text.includes("import.meta.")) return text;
  const url = JSON.stringify(pathToFileURL(path).href);
  return `var moduleUrl = ${url}, moduleDirectory = ${JSON.stringify(dirname(path))};${text}`;
}

/** The path of a test's module. */
export function moduleOf(root, path) {
  return join(root, BUILT, path.replace(/\.ts$/u, ".mjs"));
}
