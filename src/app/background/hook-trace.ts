import fs from "node:fs";
import path from "node:path";
import { makeDirectories } from "../../adapters/files/node-files.ts";
import { goneMark } from "../../core/install/agents.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import { redactTokens } from "../../core/shared/sanitize.ts";

/** A hook that could not do its work; the client went on without it. */
export interface HookFailure {
  /** ISO. */
  readonly time: string;
  readonly client: string;
  readonly event: string;
  /** What kind of failure, for not telling it twice: an error's code. */
  readonly code: string;
  readonly message: string;
  /** The person was told. */
  readonly told: boolean;
}

const FILE = "hook-failures.jsonl";
/** Older lines are dropped beyond this. */
const LARGEST_BYTES = 32_000;
const MESSAGE_CHARACTERS = 300;
const TOLD_AGAIN_MS = 24 * 60 * 60 * 1000;

/** Where it is: one small file in memdir's own directory. */
export function hookTraceFile(memdirHome: string): string {
  return path.join(memdirHome, FILE);
}

/**
 * Leaves a line about a failure. Answers whether the person is to be told: once a day for each code, and only where
 * that can be remembered (`mayTell`: there is a way to tell). Never throws: the hook has failed already.
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
    // A full disk has room for an empty file; where not even that can be kept, a hook must not nag at every prompt.
    return told && rememberTold(memdirHome, failure.code, now);
  }
}

/** Whether the person heard neither of the last failure of this kind, on record or at `happened` (ms), nor of one in the day before it. */
export function owesWord(memdirHome: string, code: string, happened: number | undefined): boolean {
  const failed = hookFailures(memdirHome).filter((one) => one.code === code);
  const last = Math.max(happened ?? 0, ...failed.map(({ time }) => Date.parse(time)));
  return last - lastTold(memdirHome, code) >= TOLD_AGAIN_MS;
}

/** `false` where nothing can be remembered: then it is not to be told. */
export function rememberTold(memdirHome: string, code: string, now: number): boolean {
  try {
    fs.writeFileSync(toldMark(memdirHome, code), "", { mode: 0o600 });
    fs.utimesSync(toldMark(memdirHome, code), now / 1000, now / 1000);
    return true;
  } catch {
    return false; // read-only, or without room for a name
  }
}

/** When the person heard of this kind last (ms); 0 for never. */
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
    return 0; // most people have none
  }
}

/** An empty file, for when no line of the trace can be written. */
function toldMark(memdirHome: string, code: string): string {
  return path.join(memdirHome, `hook-told-${code}`);
}

/** A full disk may have taken half a line, which would spoil this one. */
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

/** The failures that are on record, oldest first; empty where none can be read. */
export function hookFailures(memdirHome: string): readonly HookFailure[] {
  try {
    const file = hookTraceFile(memdirHome);
    if (!fs.statSync(file).isFile()) return [];
    return fs.readFileSync(file, "utf8").split("\n").flatMap(readLine);
  } catch {
    return []; // most people have none
  }
}

/** memdir is there for the hooks of this client: if it goes again, the person is told again. */
export function clearGone(home: string, client: string): void {
  try {
    fs.rmSync(path.join(home, ".memdir", goneMark(client)), { recursive: true, force: true });
  } catch {
    // It cannot be written there: then nothing could be remembered there either.
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
