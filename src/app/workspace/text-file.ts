import fs from "node:fs";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** More than this is no file that a person wrote (bytes). */
const LARGEST_BYTES = 50_000_000;

/** A text that a person named. @throws MemoryError when it is not there, no file, or too large. */
export function readTextFile(file: string, what: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new MemoryError("not-found", `there is no file ${file}; a file of ${what} is needed`);
  if (!stat.isFile()) throw new MemoryError("invalid-input", `${file} is not a file; a file of ${what} is needed`);
  if (stat.size > LARGEST_BYTES)
    throw new MemoryError("invalid-input", `${file} has ${stat.size} bytes; a file of ${what} is much smaller`);
  return new TextDecoder().decode(nodeFiles.read(file));
}

/** Writes a file that must not be there yet, for the user alone. @throws MemoryError `conflict` when it is. */
export function writeNewFile(file: string, text: string): void {
  if (fs.existsSync(file))
    throw new MemoryError("conflict", `${file} already exists; name another file, or remove it first`);
  nodeFiles.create(file, new TextEncoder().encode(text));
}
