import { type LoggedRecall, readLogLine } from "../../core/recall/log-line.ts";
import type { RecallLog } from "../../core/recall/recall-log.ts";

/** Recalls of the log, oldest first; damaged lines are passed over. */
export function loggedRecalls(log: Pick<RecallLog, "tail">): readonly LoggedRecall[] {
  return log.tail().flatMap((line) => {
    const recall = readLogLine(line);
    return recall === undefined ? [] : [recall];
  });
}
