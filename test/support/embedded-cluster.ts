import fs from "node:fs";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";

const PACKAGES = path.join(import.meta.dirname, "..", "..", "node_modules");
const ENGINE = path.join(PACKAGES, "@electric-sql", "pglite", "package.json");
const { version } = JSON.parse(fs.readFileSync(ENGINE, "utf8"));
const KEPT = path.join(PACKAGES, ".cache", "memdir-tests", `cluster-${version}`);

/** An empty cluster made by the engine, once for all runs: making it takes five of the six seconds of a first start. */
async function emptyCluster(): Promise<string> {
  if (fs.existsSync(KEPT)) return KEPT;
  const made = `${KEPT}.${process.pid}`;
  fs.mkdirSync(made, { recursive: true });
  await (await PGlite.create(made)).close();
  try {
    fs.renameSync(made, KEPT);
  } catch {
    // Another worker was faster; its cluster is equivalent.
    fs.rmSync(made, { recursive: true });
  }
  return KEPT;
}

/** Puts the cluster of an embedded database where a server with this directory expects it; an existing one stays. */
export async function giveCluster(directory: string): Promise<void> {
  const database = path.join(directory, "database");
  if (fs.existsSync(database)) return;
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  fs.cpSync(await emptyCluster(), database, { recursive: true });
  fs.chmodSync(database, 0o700);
}
