import fs from "node:fs";
import path from "node:path";
import { MAX_DEPTH, isExcluded } from "../../core/notes/names.ts";
import { codeOf } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { nodeFiles, unlessImpossible } from "./node-files.ts";

/**
 * The state of a store after a sync that left nothing to do. While the store looks the same and the remote has the same
 * cursor, there is still nothing to do, and the index need not be opened. This is a cache: without the file a sync
 * checks everything.
 */
export interface Settled {
  /** The memdir version that wrote it: another version may find more to do. */
  readonly version: string;
  /** This machine's clock just before the store was inspected (ms). */
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
 * File system clocks may tick only every two seconds (FAT). If a file changed less than this before a look, a later
 * change may leave its times unchanged, so its content counts too (ms).
 */
const TICK_MS = 2_000;

/** Files in a store's state that change with a write, a forget or a sync. */
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

/** SQLite's count of transactions that changed a file: https://www.sqlite.org/fileformat.html#file_change_counter */
const [COUNTER_AT, COUNTER_BYTES] = [24, 4];

/**
 * A stamp of the notes and everything else that affects their sync. Equal stamps with the same `at` mean that no byte
 * of them differs. `undefined` if that cannot be guaranteed: an operation is under way, or a displaced copy may still
 * be written to. Reads only the content of recently changed files.
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
    return undefined; // a file was added, removed or unreadable: a sync looks closer
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

/** The file system's information about a file. */
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

/** Adds every visible file of the store, note or not; the index page has lines that are synced. */
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
  // Not synced to disk: after a power loss a torn file is treated as missing.
  unlessImpossible(() => {
    const aside = `${settledIn(state)}.${process.pid}`;
    nodeFiles.note(aside, new TextEncoder().encode(`${JSON.stringify(settled)}\n`));
    nodeFiles.rename(aside, settledIn(state));
  });
}
