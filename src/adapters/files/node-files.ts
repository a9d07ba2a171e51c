import fs from "node:fs";
import path from "node:path";
import type { DirectoryEntry, FilePort, FileStat } from "../../core/notes/file-port.ts";
import { codeOf, MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";

/** For optional work: if the disk is full or read-only, the only cost is doing it again later. */
export function unlessImpossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

/** The machine's file system. Files and directories that it creates are accessible only to the user (0600, 0700). */
export const nodeFiles: FilePort = {
  read: (file) => optional("read", file, () => fs.readFileSync(file)),
  stat: (file) => {
    const stat = optional("inspect", file, () => fs.lstatSync(file, { throwIfNoEntry: false }));
    return stat === undefined ? undefined : { kind: kindOf(stat), size: stat.size, mtimeMs: stat.mtimeMs };
  },
  list: (directory) =>
    optional("list", directory, () =>
      fs
        .readdirSync(directory, { withFileTypes: true })
        .map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOf(entry) })),
    ),
  makeDirectory: (directory) => attempt("create the directory", directory, () => makeDurably(directory)),
  create: (file, bytes) => attempt("write", file, () => writeDurably(file, "wx", bytes)),
  copyMode: (from, to) =>
    attempt("set the permissions of", to, () => {
      const mode = fs.statSync(from, { throwIfNoEntry: false })?.mode;
      if (mode !== undefined) fs.chmodSync(to, mode & 0o777);
    }),
  append: (file, bytes) => attempt("append to", file, () => writeDurably(file, "a", bytes)),
  jot: (file, bytes) => attempt("append to", file, () => fs.appendFileSync(file, bytes, { mode: 0o600 })),
  note: (file, bytes) => attempt("write", file, () => fs.writeFileSync(file, bytes, { mode: 0o600 })),
  rename: (from, to) =>
    attempt("replace", to, () => {
      try {
        fs.renameSync(from, to);
        return "renamed";
      } catch (error) {
        if (codeOf(error) === "ENOENT") return "absent";
        if (codeOf(error) === "EXDEV") return "cross-device";
        throw error;
      }
    }),
  link: (from, to) =>
    attempt("link", to, () => {
      try {
        fs.linkSync(from, to);
        return "linked";
      } catch (error) {
        const code = codeOf(error);
        if (code === "EEXIST") return "exists";
        if (code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "ENOSYS" || code === "EMLINK")
          return "unsupported";
        throw error;
      }
    }),
  remove: (file) => attempt("remove", file, () => fs.rmSync(file, { force: true })),
  removeTree: (directory) =>
    attempt("remove", directory, () => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 })),
  syncDirectory: (directory) => attempt("sync", directory, () => syncNames(directory)),
};

function syncNames(directory: string): void {
  if (process.platform === "win32") return; // Windows cannot sync directories
  const fd = fs.openSync(directory, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** The name of each level is on disk on return. */
function makeDurably(directory: string): void {
  try {
    makeDirectories(directory, syncNames);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new MemoryError(
      "permission",
      `cannot create the directory ${directory}: nothing can be created there; choose another place`,
      { cause: error },
    );
  }
}

/**
 * Creates a directory level by level, accessible only to the user; calls `made` with the parent of each. Node's own
 * recursive mkdir never returns if a directory answers ENOENT for a new child, as /proc does (Node 20.20).
 */
export function makeDirectories(directory: string, made?: (parent: string) => void): void {
  if (fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectories(parent, made);
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) === "EEXIST" && fs.statSync(directory).isDirectory()) return;
    throw error;
  }
  made?.(parent);
}

function writeDurably(file: string, flags: "wx" | "a", bytes: Uint8Array): void {
  const fd = fs.openSync(file, flags, 0o600);
  try {
    for (let at = 0; at < bytes.byteLength;) at += fs.writeSync(fd, bytes, at);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function kindOf(entry: fs.Stats | fs.Dirent): FileStat["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

function optional<T>(verb: string, file: string, work: () => T): T | undefined {
  return attempt(verb, file, () => {
    try {
      return work();
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
      throw error;
    }
  });
}

function attempt<T>(verb: string, file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof MemoryError ? error : toMemoryError(error, verb, file);
  }
}

const MEANINGS: Readonly<Record<string, readonly [MemoryErrorCode, string]>> = {
  EACCES: ["permission", "permission denied; check its owner and mode"],
  EPERM: ["permission", "not permitted; check its owner and mode"],
  EROFS: ["permission", "the file system is read-only"],
  ENOSPC: ["disk-full", "the disk is full; free some space and try again, nothing was lost"],
  EDQUOT: ["disk-full", "the quota is used up; free some space and try again, nothing was lost"],
  EEXIST: ["invalid-input", "a file is in its place"],
  ENOTDIR: ["invalid-input", "a file is in the place of a directory on the way"],
  EISDIR: ["invalid-input", "it is a directory, not a file"],
  ENAMETOOLONG: ["invalid-input", "the name is too long for the file system"],
  EMFILE: ["io", "too many files are open"],
};

function toMemoryError(error: unknown, verb: string, file: string): MemoryError {
  const [code, meaning] = MEANINGS[codeOf(error)] ?? ["io", error instanceof Error ? error.message : String(error)];
  return new MemoryError(code, `cannot ${verb} ${path.normalize(file)}: ${meaning}`, { cause: error });
}

export interface PutOptions {
  readonly files?: Pick<FilePort, "remove" | "create" | "rename" | "syncDirectory">;
  /** Temporary path on the same device. Default: the file's path with this process's id. */
  readonly aside?: string;
  /** Syncs the directory too, so that the name is on disk as well as the content. */
  readonly named?: boolean;
}

/** Replaces a whole file at once: readers find the old or the new content, even after a crash. Durable on return. */
export function putFile(
  file: string,
  content: string | Uint8Array,
  { files = nodeFiles, aside = `${file}.${process.pid}`, named = false }: PutOptions = {},
): void {
  files.remove(aside);
  files.create(aside, typeof content === "string" ? new TextEncoder().encode(content) : content);
  files.rename(aside, file);
  if (named) files.syncDirectory(path.dirname(file));
}
