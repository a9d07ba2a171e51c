import {
  dayOf,
  entryId,
  indexedEntry,
  type LogEntry,
  logFile,
  logHeading,
  type NewLogEntry,
  parseDailyLog,
  writeEntry,
  type DailyLogs,
} from "../../core/notes/daily-log.ts";
import type { StoreLock } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import {
  knownLogs,
  type KnownLogs,
  type LogLook,
  looksCurrent,
  readDay,
  readEntry,
  rememberLogs,
  yearsIn,
} from "./daily-log-look.ts";

export interface DailyLogParts extends LogLook {
  /** memdir's own directory for the logs, absolute. */
  readonly state: string;
  readonly lock: StoreLock;
  /** How long an append waits for other writers (ms). Default 10,000. */
  readonly lockTimeoutMs?: number;
}

/** A reader that finds changes waits no longer than this for a writer (ms). */
const READER_LOCK_MS = 50;
const NONE = { added: [], changed: [], removed: [], skipped: [] };

export function openDailyLog(parts: DailyLogParts): DailyLogs {
  const { directory, state, files, index, lock, lockTimeoutMs = 10_000 } = parts;
  const refresh = (mode: "quick" | "full"): void => {
    if (mode === "quick" && looksCurrent(parts)) return;
    try {
      files.makeDirectory(state);
      lock.run(mode === "full" ? lockTimeoutMs : READER_LOCK_MS, () => followFiles(parts));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      // If the logs are locked, the index is used as it is; if the lock cannot be written, the logs are indexed anyway.
      if (error.code !== "locked") followFiles(parts);
    }
  };
  return {
    directory,
    index,
    read: (id) => readEntry(parts, id),
    reconcile(mode) {
      refresh(mode === "full" ? "full" : "quick");
      return NONE;
    },
    recordUse: () => undefined,
    append(entries) {
      files.makeDirectory(state);
      return lock.run(lockTimeoutMs, () => appendEntries(parts, entries));
    },
    days: () => monthsOf(parts).flatMap(({ days }) => days),
    sizes: () =>
      new Map(
        monthsOf(parts).flatMap(({ days }) =>
          days.map((day): [string, number] => [day, files.stat(`${directory}/${logFile(day)}`)?.size ?? 0]),
        ),
      ),
    day: (day) => readDay(parts, day),
    close() {
      lock.close();
      index.close();
    },
  };
}

function appendEntries(parts: DailyLogParts, entries: readonly NewLogEntry[]): readonly LogEntry[] {
  // A process killed before it updated the index may have added to a day that a quick look does not check.
  const isKnown = !finishAppend(parts) && looksCurrent(parts);
  const days = groupByDay(entries);
  const added = [...days].flatMap(([day, some]) => appendDay(parts, day, some));
  if (isKnown) for (const day of days.keys()) followDay(parts, day);
  else followFiles(parts);
  parts.files.remove(pendingFile(parts));
  return added;
}

function groupByDay(entries: readonly NewLogEntry[]): ReadonlyMap<string, readonly NewLogEntry[]> {
  const days = new Map<string, NewLogEntry[]>();
  for (const entry of entries) {
    const day = days.get(dayOf(entry));
    if (day === undefined) days.set(dayOf(entry), [entry]);
    else day.push(entry);
  }
  return days;
}

/** Appends once to the end of the day's file. The text is recorded first, so that a torn write can be completed. */
function appendDay(parts: DailyLogParts, day: string, entries: readonly NewLogEntry[]): readonly LogEntry[] {
  const { directory, files } = parts;
  const file = logFile(day);
  const path = `${directory}/${file}`;
  guardPlace(parts, file);
  const before = files.read(path);
  const text = new TextDecoder().decode(before ?? new Uint8Array());
  const block = `${before === undefined ? logHeading(day) : gapAfter(text)}${entries.map(writeEntry).join("")}`;
  const folder = path.slice(0, path.lastIndexOf("/"));
  files.makeDirectory(folder);
  files.note(
    pendingFile(parts),
    new TextEncoder().encode(JSON.stringify({ file, size: before?.byteLength ?? 0, block })),
  );
  files.append(path, new TextEncoder().encode(block));
  if (before === undefined) files.syncDirectory(folder);
  return parseDailyLog(day, text + block).slice(-entries.length);
}

/** An editor may have left the last line without a line end. */
function gapAfter(text: string): string {
  return text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
}

function guardPlace({ directory, files }: DailyLogParts, file: string): void {
  const parts = file.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const kind = files.stat(`${directory}/${part}`)?.kind;
    if (kind !== undefined && kind !== (depth === parts.length ? "file" : "directory")) {
      throw new MemoryError(
        "invalid-input",
        `${part} in ${directory} is ${kind === "link" ? "a symbolic link" : `a ${kind}`}, so the day's log cannot be written there; move it away`,
      );
    }
  }
}

function pendingFile({ state }: DailyLogParts): string {
  return `${state}/pending.json`;
}

/** Completes an entry that a process killed while writing left incomplete. Returns whether there was one. */
function finishAppend(parts: DailyLogParts): boolean {
  const { directory, files } = parts;
  const noted = files.read(pendingFile(parts));
  if (noted === undefined) return false;
  const pending = parseJson(new TextDecoder().decode(noted));
  if (
    isRecord(pending) &&
    typeof pending["file"] === "string" &&
    typeof pending["size"] === "number" &&
    typeof pending["block"] === "string"
  ) {
    const block = new TextEncoder().encode(pending["block"]);
    const written = files.read(`${directory}/${pending["file"]}`)?.subarray(pending["size"]) ?? new Uint8Array();
    const isTorn =
      written.byteLength > 0 &&
      written.byteLength < block.byteLength &&
      Buffer.from(block.subarray(0, written.byteLength)).equals(written);
    if (isTorn) files.append(`${directory}/${pending["file"]}`, block.subarray(written.byteLength));
  }
  return true;
}

/** The length of `2026/11`. */
const MONTH_LENGTH = 7;

interface Month {
  /** `2026/11`. */
  readonly path: string;
  readonly days: readonly string[];
}

function monthsOf({ directory, files }: LogLook): readonly Month[] {
  const monthsIn = (year: string): readonly string[] =>
    (files.list(`${directory}/${year}`) ?? [])
      .filter(({ name, kind }) => kind === "directory" && /^(?:0[1-9]|1[0-2])$/u.test(name))
      .map(({ name }) => `${year}/${name}`)
      .toSorted();
  return yearsIn({ directory, files })
    .flatMap(monthsIn)
    .map((path): Month => {
      const days = (files.list(`${directory}/${path}`) ?? []).flatMap(({ name, kind }) => {
        const [, day] = /^(\d{4}-\d{2}-\d{2})\.md$/u.exec(name) ?? [];
        return day !== undefined && kind === "file" && logFile(day) === `${path}/${name}` ? [day] : [];
      });
      return { path, days: days.toSorted() };
    });
}

/** Size, mtime and entry keys of each indexed day, by day. */
type KnownDays = Readonly<Record<string, readonly [size: number, mtimeMs: number, ...keys: readonly string[]]>>;

function knownDays({ index }: LogLook, month: string): KnownDays {
  const value = parseJson(index.state(`daily-log/${month}`) ?? "");
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([day, stamp]) =>
      Array.isArray(stamp) ? [[day, [Number(stamp[0]), Number(stamp[1]), ...stamp.slice(2).map(String)] as const]] : [],
    ),
  );
}

function rememberDays({ index }: LogLook, month: string, days: KnownDays): void {
  index.setState(`daily-log/${month}`, JSON.stringify(days));
}

/** Updates the index from the files; only days that changed are read. */
function followFiles(parts: LogLook): void {
  const { directory, files, index } = parts;
  const directories: Record<string, number> = {};
  // mtimes are read before the listing, so a change during it counts as a later one.
  const stamp = (path: string): void => {
    const stat = files.stat(path === "" ? directory : `${directory}/${path}`);
    if (stat !== undefined) directories[path] = stat.mtimeMs;
  };
  stamp("");
  for (const year of yearsIn(parts)) {
    stamp(year);
    for (const { name, kind } of files.list(`${directory}/${year}`) ?? [])
      if (kind === "directory") stamp(`${year}/${name}`);
  }
  const months = monthsOf(parts);
  const gone = Object.keys(knownLogs(parts)?.directories ?? {}).filter(
    (path) => path.length === MONTH_LENGTH && !months.some((month) => month.path === path),
  );
  for (const month of gone) {
    index.apply({
      remove: Object.entries(knownDays(parts, month)).flatMap(([day, known]) => idsOf(day, known)),
    });
    rememberDays(parts, month, {});
  }
  let newest: KnownLogs["newest"];
  for (const { path, days } of months) {
    followMonth(parts, path, days);
    const last = days.at(-1);
    const known = last === undefined ? undefined : knownDays(parts, path)[last];
    if (last !== undefined && known !== undefined) newest = { file: logFile(last), size: known[0], mtimeMs: known[1] };
  }
  rememberLogs(parts, { directories, newest });
}

function followMonth(parts: LogLook, month: string, days: readonly string[]): void {
  const known = knownDays(parts, month);
  const next: Record<string, KnownDays[string]> = {};
  const upsert: ReturnType<typeof indexedEntry>[] = [];
  const remove = Object.entries(known)
    .filter(([day]) => !days.includes(day))
    .flatMap(([day, before]) => idsOf(day, before));
  for (const day of days) {
    const stat = parts.files.stat(`${parts.directory}/${logFile(day)}`);
    if (stat === undefined) continue;
    const before = known[day];
    if (before?.[0] === stat.size && before[1] === stat.mtimeMs) {
      next[day] = before;
      continue;
    }
    const changes = changesOf(parts, day, before);
    upsert.push(...changes.upsert);
    remove.push(...changes.remove);
    next[day] = [stat.size, stat.mtimeMs, ...changes.keys];
  }
  if (upsert.length + remove.length > 0) parts.index.apply({ upsert, remove });
  if (JSON.stringify(next) !== JSON.stringify(known)) rememberDays(parts, month, next);
}

/** The changes of a day for the index: entries already indexed and unchanged are not analysed again. */
function changesOf(
  parts: LogLook,
  day: string,
  known: KnownDays[string] | undefined,
): {
  readonly upsert: ReturnType<typeof indexedEntry>[];
  readonly remove: readonly string[];
  readonly keys: readonly string[];
} {
  const entries = readDay(parts, day);
  const documents = entries.filter(({ text }) => text !== "").map(indexedEntry);
  const present = new Set(documents.map(({ file }) => file));
  const before = new Set(idsOf(day, known));
  const isKnown = ({ file, hash, mtimeMs }: ReturnType<typeof indexedEntry>): boolean => {
    const entry = before.has(file) ? parts.index.entry(file) : undefined;
    return entry?.hash === hash && entry.mtimeMs === mtimeMs;
  };
  return {
    upsert: documents.filter((document) => !isKnown(document)),
    remove: [...before].filter((id) => !present.has(id)),
    keys: entries.map(({ key }) => key),
  };
}

/** After an append by memdir: indexes the day's new entries and stores the new state of the directories. */
function followDay(parts: LogLook, day: string): void {
  const file = logFile(day);
  const month = file.slice(0, 7);
  const stat = parts.files.stat(`${parts.directory}/${file}`);
  if (stat === undefined) return;
  const before = knownDays(parts, month);
  const { upsert, remove, keys } = changesOf(parts, day, before[day]);
  parts.index.apply({ upsert, remove });
  rememberDays(parts, month, { ...before, [day]: [stat.size, stat.mtimeMs, ...keys] });
  const known = knownLogs(parts) ?? { directories: {}, newest: undefined };
  const mtimes = [month.slice(0, 4), month].map(
    (path) => [path, parts.files.stat(`${parts.directory}/${path}`)?.mtimeMs ?? 0] as const,
  );
  const newest =
    known.newest === undefined || known.newest.file <= file
      ? { file, size: stat.size, mtimeMs: stat.mtimeMs }
      : known.newest;
  rememberLogs(parts, { directories: { ...known.directories, ...Object.fromEntries(mtimes) }, newest });
}

function idsOf(day: string, known: KnownDays[string] | undefined): string[] {
  return (known ?? []).slice(2).map((key) => entryId({ day, key: String(key) }));
}
