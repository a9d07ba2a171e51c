import { createRequire } from "node:module";
import type ignoreType from "ignore";
import type picomatchType from "picomatch";
import type { GlobMatcher } from "../../core/instructions/ports.ts";

/** Loaded on first use: most sessions have no rule to match and no exclusion. */
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
  const ignore: typeof ignoreType = load("ignore");
  return ignore({ allowRelativePaths: true }).add([...patterns]);
}

function createGlobs(patterns: readonly string[]): (path: string) => boolean {
  const picomatch: typeof picomatchType = load("picomatch");
  return picomatch([...patterns], { dot: true });
}
