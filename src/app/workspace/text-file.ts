import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** With less room than this (bytes) writing a journal line may fail. */
const LEAST_ROOM_BYTES = 256 * 1024;

/** Bytes that can still be written at a directory, which may not exist yet. */
export function roomIn(directory: string): number {
  let place = directory;
  while (!fs.existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  const { bavail, bsize } = fs.statfsSync(place);
  return bavail * bsize;
}

/** What a full disk means for hooks, which could not even log the error; `undefined` if there is room. */
export function roomProblem(directory: string, room = roomIn(directory)): string | undefined {
  if (room >= LEAST_ROOM_BYTES) return undefined;
  return `${Math.floor(room / 1024)} KB are left on the disk of ${directory}: agents work on, but nothing is captured, logged or remembered until there is room`;
}

/** Every regular file below a directory, relative to it, sorted. */
export function filesBelow(directory: string): readonly string[] {
  if (!fs.existsSync(directory)) return [];
  const visit = (relative: string): string[] =>
    fs.readdirSync(path.join(directory, relative), { withFileTypes: true }).flatMap((entry) => {
      const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) return visit(name);
      return entry.isFile() ? [name] : [];
    });
  return visit("").toSorted();
}

/** A user's own file is not larger than this (bytes). */
const LARGEST_BYTES = 50_000_000;

/** Reads a text file that the user named. @throws MemoryError if it is missing, not a file, or too large. */
export function readTextFile(file: string, what: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new MemoryError("not-found", `there is no file ${file}; a file of ${what} is needed`);
  if (!stat.isFile()) throw new MemoryError("invalid-input", `${file} is not a file; a file of ${what} is needed`);
  if (stat.size > LARGEST_BYTES)
    throw new MemoryError("invalid-input", `${file} has ${stat.size} bytes; a file of ${what} is much smaller`);
  return new TextDecoder().decode(nodeFiles.read(file));
}

/** Writes a new file that only the user can read. @throws MemoryError `conflict` if it exists. */
export function writeNewFile(file: string, text: string): void {
  if (fs.existsSync(file))
    throw new MemoryError("conflict", `${file} already exists; name another file, or remove it first`);
  nodeFiles.create(file, new TextEncoder().encode(text));
}
