import type { SyncStatus } from "../../../app/sync/reports.ts";
import { waitingForPerson } from "../../../app/sync/sync-notice.ts";
import { syncStatus } from "../../../app/sync/sync.ts";
import { syncWorkerAtWork } from "../../../app/background/want-sync.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { nameHidden } from "../../../core/shared/hidden.ts";
import { counted } from "../../../core/shared/text.ts";

export interface SyncHere extends SyncStatus {
  /** The process that syncs now. */
  readonly worker: number | undefined;
  /** What waits for a person, or why that cannot be told. */
  readonly waiting: string | undefined;
}

export function syncHere(workspace: OpenWorkspace): SyncHere {
  const worker = syncWorkerAtWork(workspace.locations.memdirHome);
  try {
    const waiting = waitingForPerson(workspace.locations, workspace.clock.now());
    return { ...syncStatus(workspace), worker, waiting };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { spaces: [], worker, waiting: error.message };
  }
}

/** One sentence a space; the last one is what waits for a person. */
export function syncLines({ spaces, worker, waiting }: SyncHere): readonly string[] {
  const lines = spaces.map(({ scope, state, pending, lastRun, retryAt, automatic }) => {
    const waits = pending === 0 ? "nothing to send" : `${counted(pending, "change")} to send`;
    const ran = lastRun === null ? "never ran" : `last run ${lastRun.slice(0, 16).replace("T", " ")}`;
    const retry = retryAt === null ? "" : `, tried again from ${retryAt.slice(11, 19)} on`;
    return `${scope}: ${state}, ${waits}, ${ran}${retry}${automatic || state === "paused" ? "" : ", only when you ask"}`;
  });
  const works = worker === undefined ? [] : [`process ${worker} syncs`];
  return [...lines, ...works, ...(waiting === undefined ? [] : [nameHidden(waiting)])];
}
