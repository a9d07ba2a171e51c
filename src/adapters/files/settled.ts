import fs from "node:fs";
import path from "node:path";
import { MAX_DEPTH, isExcluded } from "../../core/notes/names.ts";
import { codeOf } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { nodeFiles, unlessImpossible } from "./node-files.ts";

/**
 * How a store looked when a sync of it had nothing left to do. As long as the store looks the same and the remote stands
 * at the same cursor, there is nothing to do again, and nobody has to open the index to know it. A cache: without the
 * file a sync looks at everything.
 */
export interface Settled {
  /** The memdir that wrote it: another one may see more to do. */
  readonly version: string;
  /** The clock of this machine just before the store was looked at (ms). */
  readonly at: number;
  readonly stamp: string;
  readonly cursor: string;
}

export interface StorePlace {
  readonly directory: string;
  readonly state: string;
  readonly excluded: readonly string[];
}

/**
 * The clocks of file systems tick as rarely as every two seconds (FAT): of a file changed less than this before a look,
 * a later change may leave no trace in its times, so its content counts too (ms).
 */
const TICK_MS = 2_000;

/** What a write, a forget or a sync leaves beside the notes, in the state of a store. */
const TRACES = [
  "journal.jsonl",
  "journal.mark",
  "history.git/refs/heads/main",
  "forgotten",
  "layout",
  "forget-pending.json",
  "sync/remote",
  "sync/keys.json",
] as const;

/** SQLite counts the transactions that changed a file in these bytes of it: https://www.sqlite.org/fileformat.html#file_change_counter */
const [COUNTER_AT, COUNTER_BYTES] = [24, 4];

/**
 * What the notes of a store and all that decides about their sync look like. Equal stamps of the same `at`: no byte of
 * them is another one. `undefined` where that cannot be said: something is under way, or a copy that was moved aside may
 * still be written to. Reads the content of fresh files only.
 */
export function stampOf(place: StorePlace, at: number, statOf: StatOf = diskStat): string | undefined {
  try {
    if (isUnderWay(place.state)) return undefined;
    const look = { at, statOf };
    const lines = [counterOf(`${place.state}/sync/sync.db`)];
    for (const name of TRACES) lines.push(lineOf(`${place.state}/${name}`, name, look));
    addBelow(lines, place, { ...look, relative: "", depth: 0 });
    return sha256(lines.join("\n"));
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return undefined; // a file that came or went meanwhile, or that may not be read: a sync looks closer
  }
}

function isUnderWay(state: string): boolean {
  return fs.existsSync(`${state}/sync/sync.db-journal`) || namesIn(`${state}/displaced`).length > 0;
}

function namesIn(directory: string): readonly string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory) : [];
}

function counterOf(file: string): string {
  const bytes = Buffer.alloc(COUNTER_BYTES);
  const open = fs.openSync(file, "r");
  try {
    fs.readSync(open, bytes, 0, COUNTER_BYTES, COUNTER_AT);
    return `${bytes.toString("hex")} ${fs.fstatSync(open).ino}`;
  } finally {
    fs.closeSync(open);
  }
}

/** What a file system says of a file. */
export type StatOf = (file: string) => Pick<fs.Stats, "size" | "mtimeMs" | "ctimeMs" | "ino" | "isFile"> | undefined;

const diskStat: StatOf = (file) => fs.lstatSync(file, { throwIfNoEntry: false });

interface Look {
  readonly at: number;
  readonly statOf: StatOf;
}

interface Level extends Look {
  readonly relative: string;
  readonly depth: number;
}

/** Everything that is not hidden and belongs to the store, notes or not; the index page has lines that travel. */
function addBelow(lines: string[], place: StorePlace, { relative, depth, ...look }: Level): void {
  const directory = relative === "" ? place.directory : `${place.directory}/${relative}`;
  const excluded = new Set(place.excluded);
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const file = relative === "" ? entry.name : `${relative}/${entry.name}`;
    if (!entry.isDirectory()) lines.push(lineOf(`${directory}/${entry.name}`, file, look));
    else if (!isExcluded(excluded, file) && depth < MAX_DEPTH)
      addBelow(lines, place, { ...look, relative: file, depth: depth + 1 });
  }
}

function lineOf(file: string, name: string, { at, statOf }: Look): string {
  const stat = statOf(file);
  if (stat === undefined) return name;
  const { size, mtimeMs, ctimeMs, ino } = stat;
  const isFresh = Math.max(mtimeMs, ctimeMs) >= at - TICK_MS && stat.isFile();
  return [name, size, mtimeMs, ctimeMs, ino, isFresh ? sha256(fs.readFileSync(file)) : ""].join("\0");
}

function settledIn(state: string): string {
  return path.join(state, "sync", "settled.json");
}

export function readSettled(state: string): Settled | undefined {
  const bytes = nodeFiles.read(settledIn(state));
  const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  if (!isRecord(value)) return undefined;
  const { version, at, stamp, cursor } = value;
  if (typeof version !== "string" || typeof at !== "number") return undefined;
  return typeof stamp === "string" && typeof cursor === "string" ? { version, at, stamp, cursor } : undefined;
}

export function keepSettled(state: string, settled: Settled): void {
  // Half of it, after a power loss, is as good as none: nobody waits for the disk.
  unlessImpossible(() => {
    const aside = `${settledIn(state)}.${process.pid}`;
    nodeFiles.note(aside, new TextEncoder().encode(`${JSON.stringify(settled)}\n`));
    nodeFiles.rename(aside, settledIn(state));
  });
}
