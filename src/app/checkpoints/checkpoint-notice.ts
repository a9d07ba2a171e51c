import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { parseUnfinished, type Unfinished } from "../../core/checkpoints/session-state.ts";
import { modeIn } from "../workspace/modes.ts";
import { slugOf } from "../../core/notes/names.ts";
import { type Locations, stateName } from "../workspace/locations.ts";
import { hasNote } from "../workspace/note-count.ts";
import { label, fenced } from "../../core/shared/sanitize.ts";

/** A task not continued for this long is no longer mentioned (ms). */
const RECENT_MS = 7 * 86_400_000;
const NOTICE_FILE = "unfinished.json";

type CheckpointPlace = Pick<Locations, "memdirHome" | "project" | "stores" | "cwd" | "formerly">;

/** The project's name among checkpoints: all worktrees of a repository share it; a renamed project keeps its own. */
export function checkpointsName({ memdirHome, project, stores, cwd, formerly }: CheckpointPlace): string {
  if (project === undefined) return stateName(stores[0]?.directory ?? cwd);
  if (formerly.length === 0) return project.slug;
  const names = [project.slug, ...formerly.map(({ root }) => slugOf(root))];
  return names.find((name) => hasNote(path.join(memdirHome, "checkpoints", name))) ?? project.slug;
}

export function checkpointsDirectory(locations: CheckpointPlace): string {
  return path.join(locations.memdirHome, "checkpoints", checkpointsName(locations));
}

/** What a new session is told: one line about a recent unfinished task of the project. Reads one small file. */
export function checkpointNotice(locations: Locations, now: number): string | undefined {
  if (modeIn(locations.modes, "project").mode === "off") return undefined;
  const bytes = nodeFiles.read(path.join(checkpointsDirectory(locations), NOTICE_FILE));
  const task = bytes === undefined ? undefined : parseUnfinished(new TextDecoder().decode(bytes));
  if (task === undefined || !isSpokenOf(task, now) || nodeFiles.stat(task.path)?.kind !== "file") return undefined;
  return unfinishedText(task);
}

/** Whether sessions are still told about an unfinished task. */
export function isSpokenOf({ saved }: Pick<Unfinished, "saved">, now: number): boolean {
  return now - Date.parse(saved) <= RECENT_MS;
}

/** Writes what `checkpointNotice` reads: derived from the checkpoints, and rewritten whenever they change. */
export function keepNotice(directory: string, task: Unfinished | undefined): void {
  const file = path.join(directory, NOTICE_FILE);
  if (task === undefined) {
    nodeFiles.remove(file);
    return;
  }
  putFile(file, `${JSON.stringify(task)}\n`);
}

/** One line in its frame. The same task gives the same bytes. */
function unfinishedText({ id, name, saved, branch, isAutomatic }: Unfinished): string {
  const when = `${saved.slice(0, 16).replace("T", " ")} UTC${branch === undefined ? "" : ` on ${label(branch, 80)}`}`;
  return fenced("unfinished-task", [
    `An earlier session left the task "${label(name, 80)}" unfinished (checkpoint ${id}, saved${isAutomatic ? " automatically" : ""} ${when}). To go on with it: \`memdir checkpoint restore ${id}\`; to hear no more of it: \`memdir checkpoint dismiss ${id}\`.`,
  ]);
}
