import { existsSync } from "node:fs";
import { openDailyLog } from "../../adapters/files/daily-log.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import { mayWrite, modeIn, refusedByMode } from "./modes.ts";
import type { WorkspaceLogs } from "./workspace.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { type LogPlace, logPlace, projectLabel } from "./beside-notes.ts";
import type { Locations } from "./locations.ts";
import { makeState } from "./open-store.ts";

export interface OpenLogs {
  /** The logs where there are any; nothing is made. */
  present(): WorkspaceLogs | undefined;
  /** To add to them. @throws MemoryError `refused` where the mode forbids it, `invalid-input` where there is no user's scope. */
  open(): WorkspaceLogs;
  close(): void;
}

/** The logs of the person's days, opened when first needed. */
export function openLogsOf(locations: Locations, lockTimeoutMs?: number): OpenLogs {
  let logs: WorkspaceLogs | undefined;
  const opened = (place: LogPlace): WorkspaceLogs =>
    (logs ??= { store: openLogsAt(place, lockTimeoutMs), project: projectLabel(locations) });
  return {
    present() {
      const place = logPlace(locations);
      if (place === undefined) return undefined;
      return logs !== undefined || existsSync(`${place.state}/index.db`) || hasYears(place.directory)
        ? opened(place)
        : undefined;
    },
    open() {
      if (!locations.stores.some(({ scope }) => scope === "user"))
        throw new MemoryError(
          "invalid-input",
          "daily logs belong to the user's scope, and there is none here: leave --dir and MEMDIR_DIR out",
        );
      const choice = modeIn(locations.modes, "user");
      const place = logPlace(locations);
      if (place === undefined || !mayWrite(choice.mode)) throw refusedByMode("the daily log (user scope)", choice);
      return opened(place);
    },
    close: () => logs?.store.close(),
  };
}

/** The logs of a place, there or not. */
export function openLogsAt(place: LogPlace, lockTimeoutMs?: number): WorkspaceLogs["store"] {
  makeState(place.state);
  return openDailyLog({
    ...place,
    files: nodeFiles,
    lock: createSqliteLock(`${place.state}/lock.db`),
    index: openNoteIndex(`${place.state}/index.db`),
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
}

function hasYears(directory: string): boolean {
  return (nodeFiles.list(directory) ?? []).some(({ name, kind }) => kind === "directory" && /^\d{4}$/u.test(name));
}
