import { dayOfId, entryCalled, type LogEntry, logFile, parseDailyLog } from "../../core/notes/daily-log.ts";
import type { ReadableStore } from "../../core/notes/store.ts";
import { isRecord } from "../../core/shared/json.ts";
import type { StoreView } from "./scan.ts";

/** The state of the logs when the index was last complete. */
export interface KnownLogs {
  /** mtime of the store (`""`) and of each year and month directory, by relative path. */
  readonly directories: Readonly<Record<string, number>>;
  /** The file of the newest day. */
  readonly newest: { readonly file: string; readonly size: number; readonly mtimeMs: number } | undefined;
}

/** The parts needed to read the logs; `directory` is the user's store. */
export type LogLook = StoreView;

const STATE_KEY = "daily-log";

export function knownLogs({ index }: Pick<LogLook, "index">): KnownLogs | undefined {
  const text = index.state(STATE_KEY);
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isRecord(value)) return undefined;
  const { directories, newest } = value;
  const mtimes = isRecord(directories)
    ? Object.fromEntries(Object.entries(directories).map(([path, mtime]) => [path, Number(mtime)]))
    : {};
  return {
    directories: mtimes,
    newest: isRecord(newest)
      ? { file: String(newest["file"]), size: Number(newest["size"]), mtimeMs: Number(newest["mtimeMs"]) }
      : undefined,
  };
}

export function rememberLogs({ index }: Pick<LogLook, "index">, known: KnownLogs): void {
  index.setState(STATE_KEY, JSON.stringify(known));
}

/**
 * Whether the logs are unchanged since the index saw them, without reading them all. It compares the directories'
 * mtimes (one per month) and the newest file's stamp, and looks for new year directories. An older day edited in place
 * stays unnoticed until the next full look.
 */
export function looksCurrent(look: LogLook, known = knownLogs(look)): boolean {
  if (known === undefined) return false;
  const { directory, files } = look;
  if (known.newest !== undefined) {
    const stat = files.stat(`${directory}/${known.newest.file}`);
    if (stat?.size !== known.newest.size || stat.mtimeMs !== known.newest.mtimeMs) return false;
  }
  const { "": root, ...directories } = known.directories;
  if (!Object.entries(directories).every(([path, mtimeMs]) => files.stat(`${directory}/${path}`)?.mtimeMs === mtimeMs))
    return false;
  // The store's own directory changes with every note; only then are its entries listed.
  return files.stat(directory)?.mtimeMs === root || yearsIn(look).every((year) => directories[year] !== undefined);
}

export function yearsIn({ directory, files }: Pick<LogLook, "directory" | "files">): readonly string[] {
  return (files.list(directory) ?? [])
    .filter(({ name, kind }) => kind === "directory" && /^\d{4}$/u.test(name))
    .map(({ name }) => name)
    .toSorted();
}

/** A day's entries as they are on disk. Links are not followed. */
export function readDay({ directory, files }: Pick<LogLook, "directory" | "files">, day: string): readonly LogEntry[] {
  const path = `${directory}/${logFile(day)}`;
  const bytes = files.stat(path)?.kind === "file" ? files.read(path) : undefined;
  return bytes === undefined ? [] : parseDailyLog(day, new TextDecoder().decode(bytes));
}

export function readEntry(look: Pick<LogLook, "directory" | "files">, id: string): Uint8Array | undefined {
  const day = dayOfId(id);
  const entry = day === undefined ? undefined : entryCalled(id, readDay(look, day));
  return entry === undefined ? undefined : new TextEncoder().encode(entry.text);
}

/** A store for recall from the logs only. `outdated` is called when the index is out of date. */
export function openLogReader(look: LogLook, outdated: () => never): ReadableStore {
  return {
    index: look.index,
    read: (id) => readEntry(look, id),
    // A full look is requested when an entry differs from the index; a reader cannot do that.
    reconcile: (mode) =>
      mode === "quick" && looksCurrent(look) ? { added: [], changed: [], removed: [], skipped: [] } : outdated(),
    recordUse: () => undefined, // an entry's rank never depends on how often it was shown
  };
}
