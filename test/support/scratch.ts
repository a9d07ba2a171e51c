import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEveryTest } from "./after-every-test.ts";

const made: string[] = [];

/** A new empty directory with a space and an accent in its name, removed after the test. */
export function scratch(parent = os.tmpdir()): string {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(parent, "memdir Jané Döe ")));
  made.push(directory);
  return directory;
}

/** A file system in memory where there is one, for tests that sync thousands of times and never lose power. */
export function memoryDirectory(): string {
  return fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();
}

afterEveryTest(() => {
  for (const directory of made.splice(0)) {
    makeWritable(directory);
    fs.rmSync(directory, { recursive: true, force: true });
  }
});

function makeWritable(directory: string): void {
  fs.chmodSync(directory, 0o700);
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) if (entry.isDirectory()) makeWritable(path.join(directory, entry.name));
}

/** Every file below a directory with its bytes, by relative path. */
export function filesBelow(directory: string): Map<string, Buffer> {
  const out = new Map<string, Buffer>();
  const visit = (relative: string): void => {
    for (const entry of fs.readdirSync(path.join(directory, relative), { withFileTypes: true })) {
      const name = path.join(relative, entry.name);
      if (entry.isDirectory()) visit(name);
      else if (entry.isFile()) out.set(name, fs.readFileSync(path.join(directory, name)));
    }
  };
  visit("");
  return out;
}
