import type { SyncHere } from "../../../app/browse/sync-view.ts";
import { nameHidden } from "../../../core/shared/hidden.ts";
import { counted } from "../../../core/shared/text.ts";

/** One sentence per space; the last one says what waits for the user. */
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
