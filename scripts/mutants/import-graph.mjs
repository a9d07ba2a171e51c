/** Which files a file imports, and at what distance. */
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";

/**
 * @returns {{ distances: (from: string) => Map<string, number>, importersOf: (path: string) => string[] }} the files
 * that a file reaches by imports, with the number of steps; the files that import a file directly
 */
export function importGraph(root, paths) {
  const known = new Set(paths);
  const direct = new Map();
  const importsOf = (path) => {
    const cached = direct.get(path);
    if (cached !== undefined) return cached;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), "utf8"), true, true);
    const found = importedFiles
      .filter(({ fileName }) => fileName.startsWith("."))
      .map(({ fileName }) => posix.join(dirname(path), fileName))
      .filter((target) => known.has(target));
    direct.set(path, found);
    return found;
  };
  return {
    distances(from) {
      const steps = new Map([[from, 0]]);
      for (const [path, step] of steps)
        for (const target of importsOf(path)) if (!steps.has(target)) steps.set(target, step + 1);
      return steps;
    },
    importersOf: (path) => paths.filter((one) => importsOf(one).includes(path)),
  };
}
