import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { DB0_TABLES, readDb0Database } from "../../adapters/sqlite/opencode-database.ts";
import type { ImportKind, SkippedPiece, SourceFile } from "./candidate.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { counted, oneLine } from "../../core/shared/text.ts";
import type { Locations, StoreLocation } from "../workspace/locations.ts";
import { codexHome, geminiHome } from "../past/past-sessions.ts";
import { readDay } from "../../adapters/files/daily-log-look.ts";
import {
  type DailyLogs,
  type LogEntry,
  logFile,
  offsetIn,
  parseDailyLog,
  writeEntry,
} from "../../core/notes/daily-log.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { openLogsAt } from "../workspace/open-store.ts";
import type { ArchivedFile } from "./archive-gate.ts";

/** Texts indexed by their lines, so that looking for a text that contains another stays fast with many texts. */
export interface LinesSaid<T extends { readonly body: string }> {
  add(text: T): void;
  /** The first text with every line of `body`, ignoring blank lines, list marks and letter case. */
  whole(body: string): T | undefined;
}

export function linesSaid<T extends { readonly body: string }>(texts: readonly T[]): LinesSaid<T> {
  const byLine = new Map<string, T[]>();
  const linesOf = new Map<T, ReadonlySet<string>>();
  const add = (text: T): void => {
    const lines = new Set(foldedLines(text.body));
    linesOf.set(text, lines);
    for (const line of lines) {
      const holders = byLine.get(line);
      if (holders === undefined) byLine.set(line, [text]);
      else holders.push(text);
    }
  };
  for (const text of texts) add(text);
  return {
    add,
    whole: (body) => {
      const [first = "", ...rest] = foldedLines(body);
      return byLine.get(first)?.find((text) => rest.every((line) => linesOf.get(text)?.has(line) === true));
    },
  };
}

/** The lines of `wanted`, unchanged, that `body` lacks. */
export function linesMissing(body: string, wanted: string): readonly string[] {
  const present = new Set(foldedLines(body));
  return wanted.split("\n").filter((line) => folded(line) !== "" && !present.has(folded(line)));
}

function foldedLines(body: string): readonly string[] {
  return body
    .split("\n")
    .map(folded)
    .filter((line) => line !== "");
}

export function folded(line: string): string {
  return oneLine(line.replace(/^[\s>*+-]+/u, "")).toLowerCase();
}

/**
 * Days of an export with new entries. A missing day is copied byte for byte; an existing day gets the entries that it
 * lacks. Nothing is removed, and importing twice adds nothing.
 */
export function importLogs(
  files: readonly ArchivedFile[],
  place: StoreLocation,
  clock: Clock,
  write: boolean,
): readonly string[] {
  const days = files.map(({ file, bytes }) => ({ day: path.basename(file, ".md"), bytes }));
  if (place.scope !== "user" || days.length === 0) return [];
  const news = days.filter(({ day, bytes }) => {
    const isHere = nodeFiles.stat(`${place.directory}/${logFile(day)}`) !== undefined;
    return !isHere || missingFrom(place.directory, day, bytes, clock).length > 0;
  });
  // A plan creates nothing, not even an index.
  if (!write) return news.map(({ day }) => day);
  const logs = openLogsAt({ directory: place.directory, state: `${place.state}/daily-log` });
  try {
    for (const { day, bytes } of news) importDay(logs, day, bytes, clock);
    logs.reconcile("full");
    return news.map(({ day }) => day);
  } finally {
    logs.close();
  }
}

function importDay(logs: DailyLogs, day: string, bytes: Uint8Array, clock: Clock): void {
  const target = `${logs.directory}/${logFile(day)}`;
  if (nodeFiles.stat(target) === undefined) {
    nodeFiles.makeDirectory(path.dirname(target));
    nodeFiles.create(target, bytes);
    nodeFiles.syncDirectory(path.dirname(target));
  } else logs.append(missingFrom(logs.directory, day, bytes, clock));
}

/** Entries of an exported day that are missing here. */
function missingFrom(
  directory: string,
  day: string,
  bytes: Uint8Array,
  { timeZone }: Clock,
): readonly (LogEntry & { readonly offset: number })[] {
  const zoned = (entry: LogEntry): LogEntry & { readonly offset: number } => ({
    ...entry,
    offset: entry.offset ?? offsetIn(timeZone, entry.time),
  });
  const here = new Set(readDay({ directory, files: nodeFiles }, day).map((entry) => writeEntry(zoned(entry))));
  return parseDailyLog(day, new TextDecoder().decode(bytes))
    .map(zoned)
    .filter((entry) => !here.has(writeEntry(entry)));
}

/** Larger files (bytes) are not memories, and more files are not the memory of one project. */
const LARGEST_BYTES = 1_000_000;

const MOST_FILES = 5_000;

export interface ImportSource {
  /** What was read, for display. */
  readonly place: string;
  readonly files: readonly SourceFile[];
  /** Files that were not read. */
  readonly skipped: readonly SkippedPiece[];
}

/** Whether a place is the address of a PostgreSQL server, not a path. */
function isAddress(place: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(place);
}

/**
 * db0's memory: its SQLite file, the JSON lines of `db0 export`, or the address of its PostgreSQL. The default is db0's
 * own: `DB0_STORAGE`, otherwise its file next to Claude Code's settings.
 * @throws MemoryError
 */
export async function readDb0(locations: Locations, given: string | undefined): Promise<ImportSource> {
  const set = locations.environment["DB0_STORAGE"] || path.join(locations.configDirectory, "db0.sqlite");
  const place = given ?? set;
  if (isAddress(place)) {
    const { readPostgresTables } = await import("../../adapters/postgres/db0-rows.ts");
    return db0Source("the PostgreSQL database", await readPostgresTables(place, DB0_TABLES));
  }
  const file = path.resolve(locations.cwd, place);
  const stat = nodeFiles.stat(file);
  if (stat?.kind !== "file")
    throw new MemoryError("not-found", `there is no file ${file}; give db0's SQLite file, its export or its address`);
  if (!/\.jsonl$/iu.test(file)) return db0Source(file, readDb0Database(file));
  return db0Source(file, { db0_memory: new TextDecoder().decode(nodeFiles.read(file)) });
}

function db0Source(place: string, tables: Readonly<Record<string, string>>): ImportSource {
  return { place, files: Object.entries(tables).map(([name, text]) => ({ path: name, text })), skipped: [] };
}

/** Reads another tool's memory without changing it. @throws MemoryError `not-found`, `invalid-input` (no path). */
export function readImportSource(locations: Locations, kind: ImportKind, given: string | undefined): ImportSource {
  const place = given === undefined ? usualPlace(locations, kind) : path.resolve(locations.cwd, given);
  if (place === undefined)
    throw new MemoryError(
      "invalid-input",
      `give the ${kind === "server-memory" ? "file" : "directory"} to import from: \`memdir import ${kind} PATH\``,
    );
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  const isDirectory = stat?.isDirectory() === true;
  const found = isDirectory ? filesBelow(place, "") : stat === undefined ? [] : [{ path: path.basename(place) }];
  const chosen = found.map((one): Found =>
    one.why === undefined && isDirectory ? { ...one, why: strangeTo(kind, one.path) } : one,
  );
  const root = isDirectory ? place : path.dirname(place);
  const wanted = chosen.filter(({ why }) => why === undefined);
  const read = [
    ...wanted.slice(0, MOST_FILES).map((one) => readFile(path.join(root, one.path), one.path)),
    ...(kind === "gemini" && given === undefined ? addedMemories(locations) : []),
  ];
  const files = read.flatMap((one) => ("text" in one ? [one] : []));
  const beyond = wanted.slice(MOST_FILES).map((one) => ({ path: one.path, why: `more than ${MOST_FILES} files` }));
  const skipped = [
    ...chosen.flatMap(({ path: file, why }) => (why === undefined ? [] : [{ path: file, why }])),
    ...beyond,
    ...read.flatMap((one) => ("why" in one ? [one] : [])),
  ];
  const [first] = skipped;
  if (files.length === 0)
    throw new MemoryError(
      "not-found",
      `there is nothing of ${kind} to import in ${place}${first === undefined ? "" : `; ${counted(skipped.length, "file")} there ${skipped.length === 1 ? "was" : "were"} not read, ${first.path}: ${first.why}`}`,
    );
  return { place, files, skipped };
}

/** A file, with the reason if it is not read. */
interface Found {
  readonly path: string;
  readonly why?: string | undefined;
}

function usualPlace(locations: Locations, kind: ImportKind): string | undefined {
  if (kind === "codex") return path.join(codexHome(locations), "memories");
  if (kind === "hermes") return hermesMemories(locations);
  return kind === "gemini" ? geminiMemory(locations) : undefined;
}

/** The directory of Hermes' `MEMORY.md` and `USER.md`. */
export function hermesMemories({ environment, home }: Locations): string {
  const set = environment["HERMES_HOME"] ?? "";
  return path.join(set === "" ? path.join(home, ".hermes") : set, "memories");
}

/** Gemini CLI keeps projects under short names; a file next to the notes names the directory of each. */
function geminiMemory(locations: Locations): string {
  const projects = path.join(geminiHome(locations), "tmp");
  const root = locations.project?.root ?? locations.cwd;
  const names = (nodeFiles.list(projects) ?? []).map(({ name }) => name);
  const own = names.find(
    (name) => new TextDecoder().decode(nodeFiles.read(path.join(projects, name, ".project_root"))).trim() === root,
  );
  return path.join(projects, own ?? "none", "memory");
}

function addedMemories(locations: Locations): readonly (SourceFile | SkippedPiece)[] {
  const file = path.join(geminiHome(locations), "GEMINI.md");
  return nodeFiles.stat(file) === undefined ? [] : [readFile(file, "GEMINI.md")];
}

/** Why a file is not one of the tool's notes. Summaries of summaries are skipped, because their sources are read. */
function strangeTo(kind: ImportKind, file: string): string | undefined {
  if (kind === "server-memory") return /\.jsonl?$/iu.test(file) ? undefined : "not a .json or .jsonl file";
  if (!/\.md$/iu.test(file)) return "not a Markdown file";
  if (kind === "codex")
    return file === "MEMORY.md" || file.startsWith("rollout_summaries/")
      ? undefined
      : "made by Codex from the files that are read";
  if (kind === "hermes") return /^(?:MEMORY|USER)\.md$/u.test(file) ? undefined : "neither MEMORY.md nor USER.md";
  return kind !== "openclaw" || file === "MEMORY.md" || file.startsWith("memory/")
    ? undefined
    : "neither MEMORY.md nor in memory/";
}

/** Sorted by name; links and hidden directories are skipped. */
function filesBelow(root: string, below: string): readonly Found[] {
  const entries = (nodeFiles.list(path.join(root, below)) ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  return entries.flatMap(({ name, kind }): readonly Found[] => {
    const file = below === "" ? name : `${below}/${name}`;
    if (name.startsWith(".")) return [{ path: file, why: "hidden" }];
    if (kind === "directory") return filesBelow(root, file);
    return [{ path: file, ...(kind !== "file" && { why: "a link or no file; links are not followed" }) }];
  });
}

function readFile(full: string, relative: string): SourceFile | SkippedPiece {
  const stat = nodeFiles.stat(full);
  if (stat?.kind !== "file") return { path: relative, why: "a link or no file; links are not followed" };
  if (stat.size > LARGEST_BYTES) return { path: relative, why: `larger than ${LARGEST_BYTES / 1_000_000} MB` };
  const bytes = nodeFiles.read(full);
  return bytes === undefined
    ? { path: relative, why: "it went while it was read" }
    : { path: relative, text: new TextDecoder().decode(bytes), changed: new Date(stat.mtimeMs).toISOString() };
}
