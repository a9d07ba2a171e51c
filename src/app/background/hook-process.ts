import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { spawn } from "node:child_process";
import type { Environment } from "../workspace/locations.ts";
import { codeOf } from "../../core/shared/errors.ts";

interface DetachedRun {
  /** A script and its arguments, for this Node executable. */
  readonly command: readonly string[];
  /** Written to its standard input. */
  readonly input: string;
  readonly cwd: string;
  readonly environment: Environment;
  /** How long to wait for its output (ms); 0 reads none. */
  readonly waitMs: number;
}

/**
 * Runs a process in its own group, which may outlive this one. Gives its output if it ended in time, else `undefined`:
 * it then keeps running and must limit itself (`boundThisProcess`).
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
    // The process did not start, or ended before it read its input: the client goes on without it.
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

/** A process that a hook left behind is ended after this (ms). */
const BACKGROUND_MS = 60_000;

/** Ends this process when its time is up, even during work that never returns to the event loop. */
export function boundThisProcess(): void {
  new Worker(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${BACKGROUND_MS})`, { eval: true }).unref();
}

/** The environment variables of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

/** More than any client sends; longer input is not a hook's. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * All of standard input, or as much as makes a whole JSON object: a client may never close its end. Read synchronously:
 * streams cost a newly started process a fifth of its time.
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
    // Only a short message is parsed before its end: parsing costs as much as reading.
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

/** Writes to standard output. `false` when it is closed. */
export function writeOutput(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.byteLength;) at += writeSome(bytes, at);
    return true;
  } catch {
    return false; // the reader is gone or the disk is full: the client goes on without an answer
  }
}

/** Writes one line to standard error. */
export function writeComplaint(line: string): void {
  try {
    fs.writeSync(2, line);
  } catch {
    // Standard error is closed; the client goes on.
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
