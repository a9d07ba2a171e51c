// What recall reads in addition to notes: daily logs, its own log, and the user's related words.
import fs from "node:fs";
import path from "node:path";
import { mayWrite, modeIn } from "./modes.ts";
import type { RecalledLogs } from "../../core/notes/daily-log.ts";
import type { ReadableStore } from "../../core/notes/store.ts";
import type { Locations } from "./locations.ts";
import type { RecallLogParts } from "../../adapters/files/recall-log.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import type { KeptRecallLog, RecallLog } from "../../core/recall/log-line.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { type Vocabulary, openVocabulary } from "../../core/recall/prompt.ts";

/** The directory of the user's daily logs, and memdir's own state of them. */
export interface LogPlace {
  readonly directory: string;
  readonly state: string;
}

/** `undefined` without a user scope, or if it is off; then nothing is read. */
export function logPlace({ stores, modes }: Pick<Locations, "stores" | "modes">): LogPlace | undefined {
  const user = stores.find(({ scope }) => scope === "user");
  return user === undefined || modeIn(modes, "user").mode === "off"
    ? undefined
    : { directory: user.directory, state: `${user.state}/daily-log` };
}

/** How entries name the current project: by its root, shortened if it is below the home directory. */
export function projectLabel({ project, home }: Pick<Locations, "project" | "home">): string | undefined {
  if (project === undefined) return undefined;
  return project.root.startsWith(`${home}/`) ? `~${project.root.slice(home.length)}` : project.root;
}

/** The logs, if indexed. Without an index, a directory of this or last year means there is something to index. */
export function logsForRecall(
  locations: Locations,
  open: (place: LogPlace) => ReadableStore,
  outdated: () => never,
): RecalledLogs | undefined {
  const place = logPlace(locations);
  if (place === undefined) return undefined;
  if (fs.existsSync(`${place.state}/index.db`)) return { store: open(place), project: projectLabel(locations) };
  const year = new Date().getFullYear();
  return [year, year - 1].some((one) => fs.existsSync(`${place.directory}/${one}`)) ? outdated() : undefined;
}

/** One log per project, kept with the state of the first store, which is the project's own. */
function recallLogParts({ stores, project, recallLog }: Locations, clock: Clock): RecallLogParts {
  const [first] = stores;
  return {
    state: first?.state ?? "",
    project: project?.root ?? first?.directory ?? "",
    keeps: first === undefined ? "nothing" : recallLog,
    files: nodeFiles,
    clock,
  };
}

/** The log as the project's mode allows; opened only if it may be read. */
export function recallLogFor<Log extends RecallLog>(
  locations: Locations,
  clock: Clock,
  open: (parts: RecallLogParts) => Log,
): Log | KeptRecallLog {
  const { mode } = modeIn(locations.modes, "project");
  const parts = recallLogParts(locations, clock);
  if (mode === "off") return closedRecallLog(parts);
  return mayWrite(mode) ? open(parts) : { ...open(parts), append: () => undefined };
}

/** For a project whose memory is off: nothing is read or written. */
function closedRecallLog({ state, project }: RecallLogParts): KeptRecallLog {
  return {
    project,
    keeps: "nothing",
    append: () => undefined,
    tail: () => [],
    drop: () => undefined,
    health: () => ({ path: `${state}/recalls.jsonl`, bytes: 0, problem: undefined }),
  };
}

/** Related words that the user lists in `~/.memdir/vocabulary.txt`. */
export function readVocabulary({ memdirHome, mode }: Pick<Locations, "memdirHome" | "mode">): Vocabulary {
  return openVocabulary(mode === "off" ? "" : ownWords(path.join(memdirHome, "vocabulary.txt")));
}

function ownWords(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return ""; // usually there is no such file; an unreadable one must not prevent recall
  }
}
