import { sumOf } from "../../app/sync/space-status.ts";
import { type Heard, statusQuietly, syncQuietly } from "../../app/sync/quiet.ts";
import { stayedBehind } from "../../app/transfer/stayed-behind.ts";
import { locate } from "../../app/workspace/locations.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { printRun, printStatus } from "./commands/sync-text.ts";
import { EXIT, json } from "./io.ts";
import { processIo } from "./process-io.ts";

/** An exit code, or what the full command line can reuse when it has to answer; in that case nothing was printed. */
export type QuickSync = { readonly code: number } | { readonly heard?: Heard };

/** Answers `sync now` and `sync status` (`--json`, `--scope SCOPE`) without a store if nothing waits on either side. */
export async function syncQuickly(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<QuickSync> {
  const startedAt = performance.now();
  const asked = parse(argv);
  if (asked === undefined) return {};
  try {
    const place = locate({ environment });
    // The full command line reports this.
    if (stayedBehind(place) !== undefined) return {};
    const io = processIo(environment);
    if (asked.action === "status") {
      const status = statusQuietly(place, asked.scope);
      if (status === undefined) return {};
      if (asked.isJson) json(io, status);
      else printStatus(io, status);
      return { code: EXIT.ok };
    }
    const { runs, heard } = await syncQuietly(place, asked.scope, Date.now);
    if (runs === undefined) return { heard };
    const result = sumOf(runs, performance.now() - startedAt);
    if (asked.isJson) json(io, result);
    else printRun(io, result);
    return { code: EXIT.ok };
  } catch (error) {
    if (error instanceof MemoryError) return {};
    throw error;
  }
}

interface Asked {
  readonly action: "now" | "status";
  readonly scope: string | undefined;
  readonly isJson: boolean;
}

/** Accepts only the plain forms; anything else, including mistakes, is left to the full command line. */
function parse([action, ...rest]: readonly string[]): Asked | undefined {
  if (action !== "now" && action !== "status") return undefined;
  let scope: string | undefined;
  let isJson = false;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    if (word === "--json") isJson = true;
    else if (word === "--scope" || word.startsWith("--scope=")) {
      scope = word === "--scope" ? rest[++at] : word.slice("--scope=".length);
      if (scope === undefined || scope === "" || scope.startsWith("-")) return undefined;
    } else return undefined;
  }
  return { action, scope, isJson };
}
