import type { FilePort } from "../../core/notes/file-port.ts";
import { type NoteUsage, type UseEvent, usageOf } from "../../core/notes/note-index.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";

const FILE = "usage.jsonl";
/** Above this size the log is checked for lines to merge (bytes). */
const LARGE_BYTES = 128_000;
/** The newest lines that stay unmerged, for `--as-of` of the last days. */
const EXACT_LINES = 500;

/** The part of a store that holds the log. */
interface LogPlace {
  readonly state: string;
  readonly files: FilePort;
}

/**
 * Adds a line to the usage log: which notes a recall showed, or which helped; no note text, no prompt. It only affects
 * the order of MEMORY.md, so a prompt does not wait for the disk: a power failure may lose the last lines.
 */
export function appendUse(
  context: LogPlace & { readonly clock: { now(): number } },
  files: readonly string[],
  as: "files" | "helped" = "files",
): void {
  const line = JSON.stringify({ time: new Date(context.clock.now()).toISOString(), [as]: files });
  context.files.jot(pathOf(context), encode(`\n${line}\n`)); // a torn line may precede it
}

/** Each note's usage up to a moment (ms); for the distant past, up to the end of the previous month. */
export function readUsage(context: LogPlace, until = Number.POSITIVE_INFINITY): ReadonlyMap<string, NoteUsage> {
  return usageOf(readLog(context).filter(({ time }) => !(Date.parse(time) > until)));
}

export function rewriteUses(context: LogPlace, keep: (file: string) => boolean): void {
  replaceLog(context, (log) =>
    log.map(({ time, shown, helped }) => ({
      time,
      shown: new Map([...shown].filter(([file]) => keep(file))),
      helped: new Map([...helped].filter(([file]) => keep(file))),
    })),
  );
}

/** Merges the lines of each month except the newest; each note's number of uses stays. Called under the lock. */
export function compactUses(context: LogPlace): void {
  if ((context.files.stat(pathOf(context))?.size ?? 0) < LARGE_BYTES) return;
  if (readLog(context).length >= 2 * EXACT_LINES) replaceLog(context, joinMonths);
}

function joinMonths(log: readonly UseEvent[]): readonly UseEvent[] {
  const months = new Map<string, UseEvent[]>();
  for (const uses of log.slice(0, -EXACT_LINES)) {
    const month = uses.time.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), uses]);
  }
  const joined = [...months.values()].map((all): UseEvent => ({
    time: all.reduce((last, { time }) => (time > last ? time : last), ""),
    shown: sumOf(all.map(({ shown }) => shown)),
    helped: sumOf(all.map(({ helped }) => helped)),
  }));
  return [...joined, ...log.slice(-EXACT_LINES)];
}

/** Recalls append without a lock, so lines added while the new log was written are included. */
function replaceLog(context: LogPlace, change: (log: readonly UseEvent[]) => readonly UseEvent[]): void {
  const [path, next] = [pathOf(context), `${pathOf(context)}.new`];
  const before = context.files.read(path);
  if (before === undefined) return;
  context.files.remove(next);
  context.files.create(next, encode(change(parseLog(before)).map(lineOf).join("")));
  const late = context.files.read(path)?.subarray(before.byteLength);
  if (late !== undefined && late.byteLength > 0)
    context.files.append(next, encode(change(parseLog(late)).map(lineOf).join("")));
  context.files.rename(next, path);
}

function lineOf({ time, shown, helped }: UseEvent): string {
  const isPlain = [...shown.values()].every((count) => count === 1);
  const line = {
    time,
    ...(shown.size > 0 && (isPlain ? { files: [...shown.keys()] } : { counts: Object.fromEntries(shown) })),
    ...(helped.size > 0 && { helped: Object.fromEntries(helped) }),
  };
  return `${JSON.stringify(line)}\n`;
}

function readLog(context: LogPlace): readonly UseEvent[] {
  return parseLog(context.files.read(pathOf(context)) ?? new Uint8Array());
}

function parseLog(bytes: Uint8Array): readonly UseEvent[] {
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .flatMap((line) => {
      // A line torn by a kill loses only one use.
      const value = line.endsWith("}") ? parseJson(line) : undefined;
      if (!isRecord(value)) return [];
      const [shown, helped] = [countsOf(value["files"] ?? value["counts"]), countsOf(value["helped"])];
      const time = typeof value["time"] === "string" ? value["time"] : "";
      return shown.size + helped.size === 0 ? [] : [{ time, shown, helped }];
    });
}

/** A list of files, or a count for each. */
function countsOf(value: unknown): ReadonlyMap<string, number> {
  if (Array.isArray(value)) return sumOf([...value].map((file) => new Map([[String(file), 1]])));
  return new Map(
    Object.entries(isRecord(value) ? value : {}).flatMap(([file, count]) =>
      typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? [[file, count] as const] : [],
    ),
  );
}

function sumOf(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const counts of all) for (const [file, count] of counts) sum.set(file, (sum.get(file) ?? 0) + count);
  return sum;
}

function pathOf({ state }: LogPlace): string {
  return `${state}/${FILE}`;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
