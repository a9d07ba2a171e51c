import { execFileSync } from "node:child_process";
import path from "node:path";
import { field, list, text } from "./json.ts";
import type { Ground } from "./layout.ts";

/** One instruction file in memdir's view of a session. */
export interface MemdirSection {
  readonly path: string;
  readonly label: string;
  readonly scope: string;
  readonly reason: string;
  readonly flags: readonly string[];
  readonly text: string;
}

const COMMAND = path.join(import.meta.dirname, "..", "..", "dist", "memdir.cjs");
const TIMEOUT_MS = 30_000;

/** What `memdir context` says that a client loads here: instruction files only, in load order. */
export function memdirSections(agent: string, ground: Ground): readonly MemdirSection[] {
  const touched = ground.touch.flatMap((file) => ["--touch", file]);
  const out = execFileSync(process.execPath, [COMMAND, "context", "--agent", agent, "--json", "--text", ...touched], {
    cwd: ground.cwd,
    env: ground.environment,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  const sections = list(field(JSON.parse(out), "sections")).filter((section) => field(section, "kind") === "instructions");
  return sections.map((section) => ({
    path: text(field(section, "path")),
    label: text(field(section, "label")),
    scope: text(field(section, "scope")),
    reason: text(field(section, "reason")),
    flags: list(field(section, "flags")).map(text),
    text: text(field(section, "text")),
  }));
}
