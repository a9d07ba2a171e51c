import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../core/shared/errors.ts";

/** Why a missing directory cannot be created; `undefined` if it can. Checks without writing. */
export function obstacleToMaking(directory: string): string | undefined {
  const place = nearestPlace(directory);
  return obstacleToWriting(place) ?? pseudoProblem(place);
}

/** Why a directory is not writable; `undefined` if it is. */
export function obstacleToWriting(directory: string): string | undefined {
  if (fs.existsSync(directory) && !fs.statSync(directory).isDirectory()) return `${directory} is not a directory`;
  return accessProblem(directory, fs.constants.W_OK | fs.constants.X_OK);
}

/** Why a file cannot be written in place; `undefined` if it can. */
export function obstacleToChanging(file: string): string | undefined {
  return accessProblem(file, fs.constants.W_OK);
}

/** The path itself, or its nearest existing parent. */
function nearestPlace(place: string): string {
  return fs.existsSync(place) || path.dirname(place) === place ? place : nearestPlace(path.dirname(place));
}

/** Kernel file systems by `f_type`: proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, devpts. */
const PSEUDO: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x1cd1,
]);

/** Root may have write access there, but no file can be created. */
function pseudoProblem(place: string): string | undefined {
  if (process.platform !== "linux" || !PSEUDO.has(fs.statfsSync(place).type)) return undefined;
  return `${place} belongs to the kernel, and no file can be created there`;
}

function accessProblem(place: string, access: number): string | undefined {
  try {
    fs.accessSync(place, access);
    return undefined;
  } catch (error) {
    // Every refusal of access is an answer, not an error.
    if (codeOf(error) === "") throw error;
    const reasons: Readonly<Record<string, string>> = {
      EACCES: "is not writable for this user",
      EROFS: "is on a disk that is mounted read-only",
      ENOENT: "does not exist and cannot be created",
      ENOTDIR: "has a file where a directory above it should be",
    };
    return `${place} ${reasons[codeOf(error)] ?? `cannot be written (${codeOf(error)})`}`;
  }
}
