import { existsSync } from "node:fs";
import { locate } from "../../app/workspace/locations.ts";
import { openWorkspace } from "../../app/workspace/open-workspace.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { showContext } from "./commands/context.ts";
import { UsageError } from "./io.ts";
import { processIo } from "./process-io.ts";
import { forPerson } from "./wrap.ts";

/**
 * Answers `context [--json] [--text] [--agent AGENT] [--touch PATH…] [--dir DIR]` without the full command line.
 * Returns `undefined`, with nothing printed, when the full command line has to answer.
 */
export function contextQuickly(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const values = parse(argv);
  if (values === undefined) return undefined;
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const dir = last("dir");
  try {
    const locations = locate({ environment, ...(dir === undefined ? {} : { dir }) });
    // The full command line reports the missing directory.
    if (dir !== undefined && !existsSync(locations.stores[0]?.directory ?? "")) return undefined;
    const workspace = openWorkspace(locations);
    const plain = processIo(environment);
    return showContext({
      io: values.has("json") || values.has("text") ? plain : forPerson(plain),
      option: last,
      options: (name) => values.get(name) ?? [],
      flag: (name) => values.has(name),
      workspace: () => workspace,
    });
  } catch (error) {
    if (error instanceof MemoryError || error instanceof UsageError) return undefined;
    throw error;
  }
}

const FLAGS = new Set(["json", "text"]);
const OPTIONS = new Set(["agent", "touch", "dir"]);

/** Accepts only the plain forms; anything else, including mistakes, is left to the full command line. */
function parse(argv: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  const values = new Map<string, readonly string[]>();
  for (let at = 0; at < argv.length; at++) {
    const [, name = "", given] = /^--([a-z]+)(?:=(.*))?$/su.exec(argv[at] ?? "") ?? [];
    if (FLAGS.has(name) && given === undefined) values.set(name, []);
    else if (OPTIONS.has(name)) {
      const value = given ?? argv[++at];
      if (value === undefined || value === "" || (given === undefined && value.startsWith("-"))) return undefined;
      values.set(name, [...(values.get(name) ?? []), value]);
    } else return undefined;
  }
  return values;
}
