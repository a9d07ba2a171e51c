// What recall reads beside notes: the logs of days, its own log, and the person's related words.
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

/** Where the logs of a person's days are, and memdir's own state of them. */
export interface LogPlace {
  readonly directory: string;
  readonly state: string;
}

/** `undefined` where there is no user's scope, or it is off: then nothing is looked at. */
export function logPlace({ stores, modes }: Pick<Locations, "stores" | "modes">): LogPlace | undefined {
  const user = stores.find(({ scope }) => scope === "user");
  return user === undefined || modeIn(modes, "user").mode === "off"
    ? undefined
    : { directory: user.directory, state: `${user.state}/daily-log` };
}

/** How entries name the project that someone works in: its root, short where it is below the home. */
export function projectLabel({ project, home }: Pick<Locations, "project" | "home">): string | undefined {
  if (project === undefined) return undefined;
  return project.root.startsWith(`${home}/`) ? `~${project.root.slice(home.length)}` : project.root;
}

/** The logs where an index of them is there. Without one, a directory of this year or the last says that there is something to index. */
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

/** One log a project: it lies with the state of the first store, which is the project's own. */
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

/** The log as the project's mode allows it; opened only where it may be read. */
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

/** For a project whose memory is off: nothing is read, and nothing written. */
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

/** The words that the user relates to one another in `~/.memdir/vocabulary.txt`. */
export function readVocabulary({ memdirHome, mode }: Pick<Locations, "memdirHome" | "mode">): Vocabulary {
  return openVocabulary(mode === "off" ? "" : ownWords(path.join(memdirHome, "vocabulary.txt")));
}

function ownWords(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return ""; // most people have none; one that cannot be read must not keep recall from answering
  }
}
