import { existsSync } from "node:fs";
import { requireLayout } from "../../adapters/files/layout.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openLogReader } from "../../adapters/files/daily-log-look.ts";
import { openReader } from "../../adapters/files/reader.ts";
import { openRecallLog } from "../../adapters/files/recall-log.ts";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";
import type { RecallWorkspace } from "./recall-notes.ts";
import type { Scope } from "../../core/notes/note.ts";
import { systemClock } from "../../core/shared/clock.ts";
import { logsForRecall, readVocabulary, recallLogFor } from "../workspace/beside-notes.ts";
import type { Locations } from "../workspace/locations.ts";
import { isTransferPending } from "../workspace/pending-transfers.ts";

/** Thrown when an index lookup is not enough: new files to parse, or a crash or interrupted move to clean up. */
export class NeedsFullCommand extends Error {}

/** The minimum needed to recall from an up-to-date index. It writes nothing and opens no working tree. */
export function openForRecall(
  locations: Locations,
  options: { /** How long the index is waited for; default 2,000 ms. */ readonly busyTimeoutMs?: number } = {},
): RecallWorkspace {
  const outdated = (): never => {
    throw new NeedsFullCommand();
  };
  // During a move a note may be in two stores; the full command completes the move.
  if (mayWrite(locations.mode) && isTransferPending(locations.memdirHome)) outdated();
  const isOff = (scope: Scope): boolean => modeIn(locations.modes, scope).mode === "off";
  const stores = locations.stores
    .filter(({ scope, directory }) => !isOff(scope) && existsSync(directory))
    .map(({ scope, directory, state, excluded }) => {
      requireLayout(state, nodeFiles);
      if (!existsSync(`${state}/index.db`)) outdated();
      const store = openReader({
        directory,
        state,
        excluded,
        files: nodeFiles,
        index: openNoteIndex(`${state}/index.db`, options),
        clock: systemClock,
        outdated,
      });
      return {
        scope,
        store: mayWrite(modeIn(locations.modes, scope).mode) ? store : { ...store, recordUse: () => undefined },
      };
    });
  const logs = logsForRecall(
    locations,
    (place) =>
      openLogReader({ ...place, files: nodeFiles, index: openNoteIndex(`${place.state}/index.db`, options) }, outdated),
    outdated,
  );
  return {
    stores,
    logs,
    mode: locations.mode,
    clock: systemClock,
    recallLog: recallLogFor(locations, systemClock, openRecallLog),
    tree: undefined,
    vocabulary: readVocabulary(locations),
  };
}
