import { fileURLToPath } from "node:url";
import { field, list, text } from "./json.ts";
import type { Ground } from "./layout.ts";
import { runClient } from "./run-client.ts";
import type { Section, View } from "./sections.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const TIMEOUT_MS = 60_000;

function sectionFrom(value: unknown): Section {
  const label = field(value, "label");
  return {
    path: text(field(value, "path")),
    label: typeof label === "string" ? label : undefined,
    body: text(field(value, "text")),
  };
}

/** The index that a project keeps by hand is memdir's alone: it is shown beside what the client loads. */
function isClientsOwn({ path }: Section): boolean {
  return !path.endsWith("/.claude/MEMORY.md");
}

async function askMemdir(agent: string, ground: Ground, touch: readonly string[]): Promise<readonly Section[]> {
  const args = [
    COMMAND,
    "context",
    "--agent",
    agent,
    "--json",
    "--text",
    ...touch.flatMap((file) => ["--touch", file]),
  ];
  const run = await runClient({ ...ground, command: process.execPath, args, timeoutMs: TIMEOUT_MS });
  if (run.code !== 0)
    throw new Error(`memdir context ended with ${run.code ?? "its time limit"}: ${run.err}${run.out}`);
  return list(field(JSON.parse(run.out), "sections"))
    .map((section) => sectionFrom(section))
    .filter((section) => isClientsOwn(section));
}

/**
 * What the built `memdir context` shows of a layout, for one agent. Clients do not label what joins
 * later, so those labels of memdir's are left out.
 */
export async function memdirView(agent: string, ground: Ground): Promise<View> {
  const start = await askMemdir(agent, ground, []);
  if (ground.touch.length === 0) return { start, touched: [] };
  const all = await askMemdir(agent, ground, ground.touch);
  const known = new Set(start.map(({ path }) => path));
  return {
    start,
    touched: all.filter(({ path }) => !known.has(path)).map((section) => ({ ...section, label: undefined })),
  };
}
