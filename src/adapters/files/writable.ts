import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../core/shared/errors.ts";

/** Why a directory that is not there cannot be made; `undefined` when it can. Nothing is written to find out. */
export function obstacleToMaking(directory: string): string | undefined {
  const place = nearestPlace(directory);
  return obstacleToWriting(place) ?? pseudoProblem(place);
}

/** Why nothing can be written to a directory; `undefined` when it can. */
export function obstacleToWriting(directory: string): string | undefined {
  if (fs.existsSync(directory) && !fs.statSync(directory).isDirectory()) return `${directory} is not a directory`;
  return accessProblem(directory, fs.constants.W_OK | fs.constants.X_OK);
}

/** Why a file cannot be written in place; `undefined` when it can. */
export function obstacleToChanging(file: string): string | undefined {
  return accessProblem(file, fs.constants.W_OK);
}

/** The path itself, or the nearest above it that is there. */
function nearestPlace(place: string): string {
  return fs.existsSync(place) || path.dirname(place) === place ? place : nearestPlace(path.dirname(place));
}

/** What the kernel shows as files: proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, devpts, by `f_type`. */
const PSEUDO: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x1cd1,
]);

/** The administrator may write there, and still no file can be made. */
function pseudoProblem(place: string): string | undefined {
  if (process.platform !== "linux" || !PSEUDO.has(fs.statfsSync(place).type)) return undefined;
  return `${place} belongs to the kernel, and no file can be created there`;
}

function accessProblem(place: string, access: number): string | undefined {
  try {
    fs.accessSync(place, access);
    return undefined;
  } catch (error) {
    // What may be done here is the question; every refusal is an answer.
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
