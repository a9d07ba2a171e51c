import fs from "node:fs";
import path from "node:path";
import { oneLine, truncate } from "../core/shared/text.ts";
import { redactTokens } from "../core/shared/redact.ts";

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
export function traceFailure(memdirHome: string, failure: Omit<HookFailure, "told" | "time">, now: number, mayTell: boolean): boolean {
  const known = hookFailures(memdirHome);
  const told = mayTell && !known.some((one) => one.told && one.code === failure.code && now - Date.parse(one.time) < TOLD_AGAIN_MS);
  const { client, event, code, message } = failure;
  const line = JSON.stringify({ time: new Date(now).toISOString(), client, event: truncate(event, 60), code, message: truncate(oneLine(redactTokens(message)), MESSAGE_CHARACTERS), told });
  try {
    fs.mkdirSync(memdirHome, { recursive: true, mode: 0o700 });
    keepBounded(hookTraceFile(memdirHome));
    fs.appendFileSync(hookTraceFile(memdirHome), `${line}\n`, { mode: 0o600 });
    return told;
  } catch {
    return false; // nothing can be written here at all: `memdir doctor` says so; a hook must not nag at every prompt
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

function keepBounded(file: string): void {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.size < LARGEST_BYTES) return;
  const lines = fs.readFileSync(file, "utf8").split("\n").filter((line) => line !== "");
  fs.writeFileSync(`${file}.${process.pid}`, `${lines.slice(-Math.ceil(lines.length / 4)).join("\n")}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.${process.pid}`, file);
}

function readLine(line: string): HookFailure[] {
  try {
    const value: unknown = JSON.parse(line === "" ? "null" : line);
    if (typeof value !== "object" || value === null || !("time" in value) || !("code" in value)) return [];
    const text = (name: string): string => String(Object.getOwnPropertyDescriptor(value, name)?.value ?? "");
    return Number.isFinite(Date.parse(text("time"))) ? [{ time: text("time"), client: text("client"), event: text("event"), code: text("code"), message: text("message"), told: text("told") === "true" }] : [];
  } catch {
    return []; // a torn line: one failure is not shown
  }
}
