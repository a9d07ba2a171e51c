import { availableEngines, type SqlEngine } from "../../../src/adapters/sqlite/driver.ts";

export const ENGINES: readonly SqlEngine[] = ["node:sqlite", "libsql"];

/** Why an engine's tests cannot run in this process, or `undefined` when they can. */
export function missing(engine: SqlEngine): string | undefined {
  if (availableEngines().includes(engine)) return undefined;
  return engine === "libsql"
    ? "libsql is not installed for this platform"
    : `node:sqlite needs Node 22.13, this is ${process.versions.node}`;
}

/** Runs `work` without the rights of the superuser, who may write anywhere. */
export function unprivileged<T>(work: () => T): T {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return work();
  process.seteuid(65_534);
  try {
    return work();
  } finally {
    process.seteuid(0);
  }
}
