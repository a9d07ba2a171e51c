import type { LogEntry, NewLogEntry } from "./daily-log.ts";
import type { ReadableStore } from "./store.ts";

/** The logs of a person's days as recall reads them: `read` and the index take ids such as `2026/11/2026-11-22.md#093939-1f2e3d4c`. */
export interface RecalledLogs {
  readonly store: ReadableStore;
  /** The project that recall works in, as entries name it: entries about another one are left out. */
  readonly project: string | undefined;
}

/** The logs of a person's days: one file a day, only ever added to. */
export interface DailyLogs extends ReadableStore {
  /** The user's store, absolute; logs are in `YYYY/MM` below it. */
  readonly directory: string;
  /**
   * Adds entries, each to the file of its own local day, in the order given. On disk when it returns.
   * @throws MemoryError `locked`, `permission`, `disk-full`, `invalid-input` where something else is in the file's place.
   */
  append(entries: readonly NewLogEntry[]): readonly LogEntry[];
  /** Days that have a file, the oldest first. */
  days(): readonly string[];
  /** The size of each day's file (bytes), the oldest day first. */
  sizes(): ReadonlyMap<string, number>;
  /** The entries of a day; empty without a file. */
  day(day: string): readonly LogEntry[];
  close(): void;
}
