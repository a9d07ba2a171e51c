import fs from "node:fs";
import path from "node:path";
import { afterEveryFile } from "./after-every-test.ts";
import { memoryDirectory } from "./scratch.ts";

const made: string[] = [];

afterEveryFile(() => {
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** A new empty directory that all tests of a file share. */
export function scratchForFile(): string {
  const directory = fs.mkdtempSync(path.join(memoryDirectory(), "memdir Jané Döe "));
  made.push(directory);
  return directory;
}
