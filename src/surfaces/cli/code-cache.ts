import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";

/**
 * Runs a bundled CommonJS file beside this one with the compiled code that the build kept of it, which
 * saves a cold process some 7 of 60 ms. V8 takes the code only if version and flags are its own; else it
 * compiles the file as usual.
 */
export function loadCached(name: string): Readonly<Record<string, unknown>> {
  return run(scriptOf(join(__dirname, `${name}.cjs`)), require);
}

/** The script and what runs it, for the build, which asks the script for its compiled code afterwards. */
export interface BundledScript {
  readonly file: string;
  readonly script: Script;
}

export function scriptOf(file: string): BundledScript {
  const source = `(function (exports, require, module, __filename, __dirname, importModule) {${readFileSync(file, "utf8")}\n})`;
  const cache = file.replace(/\.cjs$/u, ".cache");
  return { file, script: new Script(source, { filename: file, ...(existsSync(cache) && { cachedData: readFileSync(cache) }) }) };
}

export function run({ file, script }: BundledScript, requireFrom: NodeJS.Require): Readonly<Record<string, unknown>> {
  const module: { exports: Readonly<Record<string, unknown>> } = { exports: {} };
  const wrapped: unknown = script.runInThisContext();
  // A script of this kind has no `import()` of its own: the build writes `importModule` in its place.
  const importModule = (path: string): Promise<unknown> => import(pathToFileURL(join(dirname(file), path)).href);
  if (typeof wrapped === "function") wrapped(module.exports, requireFrom, module, file, dirname(file), importModule);
  return module.exports;
}
