import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../core/shared/errors.ts";

/**
 * Makes a directory level by level, for its owner only; `made` hears of the parent of each. Node's own recursive mkdir
 * never returns where a directory answers a new child with ENOENT, as /proc does (Node 20.20).
 */
export function makeDirectories(directory: string, made?: (parent: string) => void): void {
  if (fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectories(parent, made);
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) === "EEXIST" && fs.statSync(directory).isDirectory()) return;
    throw error;
  }
  made?.(parent);
}
