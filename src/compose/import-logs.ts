import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { type LogEntry, logFile, offsetIn, parseDailyLog, writeEntry } from "../core/notes/daily-log.ts";
import type { DailyLogs } from "../core/notes/daily-logs.ts";
import type { Clock } from "../core/shared/clock.ts";
import { openLogsAt } from "./daily-logs.ts";
import { filesBelow } from "./export.ts";
import type { StoreLocation } from "./locations.ts";

/** The folder of daily logs in an exported store, beside its notes. */
const LOGS_FOLDER = "logs";

/**
 * Days of an export that have something new here: a day that is not here comes byte for byte, to one that is here those
 * entries are added that it has not. Nothing is taken away, so that importing twice adds nothing.
 */
export function importLogs(from: string, place: StoreLocation, clock: Clock, write: boolean): readonly string[] {
  const days = filesBelow(path.join(from, LOGS_FOLDER)).flatMap((file) => {
    const [, day] = /(?:^|\/)(\d{4}-\d{2}-\d{2})\.md$/u.exec(file) ?? [];
    return day !== undefined && logFile(day) === file ? [day] : [];
  });
  if (place.scope !== "user" || days.length === 0) return [];
  if (!write && !fs.existsSync(place.directory)) return days;
  const logs = openLogsAt({ directory: place.directory, state: `${place.state}/daily-log` });
  try {
    const news = days.filter((day) => importDay(logs, day, fs.readFileSync(path.join(from, LOGS_FOLDER, logFile(day))), clock, write));
    if (write) logs.reconcile("full");
    return news;
  } finally {
    logs.close();
  }
}

function importDay(logs: DailyLogs, day: string, bytes: Uint8Array, { timeZone }: Clock, write: boolean): boolean {
  const target = `${logs.directory}/${logFile(day)}`;
  if (nodeFiles.stat(target) === undefined) {
    if (!write) return true;
    nodeFiles.makeDirectory(path.dirname(target));
    nodeFiles.create(target, bytes);
    nodeFiles.syncDirectory(path.dirname(target));
    return true;
  }
  const written = (entry: LogEntry): string => writeEntry({ ...entry, offset: entry.offset ?? offsetIn(timeZone, entry.time) });
  const here = new Set(logs.day(day).map(written));
  const missing = parseDailyLog(day, new TextDecoder().decode(bytes)).filter((entry) => !here.has(written(entry)));
  if (write && missing.length > 0) logs.append(missing.map((entry) => ({ ...entry, offset: entry.offset ?? offsetIn(timeZone, entry.time) })));
  return missing.length > 0;
}
