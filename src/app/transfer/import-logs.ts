import path from "node:path";
import { readDay } from "../../adapters/files/daily-log-look.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { type LogEntry, logFile, offsetIn, parseDailyLog, writeEntry } from "../../core/notes/daily-log.ts";
import type { DailyLogs } from "../../core/notes/daily-logs.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { openLogsAt } from "../workspace/daily-logs.ts";
import type { StoreLocation } from "../workspace/locations.ts";
import type { ArchivedFile } from "./archive-gate.ts";

/**
 * Days of an export that have something new here: a day that is not here comes byte for byte, to one that is here those
 * entries are added that it has not. Nothing is taken away, so that importing twice adds nothing.
 */
export function importLogs(
  files: readonly ArchivedFile[],
  place: StoreLocation,
  clock: Clock,
  write: boolean,
): readonly string[] {
  const days = files.map(({ file, bytes }) => ({ day: path.basename(file, ".md"), bytes }));
  if (place.scope !== "user" || days.length === 0) return [];
  const news = days.filter(({ day, bytes }) => {
    const isHere = nodeFiles.stat(`${place.directory}/${logFile(day)}`) !== undefined;
    return !isHere || missingFrom(place.directory, day, bytes, clock).length > 0;
  });
  // A plan leaves nothing behind, no index either.
  if (!write) return news.map(({ day }) => day);
  const logs = openLogsAt({ directory: place.directory, state: `${place.state}/daily-log` });
  try {
    for (const { day, bytes } of news) importDay(logs, day, bytes, clock);
    logs.reconcile("full");
    return news.map(({ day }) => day);
  } finally {
    logs.close();
  }
}

function importDay(logs: DailyLogs, day: string, bytes: Uint8Array, clock: Clock): void {
  const target = `${logs.directory}/${logFile(day)}`;
  if (nodeFiles.stat(target) === undefined) {
    nodeFiles.makeDirectory(path.dirname(target));
    nodeFiles.create(target, bytes);
    nodeFiles.syncDirectory(path.dirname(target));
  } else logs.append(missingFrom(logs.directory, day, bytes, clock));
}

/** Entries of an exported day that the day here does not have. */
function missingFrom(
  directory: string,
  day: string,
  bytes: Uint8Array,
  { timeZone }: Clock,
): readonly (LogEntry & { readonly offset: number })[] {
  const zoned = (entry: LogEntry): LogEntry & { readonly offset: number } => ({
    ...entry,
    offset: entry.offset ?? offsetIn(timeZone, entry.time),
  });
  const here = new Set(readDay({ directory, files: nodeFiles }, day).map((entry) => writeEntry(zoned(entry))));
  return parseDailyLog(day, new TextDecoder().decode(bytes))
    .map(zoned)
    .filter((entry) => !here.has(writeEntry(entry)));
}
