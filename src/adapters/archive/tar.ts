import fs from "node:fs";
import { create, extract } from "tar";
import { MemoryError } from "../../core/shared/errors.ts";

/** The most that one archive may unpack to (bytes). */
const MOST_BYTES = 4 * 1024 ** 3;

/** Packs files of a directory, in order, into `file`, readable only by this user. Equal files give equal bytes. */
export function packFiles(directory: string, files: readonly string[], file: string): void {
  create(
    {
      sync: true,
      file,
      mode: 0o600,
      cwd: directory,
      gzip: { level: 9 },
      portable: true,
      mtime: new Date(0),
      strict: true,
    },
    files.map((name) => `./${name}`),
  );
}

/**
 * Unpacks ordinary files into an empty directory; links and paths that lead outside it are refused.
 * @throws MemoryError `corrupt` if the file is not an archive, is damaged, or would unpack to more than 4 GiB.
 */
export function unpack(file: string, directory: string): void {
  let bytes = 0;
  try {
    extract({
      sync: true,
      file,
      cwd: directory,
      strict: true,
      filter: (path, entry) => {
        if ("type" in entry && entry.type !== "File" && entry.type !== "Directory")
          throw new MemoryError(
            "corrupt",
            `${file} holds ${path}, which is neither file nor directory; nothing was imported`,
          );
        if (path.split("/").includes("..") || path.startsWith("/"))
          throw new MemoryError("corrupt", `${file} holds a path that leads out of it (${path}); nothing was imported`);
        bytes += entry.size ?? 0;
        if (bytes > MOST_BYTES)
          throw new MemoryError("corrupt", `${file} unpacks to more than ${MOST_BYTES} bytes; nothing was imported`);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof MemoryError || !(error instanceof Error)) throw error;
    throw new MemoryError("corrupt", `${file} cannot be read as an archive: ${error.message}`, { cause: error });
  }
}

/** Whether a file starts with gzip's magic bytes. */
export function looksPacked(file: string): boolean {
  const handle = fs.openSync(file, "r");
  try {
    const head = Buffer.alloc(2);
    return fs.readSync(handle, head, 0, 2, 0) === 2 && head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    fs.closeSync(handle);
  }
}
