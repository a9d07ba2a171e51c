import fs from "node:fs";
import path from "node:path";
import { makeDirectories } from "../../adapters/files/node-files.ts";
import { goneMark } from "../../core/install/agents.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import { redactTokens } from "../../core/shared/sanitize.ts";

/** A hook that failed; the client went on without it. */
export interface HookFailure {
  /** ISO. */
  readonly time: string;
  readonly client: string;
  readonly event: string;
  /** An error's code: the user is not told of the same kind twice. */
  readonly code: string;
  readonly message: string;
  /** The user was told. */
  readonly told: boolean;
}

const FILE = "hook-failures.jsonl";
/** Beyond this size, older lines are dropped. */
const LARGEST_BYTES = 32_000;
const MESSAGE_CHARACTERS = 300;
const TOLD_AGAIN_MS = 24 * 60 * 60 * 1000;

/** The path of the trace: one small file in memdir's own directory. */
export function hookTraceFile(memdirHome: string): string {
  return path.join(memdirHome, FILE);
}

/**
 * Records a failure. Returns whether to tell the user: once a day per code, and only if that can be remembered.
 * `mayTell`: there is a way to tell. Never throws: the hook has already failed.
 */
export function traceFailure(
  memdirHome: string,
  failure: Omit<HookFailure, "told" | "time">,
  now: number,
  mayTell: boolean,
): boolean {
  const told = mayTell && now - lastTold(memdirHome, failure.code) >= TOLD_AGAIN_MS;
  const { client, event, code, message } = failure;
  const line = JSON.stringify({
    time: new Date(now).toISOString(),
    client,
    event: truncate(event, 60),
    code,
    message: truncate(oneLine(redactTokens(message)), MESSAGE_CHARACTERS),
    told,
  });
  try {
    makeDirectories(memdirHome);
    keepBounded(hookTraceFile(memdirHome));
    appendWhole(hookTraceFile(memdirHome), `${line}\n`);
    return told;
  } catch {
    // A full disk has room for an empty file. If even that fails, stay silent: a hook must not nag at every prompt.
    return told && rememberTold(memdirHome, failure.code, now);
  }
}

/**
 * Whether the user still has to hear of this failure: not told of its latest (or `happened`, ms), nor in the day
 * before.
 */
export function owesWord(memdirHome: string, code: string, happened: number | undefined): boolean {
  const failed = hookFailures(memdirHome).filter((one) => one.code === code);
  const last = Math.max(happened ?? 0, ...failed.map(({ time }) => Date.parse(time)));
  return last - lastTold(memdirHome, code) >= TOLD_AGAIN_MS;
}

/** `false` when it cannot be remembered: then the user is not told. */
export function rememberTold(memdirHome: string, code: string, now: number): boolean {
  try {
    fs.writeFileSync(toldMark(memdirHome, code), "", { mode: 0o600 });
    fs.utimesSync(toldMark(memdirHome, code), now / 1000, now / 1000);
    return true;
  } catch {
    return false; // read-only, or without room for a name
  }
}

/** When the user was last told of this kind (ms); 0 for never. */
function lastTold(memdirHome: string, code: string): number {
  const times = hookFailures(memdirHome)
    .filter((one) => one.told && one.code === code)
    .map(({ time }) => Date.parse(time));
  return Math.max(markedAt(toldMark(memdirHome, code)), ...times);
}

function markedAt(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return 0; // usually there is none
  }
}

/** An empty file, used when no line can be written to the trace. */
function toldMark(memdirHome: string, code: string): string {
  return path.join(memdirHome, `hook-told-${code}`);
}

/** A full disk may have cut the last line short; a line break keeps that from spoiling this one. */
function appendWhole(file: string, line: string): void {
  const fd = fs.openSync(file, "a+", 0o600);
  try {
    const last = Buffer.alloc(1);
    const { size } = fs.fstatSync(fd);
    if (size > 0) fs.readSync(fd, last, 0, 1, size - 1);
    fs.appendFileSync(fd, size > 0 && last.toString() !== "\n" ? `\n${line}` : line);
  } finally {
    fs.closeSync(fd);
  }
}

/** The recorded failures, oldest first. Empty when none can be read. */
export function hookFailures(memdirHome: string): readonly HookFailure[] {
  try {
    const file = hookTraceFile(memdirHome);
    if (!fs.statSync(file).isFile()) return [];
    return fs.readFileSync(file, "utf8").split("\n").flatMap(readLine);
  } catch {
    return []; // usually there is none
  }
}

/** memdir is available to this client's hooks: if it disappears again, the user is told again. */
export function clearGone(home: string, client: string): void {
  try {
    fs.rmSync(path.join(home, ".memdir", goneMark(client)), { recursive: true, force: true });
  } catch {
    // Not writable: then nothing could be remembered there either.
  }
}

function keepBounded(file: string): void {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.size < LARGEST_BYTES) return;
  const lines = fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  fs.writeFileSync(`${file}.${process.pid}`, `${lines.slice(-Math.ceil(lines.length / 4)).join("\n")}\n`, {
    mode: 0o600,
  });
  fs.renameSync(`${file}.${process.pid}`, file);
}

function readLine(line: string): HookFailure[] {
  try {
    const value: unknown = JSON.parse(line === "" ? "null" : line);
    if (typeof value !== "object" || value === null || !("time" in value) || !("code" in value)) return [];
    const text = (name: string): string => String(Object.getOwnPropertyDescriptor(value, name)?.value ?? "");
    return Number.isFinite(Date.parse(text("time")))
      ? [
          {
            time: text("time"),
            client: text("client"),
            event: text("event"),
            code: text("code"),
            message: text("message"),
            told: text("told") === "true",
          },
        ]
      : [];
  } catch {
    return []; // a torn line: one failure is not shown
  }
}
