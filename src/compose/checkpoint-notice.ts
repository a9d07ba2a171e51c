import path from "node:path";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { parseUnfinished, type Unfinished } from "../core/checkpoints/unfinished.ts";
import { modeIn } from "../core/memory/modes.ts";
import { unfinishedText } from "../core/memory/unfinished-text.ts";
import { type Locations, stateName } from "./locations.ts";

/** A task that nobody went on with for so long is not spoken of any more (ms). */
const RECENT_MS = 7 * 86_400_000;
const NOTICE_FILE = "unfinished.json";

/** How the project is named among checkpoints: all worktrees of a repository share them. */
export function checkpointsName({ project, stores, cwd }: Pick<Locations, "project" | "stores" | "cwd">): string {
  return project?.slug ?? stateName(stores[0]?.directory ?? cwd);
}

export function checkpointsDirectory(locations: Pick<Locations, "memdirHome" | "project" | "stores" | "cwd">): string {
  return path.join(locations.memdirHome, "checkpoints", checkpointsName(locations));
}

/** What a session is told when it starts: one line about a recent unfinished task of the project. Reads one small file. */
export function checkpointNotice(locations: Locations, now: number): string | undefined {
  if (modeIn(locations.modes, "project").mode === "off") return undefined;
  const bytes = nodeFiles.read(path.join(checkpointsDirectory(locations), NOTICE_FILE));
  const task = bytes === undefined ? undefined : parseUnfinished(new TextDecoder().decode(bytes));
  if (task === undefined || !isSpokenOf(task, now) || nodeFiles.stat(task.path)?.kind !== "file") return undefined;
  return unfinishedText(task);
}

/** Whether sessions still hear of an unfinished task. */
export function isSpokenOf({ saved }: Pick<Unfinished, "saved">, now: number): boolean {
  return now - Date.parse(saved) <= RECENT_MS;
}

/** Keeps what `checkpointNotice` reads; derived from the checkpoints, and made anew with each change of them. */
export function keepNotice(directory: string, task: Unfinished | undefined): void {
  const file = path.join(directory, NOTICE_FILE);
  if (task === undefined) {
    nodeFiles.remove(file);
    return;
  }
  const temporary = `${file}.${process.pid}`;
  nodeFiles.remove(temporary);
  nodeFiles.create(temporary, new TextEncoder().encode(`${JSON.stringify(task)}\n`));
  nodeFiles.rename(temporary, file);
}
