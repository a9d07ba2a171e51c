import { createRequire } from "node:module";
import type { GlobMatcher } from "../../core/instructions/ports.ts";

/** Loaded when first needed: most sessions have no rule to match and no exclusion. */
const load = createRequire(import.meta.url);

export const globMatcher: GlobMatcher = {
  gitignore(patterns) {
    let matcher: { ignores(path: string): boolean } | undefined;
    return (path) => (matcher ??= createIgnore(patterns)).ignores(path);
  },
  globs(patterns) {
    const matches = createGlobs(patterns);
    return (path) => matches(path);
  },
};

function createIgnore(patterns: readonly string[]): { ignores(path: string): boolean } {
  const ignore: typeof import("ignore") = load("ignore");
  return ignore({ allowRelativePaths: true }).add([...patterns]);
}

function createGlobs(patterns: readonly string[]): (path: string) => boolean {
  const picomatch: typeof import("picomatch") = load("picomatch");
  return picomatch([...patterns], { dot: true });
}
