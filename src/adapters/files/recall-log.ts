import fs from "node:fs";
import path from "node:path";
import type { FilePort } from "../../core/notes/file-port.ts";
import type { KeptRecallLog, RecallLog, RecallLogHealth } from "../../core/recall/log-line.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { LATE_RECALL_MS, type LateRecalls } from "../../core/recall/ledger.ts";
import { finite, listOf, objectOf, oneOf, text } from "../../core/shared/shape.ts";
import { parseJson } from "../../core/shared/json.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { unlessImpossible } from "./node-files.ts";

/** The most sessions with a kept recall at one time. */
const MOST_FILES = 64;

export interface LateRecallFiles {
  /** Absolute; created when first needed. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "stat" | "list" | "note" | "rename" | "remove" | "makeDirectory">;
  /** Makes names unique to this process. */
  readonly newId: () => string;
  readonly now: () => number;
}

/** `undefined` for a torn file, which is only a second chance. */
const LATE_RECALL = objectOf({ text, files: listOf(text), time: finite }, { turn: text, asksToSave: oneOf(true) });

/** One small file per session, named after a hash of it. Taking it is a rename, so only one process gets it. */
export function openLateRecalls(place: LateRecallFiles): LateRecalls {
  const { directory, files } = place;
  const fileOf = (session: string): string => `${directory}/${sha256(session).slice(0, 32)}.json`;
  return {
    keep: (session, late) =>
      unlessImpossible(() => {
        files.makeDirectory(directory);
        removeExpired(place);
        const temporary = `${fileOf(session)}.${place.newId()}`;
        files.note(temporary, new TextEncoder().encode(JSON.stringify(late)));
        files.rename(temporary, fileOf(session));
      }),
    take: (session) =>
      unlessImpossible(() => {
        const taken = `${fileOf(session)}.${place.newId()}`;
        if (files.stat(fileOf(session)) === undefined || files.rename(fileOf(session), taken) !== "renamed")
          return undefined;
        const bytes = files.read(taken);
        files.remove(taken);
        return bytes === undefined ? undefined : LATE_RECALL(parseJson(new TextDecoder().decode(bytes)));
      }),
  };
}

function removeExpired({ directory, files, now }: LateRecallFiles): void {
  const kept = (files.list(directory) ?? [])
    .filter(({ kind }) => kind === "file")
    .map(({ name }) => ({ file: `${directory}/${name}`, time: files.stat(`${directory}/${name}`)?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  for (const [index, { file, time }] of kept.entries())
    if (index >= MOST_FILES - 1 || now() - time > LATE_RECALL_MS) files.remove(file);
}

const FILE = "recalls.jsonl";

const OLDER = "recalls.old.jsonl";

const PROBLEM = "recalls.problem";

/** A log of this size, or whose first line is this old, replaces the previous log. */
const LARGEST_BYTES = 1_000_000;

const OLDEST_MS = 30 * 24 * 60 * 60 * 1000;

/** The most that is read of both logs together, even if another program made them larger. */
export const READ_BYTES = 2 * LARGEST_BYTES;

export interface RecallLogParts extends Pick<RecallLog, "project" | "keeps"> {
  /** memdir's own directory for the project's store. */
  readonly state: string;
  readonly files: FilePort;
  readonly clock: Pick<Clock, "now">;
}

/** A log in `state`, readable only by the user (0600). Lines are not synced: a recall does not wait for the disk. */
export function openRecallLog(parts: RecallLogParts): RecallLog {
  const { state, project, keeps, clock } = parts;
  return {
    project,
    keeps,
    append(line) {
      try {
        appendLine(parts, line);
      } catch (error) {
        leaveTrace(state, clock.now(), error);
      }
    },
    tail: (bytes = READ_BYTES) => tailLines(state, Math.min(bytes, READ_BYTES)),
  };
}

/**
 * One write at the end of the file; the kernel orders lines of several processes. A link, pipe or device in the log's
 * place is refused without waiting for it.
 */
function appendLine({ state, files, clock }: RecallLogParts, line: string): void {
  const bytes = Buffer.from(`\n${line}\n`); // a torn line may precede it
  const file = path.join(state, FILE);
  let fd = openToAppend(file, () => files.makeDirectory(state));
  try {
    if (isFull(fd, bytes.byteLength, clock.now())) {
      setAside(fd, file, path.join(state, OLDER));
      fs.closeSync(fd);
      fd = openToAppend(file, () => files.makeDirectory(state));
    }
    const written = fs.writeSync(fd, bytes);
    if (written < bytes.byteLength)
      throw new MemoryError("disk-full", `only ${written} of ${bytes.byteLength} bytes could be written to ${file}`);
  } finally {
    fs.closeSync(fd);
  }
}

const { O_RDWR, O_RDONLY, O_APPEND, O_CREAT } = fs.constants;

const TO_APPEND = O_RDWR | O_APPEND;

/** Windows has neither flag. */
const UNHURRIED = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function openToAppend(file: string, makeDirectory: () => void): number {
  try {
    return openOrdinary(file, TO_APPEND | O_CREAT);
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeDirectory(); // this project has no note yet, but recall found some of another scope
    return openOrdinary(file, TO_APPEND | O_CREAT);
  }
}

function openOrdinary(file: string, flags: number): number {
  const fd = fs.openSync(file, flags | UNHURRIED, 0o600);
  const stat = fs.fstatSync(fd);
  if (!stat.isFile()) {
    fs.closeSync(fd);
    throw new MemoryError("invalid-input", `${file} is not an ordinary file; remove it and recalls are logged again`);
  }
  if (flags !== O_RDONLY && process.platform !== "win32" && (stat.mode & 0o077) !== 0) fs.fchmodSync(fd, 0o600);
  return fd;
}

function isFull(fd: number, more: number, now: number): boolean {
  const { size } = fs.fstatSync(fd);
  if (size === 0) return false;
  if (size + more > LARGEST_BYTES) return true;
  const head = Buffer.alloc(64);
  fs.readSync(fd, head, 0, head.byteLength, 0);
  const first = Date.parse(/"time":"([^"]+)"/u.exec(head.toString("latin1"))?.[1] ?? "");
  return now - first > OLDEST_MS;
}

/** Skipped if another process has just done it: then the path is a new log. */
function setAside(fd: number, file: string, older: string): void {
  if (fs.statSync(file, { throwIfNoEntry: false })?.ino === fs.fstatSync(fd).ino) fs.renameSync(file, older);
}

function tailLines(state: string, most: number): readonly string[] {
  const newest = tailOf(path.join(state, FILE), most);
  const left = most - newest.byteLength;
  const older = left > 0 ? tailOf(path.join(state, OLDER), left) : Buffer.alloc(0);
  return [older, newest].flatMap((part) => part.toString("utf8").split("\n")).filter((line) => line !== "");
}

/** The end of a file, from the start of a line; empty if missing or unreadable, since recall must not fail for that. */
function tailOf(file: string, most: number): Buffer {
  let fd: number;
  try {
    fd = openOrdinary(file, O_RDONLY);
  } catch (error) {
    if (error instanceof MemoryError || isSystemError(error)) return Buffer.alloc(0);
    throw error;
  }
  try {
    const { size } = fs.fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, most));
    const read = fs.readSync(fd, bytes, 0, bytes.byteLength, size - bytes.byteLength);
    const whole = bytes.subarray(0, read);
    return size > most ? whole.subarray(whole.indexOf(0x0a) + 1) : whole;
  } finally {
    fs.closeSync(fd);
  }
}

/** Best effort: if this cannot be written either, `health` detects the problem itself. */
function leaveTrace(state: string, now: number, error: unknown): void {
  if (isMissing(error)) return; // the store was removed in the meantime, so there is nothing to log
  const message = error instanceof Error ? error.message : String(error);
  try {
    fs.writeFileSync(path.join(state, PROBLEM), JSON.stringify({ time: new Date(now).toISOString(), message }), {
      mode: 0o600,
    });
  } catch (failure) {
    if (!isSystemError(failure)) throw failure;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === "ENOENT";
}

/** The log with operations that recall itself does not need: forgetting and a health check. */
export function openKeptRecallLog(parts: RecallLogParts): KeptRecallLog {
  return {
    ...openRecallLog(parts),
    drop: (isAbout, everywhere) => dropLines(parts, isAbout, everywhere),
    health: () => healthOf(parts.state),
  };
}

function dropLines({ state, files }: RecallLogParts, isAbout: (line: string) => boolean, everywhere: boolean): void {
  const stores = path.dirname(state);
  const states = everywhere
    ? (files.list(stores) ?? []).filter(({ kind }) => kind === "directory").map(({ name }) => path.join(stores, name))
    : [state];
  for (const file of states.flatMap((one) => [path.join(one, FILE), path.join(one, OLDER)])) {
    const stat = files.stat(file);
    if (stat?.kind !== "file") continue;
    const lines = tailOf(file, READ_BYTES)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    const kept = lines.filter((line) => line.endsWith("}") && !isAbout(line)); // unreadable lines cannot be judged
    if (kept.length === lines.length && stat.size <= READ_BYTES) continue;
    files.remove(`${file}.new`);
    files.create(`${file}.new`, Buffer.from(kept.map((line) => `${line}\n`).join("")));
    files.rename(`${file}.new`, file);
  }
}

function healthOf(state: string): RecallLogHealth {
  const file = path.join(state, FILE);
  const stats = [file, path.join(state, OLDER)].map((one) => fs.lstatSync(one, { throwIfNoEntry: false }));
  const problem = presentProblem(state, file) ?? pastProblem(path.join(state, PROBLEM), stats[0]?.mtimeMs ?? 0);
  return { path: file, bytes: stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0), problem };
}

/** Whether a line could be written now. */
function presentProblem(state: string, file: string): RecallLogHealth["problem"] {
  if (!fs.existsSync(state)) return undefined;
  try {
    fs.accessSync(state, fs.constants.W_OK);
    if (fs.existsSync(file)) fs.closeSync(openOrdinary(file, TO_APPEND));
    return undefined;
  } catch (error) {
    if (!(error instanceof MemoryError) && !isSystemError(error)) throw error;
    return { time: "", message: error.message };
  }
}

/** The problem that prevented a recall from being logged, unless one was logged since. */
function pastProblem(trace: string, loggedMs: number): RecallLogHealth["problem"] {
  const stat = fs.statSync(trace, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.mtimeMs < loggedMs) return undefined;
  try {
    const value: unknown = JSON.parse(fs.readFileSync(trace, "utf8"));
    if (typeof value !== "object" || value === null || !("time" in value) || !("message" in value)) return undefined;
    return { time: String(value.time), message: String(value.message) };
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return { time: "", message: `${trace} cannot be read` };
    throw error;
  }
}
