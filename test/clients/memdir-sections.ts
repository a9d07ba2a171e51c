import { fileURLToPath } from "node:url";
import { field, list, text } from "./json.ts";
import type { Ground } from "./layout.ts";
import { runClient } from "./run-client.ts";

/** One instruction file in memdir's view of a session. */
export interface MemdirSection {
  readonly path: string;
  readonly label: string;
  readonly scope: string;
  readonly reason: string;
  readonly flags: readonly string[];
  readonly text: string;
}

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const TIMEOUT_MS = 60_000;

/** What the built `memdir context` says that a client loads here: instruction files without notes, in load order. */
export async function memdirSections(agent: string, ground: Ground): Promise<readonly MemdirSection[]> {
  const touched = ground.touch.flatMap((file) => ["--touch", file]);
  const args = [COMMAND, "context", "--agent", agent, "--json", "--text", ...touched];
  const run = await runClient({ ...ground, command: process.execPath, args, timeoutMs: TIMEOUT_MS });
  if (run.code !== 0)
    throw new Error(`memdir context ended with ${run.code ?? "its time limit"}: ${run.err}${run.out}`);
  const sections = list(field(JSON.parse(run.out), "sections")).filter(
    (section) => field(section, "kind") === "instructions",
  );
  return sections.map((section) => ({
    path: text(field(section, "path")),
    label: text(field(section, "label")),
    scope: text(field(section, "scope")),
    reason: text(field(section, "reason")),
    flags: list(field(section, "flags")).map(text),
    text: text(field(section, "text")),
  }));
}
