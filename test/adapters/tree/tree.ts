import { openWorkingTree } from "../../../src/adapters/tree/working-tree.ts";
import { checkClaims } from "../../../src/core/notes/claims/check.ts";
import { extractClaims } from "../../../src/core/notes/claims/extract.ts";
import type { WorkingTree } from "../../../src/core/notes/claims/claim.ts";

/** The real working tree of `cwd`, with memdir's own files in `home`. */
export function treeOf(
  cwd: string,
  home: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): WorkingTree {
  return openWorkingTree({
    cwd,
    cacheFile: () => `${home}/trees/cache.json`,
    emptyRepository: `${home}/trees/empty`,
    environment,
    elapsedMs: () => performance.now(),
  });
}

/** Claims of a note with their verdicts, as `verdict claim (detail)`; `detail` without commit ids. */
export function verdicts(note: string, cwd: string, home: string, budgetMs = 20_000): Record<string, string> {
  const [checks = []] = checkClaims([extractClaims(note)], treeOf(cwd, home), budgetMs);
  return Object.fromEntries(
    checks.map(({ claim, verdict, detail }) => [claim, detail === undefined ? verdict : `${verdict}: ${detail}`]),
  );
}
