import path from "node:path";
import { openWorkingTree } from "../../adapters/tree/working-tree.ts";
import type { WorkingTree } from "../../core/notes/claims/claim.ts";
import { type Locations, stateName } from "./locations.ts";

/** The working tree of the current directory; git's answers about it are cached in memdir's own directory. */
export function openTree({ cwd, memdirHome, environment }: Locations): WorkingTree | undefined {
  if (cwd === undefined) return undefined;
  const trees = path.join(memdirHome, "trees");
  return openWorkingTree({
    cwd,
    cacheFile: (root) => path.join(trees, `${stateName(root)}.json`),
    emptyRepository: path.join(trees, "empty"),
    environment,
    elapsedMs: () => performance.now(),
  });
}
