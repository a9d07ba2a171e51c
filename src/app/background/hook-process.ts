import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { spawn } from "node:child_process";
import type { Environment } from "../workspace/locations.ts";
import { codeOf } from "../../core/shared/errors.ts";

interface DetachedRun {
  /** A script and its arguments, for this Node. */
  readonly command: readonly string[];
  /** For its standard input. */
  readonly input: string;
  readonly cwd: string;
  readonly environment: Environment;
  /** How long its output is waited for; 0 does not read any. */
  readonly waitMs: number;
}

/**
 * Runs a process of its own group that may outlive this one. Its output when it ended in time, else `undefined`: it
 * goes on, and has to bound itself (`hook-bound.ts`).
 */
export function runDetached({ command, input, cwd, environment, waitMs }: DetachedRun): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...command], {
      cwd: fs.existsSync(cwd) ? cwd : "/",
      env: { ...environment },
      detached: true,
      windowsHide: true,
      stdio: ["pipe", waitMs === 0 ? "ignore" : "pipe", "ignore"],
    });
    const parts: Buffer[] = [];
    const timer = setTimeout(() => resolve(undefined), Math.max(waitMs, 200));
    const done = (output: string | undefined): void => {
      clearTimeout(timer);
      resolve(output);
    };
    // No process can be started, or it went away before it read: the client goes on without it.
    child.on("error", () => done(undefined));
    child.stdin?.on("error", () => undefined);
    child.stdout?.on("data", (part: Buffer) => parts.push(part));
    if (waitMs === 0) child.stdin?.end(input, () => done(undefined));
    else {
      child.stdin?.end(input);
      child.on("close", () => done(Buffer.concat(parts).toString("utf8")));
    }
    child.unref();
  });
}

/** A process that a hook left behind lives no longer than this (ms). */
const BACKGROUND_MS = 60_000;

/** Ends this process when its time is up, even in the middle of work that never comes back to the event loop. */
export function boundThisProcess(): void {
  new Worker(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${BACKGROUND_MS})`, { eval: true }).unref();
}

/** The environment of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

/** More than any client sends; what is longer is not a hook's input. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * All of standard input, or as much of it as makes a whole JSON object: a client that does not close its end is not
 * waited for. Read in place: streams cost a process that has just started a fifth of its time.
 */
export function readInput(): string {
  const chunk = Buffer.alloc(65_536);
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const read = readSome(chunk);
    if (read === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, read)));
    size += read;
    if (size > MOST_BYTES) return "";
    // Only a short message is looked at before its end: looking costs as much as reading.
    if (read < chunk.byteLength && parts.length === 1 && isWhole(parts[0] ?? chunk)) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(0, chunk, 0, chunk.byteLength, null);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EOF" || code === "EISDIR" || code === "EBADF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2); // another process made it non-blocking
    }
  }
}

function isWhole(bytes: Buffer): boolean {
  const text = bytes.toString("utf8").trimEnd();
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the rest is still to come
  }
}

/** Writes to standard output; `false` when nobody reads it any more. */
export function writeOutput(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.byteLength;) at += writeSome(bytes, at);
    return true;
  } catch {
    return false; // a reader that went away, a full disk: the client goes on without an answer
  }
}

/** One line for whoever looks at standard error. */
export function writeComplaint(line: string): void {
  try {
    fs.writeSync(2, line);
  } catch {
    // Nobody reads it; the client goes on.
  }
}

function writeSome(bytes: Buffer, at: number): number {
  try {
    return fs.writeSync(1, bytes, at);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    return 0;
  }
}
