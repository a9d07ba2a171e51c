import fs from "node:fs";
import type { Environment } from "../workspace/locations.ts";
import { codeOf } from "../../core/shared/errors.ts";

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
