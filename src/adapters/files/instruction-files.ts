import fs from "node:fs";
import {
  type FileRead,
  type InstructionFiles,
  type ListedEntry,
  MAX_FILE_BYTES,
} from "../../core/instructions/ports.ts";
import { codeOf } from "../../core/shared/errors.ts";

/** The machine's file system, read only. Failures are returned, not thrown, so one bad file never stops the others. */
export const instructionFiles: InstructionFiles = {
  read,
  kind(path) {
    const stat = quietly(() => fs.lstatSync(path, { throwIfNoEntry: false }));
    if (stat === undefined) return undefined;
    if (stat.isFile()) return "file";
    if (stat.isDirectory()) return "directory";
    return stat.isSymbolicLink() ? "link" : "other";
  },
  realPath(path) {
    // Most candidates do not exist, and resolving a missing path throws, which is slow.
    const stat = quietly(() => fs.lstatSync(path, { throwIfNoEntry: false }));
    if (stat === undefined) return undefined;
    const name = path.slice(path.lastIndexOf("/") + 1);
    // A directory may hold hundreds of rules, so it is resolved once. Other systems may spell names differently.
    if (
      process.platform !== "linux" ||
      !path.startsWith("/") ||
      stat.isSymbolicLink() ||
      name === "" ||
      name === "." ||
      name === ".."
    )
      return realPathOf(path);
    const directory = realDirectory(path.slice(0, -name.length - 1) || "/");
    return directory === undefined ? undefined : `${directory === "/" ? "" : directory}/${name}`;
  },
  isLoop(path) {
    try {
      fs.statSync(path, { throwIfNoEntry: false });
      return false;
    } catch (error) {
      return codeOf(error) === "ELOOP";
    }
  },
  list(path) {
    return (quietly(() => entriesOf(path)) ?? []).map((entry): ListedEntry => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? kindBehind(`${path}/${entry.name}`) : kindOf(entry),
    }));
  },
};

function realPathOf(path: string): string | undefined {
  const real = quietly(() => fs.realpathSync.native(path));
  return real === undefined ? undefined : unix(real);
}

/** Results from this turn of the event loop; a change within it cannot be told from one before or after. */
const realDirectories = new Map<string, string | undefined>();

function realDirectory(path: string): string | undefined {
  if (realDirectories.size === 0) queueMicrotask(() => realDirectories.clear());
  if (!realDirectories.has(path)) realDirectories.set(path, realPathOf(path));
  return realDirectories.get(path);
}

function read(path: string): FileRead {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { state: "absent" };
    if (stat.isDirectory()) return { state: "unreadable", why: "it is a directory, not a file" };
    if (!stat.isFile()) return { state: "unreadable", why: "it is not an ordinary file" };
    if (stat.size > MAX_FILE_BYTES)
      return { state: "unreadable", why: `it has ${stat.size} bytes; more than ${MAX_FILE_BYTES} are not read` };
    return { state: "read", bytes: fs.readFileSync(path) };
  } catch (error) {
    return failed(codeOf(error), error);
  }
}

function failed(code: string, error: unknown): FileRead {
  if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
  if (code === "EACCES" || code === "EPERM")
    return { state: "unreadable", why: "permission denied; check its owner and mode" };
  if (code === "ELOOP") return { state: "unreadable", why: "a symbolic link in a circle" };
  return { state: "unreadable", why: error instanceof Error ? error.message : String(error) };
}

/** In the order of the disk: `readdir` would sort, and clients that read directory by directory do not. */
function entriesOf(path: string): fs.Dirent[] {
  const directory = fs.opendirSync(path, { bufferSize: 256 });
  try {
    const entries: fs.Dirent[] = [];
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) entries.push(entry);
    return entries;
  } finally {
    directory.closeSync();
  }
}

function kindBehind(path: string): ListedEntry["kind"] {
  const stat = quietly(() => fs.statSync(path, { throwIfNoEntry: false }));
  return stat === undefined ? "other" : kindOf(stat);
}

function kindOf(entry: fs.Stats | fs.Dirent): ListedEntry["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : "other";
}

/** A path that cannot be inspected counts as missing; `read` gives the reason when it matters. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) !== "") return undefined;
    throw error;
  }
}

function unix(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
