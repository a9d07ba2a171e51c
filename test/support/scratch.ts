import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { afterEveryTest } from "./after-every-test.ts";

const made: string[] = [];

/**
 * A new empty directory with a space and an accent in its name, removed after the test. It is in memory if possible,
 * because most tests sync and never lose power; tests of faults and of the file adapter use the disk.
 */
export function scratch(parent = isAboutFaults() ? os.tmpdir() : memoryDirectory()): string {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(parent, "memdir Jané Döe ")));
  made.push(directory);
  return directory;
}

/** A file system in memory, if there is one. */
export function memoryDirectory(): string {
  return fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();
}

function isAboutFaults(): boolean {
  const file = expect.getState().testPath ?? "";
  return [["faults"], ["adapters", "files"]].some((place) => file.includes(path.join(path.sep, ...place, path.sep)));
}

afterEveryTest(() => {
  for (const directory of made.splice(0)) {
    makeWritable(directory);
    // A hook may have left a process that is still writing its last line.
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});

function makeWritable(directory: string): void {
  fs.chmodSync(directory, 0o700);
  for (const entry of fs.readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(path.join(directory, entry.name));
}

/** Every file below a directory with its bytes, by relative path. */
export function filesBelow(directory: string): Map<string, Buffer> {
  const out = new Map<string, Buffer>();
  const visit = (relative: string): void => {
    for (const entry of fs.readdirSync(path.join(directory, relative), { withFileTypes: true })) {
      const name = path.join(relative, entry.name);
      if (entry.isDirectory()) visit(name);
      else if (entry.isFile()) {
        const bytes = readIfThere(path.join(directory, name));
        if (bytes !== undefined) out.set(name, bytes);
      }
    }
  };
  visit("");
  return out;
}

/** A running process may remove a file between listing and reading. */
function readIfThere(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (fs.existsSync(file)) throw error;
    return undefined;
  }
}
