import { shownName } from "../shared/shown.ts";
import type { Transaction } from "./history.ts";
import { isLineage } from "./lineage.ts";

/** The highest number that a version may have: numbers stay exact, and there is always a next one. */
export const LAST_SEQ = 1_000_000_000_000;

/**
 * Why transactions cannot be the past of a store; `undefined` where they can. Whoever takes over a past asks this first:
 * a number that cannot be counted on, a time that is not one, or a path that git refuses would stop every later look at
 * the history.
 */
export function problemOfPast(past: readonly Transaction[]): string | undefined {
  let last = 0;
  for (const transaction of past) {
    const problem = problemOf(transaction, last);
    if (problem !== undefined) return problem;
    last = transaction.seq;
  }
  return undefined;
}

function problemOf({ seq, time, actor, changes }: Transaction, last: number): string | undefined {
  const which = `version ${seq}`;
  if (!Number.isInteger(seq) || seq < 1 || seq > LAST_SEQ)
    return `${which} has a number that is not a whole one from 1 to ${LAST_SEQ}`;
  if (seq <= last) return `${which} does not come after version ${last}`;
  if (!isTime(time)) return `${which} has a time that is not one ("${shownName(time)}")`;
  if (!/^[^\p{Cc}<>]{1,100}$/u.test(actor)) return `${which} has an author that is not a name`;
  const files = new Set<string>();
  for (const { file, lineage } of changes) {
    if (!isRelativePath(file)) return `${which} names a file "${shownName(file)}", which is not a path inside a store`;
    if (files.has(file)) return `${which} changes ${shownName(file)} twice`;
    if (lineage !== undefined && !isLineage(lineage))
      return `${which} gives ${shownName(file)} a lineage that is not 24 hexadecimal digits`;
    files.add(file);
  }
  return undefined;
}

/** A moment as memdir writes it, from 1970 to 9999. */
function isTime(time: string): boolean {
  const ms = /^\d{4}-/u.test(time) ? Date.parse(time) : Number.NaN;
  return ms >= 0 && new Date(ms).toISOString() === time;
}

/** Whether a path stays below the place that it is joined to, part by part, on every system. */
export function isRelativePath(file: string): boolean {
  return !/[\p{Cc}\\]/u.test(file) && file.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/**
 * The past of another store as one takes it over that has none of its notes yet: it ends with nothing, so that the version
 * after it is the one that brings the notes, and can be undone.
 */
export function pastElsewhere(past: readonly Transaction[], nowMs: number): readonly Transaction[] {
  const last = new Map(past.flatMap(({ changes }) => changes).map(({ file, after }) => [file, after]));
  const changes = [...last].flatMap(([file, before]) =>
    before === undefined ? [] : [{ file, before, after: undefined }],
  );
  if (changes.length === 0) return past;
  return [
    ...past,
    {
      seq: (past.at(-1)?.seq ?? 0) + 1,
      time: new Date(nowMs).toISOString(),
      actor: "external",
      reason: "the past until here is of another place; nothing of it was here yet",
      changes,
    },
  ];
}
