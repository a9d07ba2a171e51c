import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";
import { nodeFiles } from "./node-files.ts";

/** A settings file of another program; links are followed. */
export type SettingsRead =
  | { readonly state: "absent"; readonly target: string }
  | { readonly state: "read"; readonly target: string; readonly bytes: Uint8Array }
  | { readonly state: "unreadable"; readonly why: string };

/** A larger file is not a settings file (bytes). */
const LARGEST_BYTES = 64_000_000;

/** Reads the current content; `target` is the file itself, so that a link to it is kept. */
export function readSettingsFile(file: string): SettingsRead {
  const entry = nodeFiles.stat(file);
  if (entry === undefined) return { state: "absent", target: file };
  const target = entry.kind === "link" ? realPath(file) : file;
  if (target === undefined) return { state: "unreadable", why: "it is a link to nothing; fix the link" };
  const stat = fs.statSync(target);
  if (!stat.isFile()) return { state: "unreadable", why: "it is not an ordinary file" };
  if (stat.size > LARGEST_BYTES)
    return { state: "unreadable", why: `it has ${stat.size} bytes, which is too much for settings` };
  const bytes = nodeFiles.read(target);
  return bytes === undefined ? { state: "absent", target } : { state: "read", target, bytes };
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined; // a dangling or circular link
  }
}

/**
 * Replaces a file in one step if it still holds `expected` (`undefined`: if it does not exist). The program that owns
 * it may write at any time, so the last check comes right before the rename. `content` undefined removes it.
 */
export function replaceSettingsFile(
  target: string,
  expected: Uint8Array | undefined,
  content: Uint8Array | undefined,
): "done" | "changed" {
  const directory = path.dirname(target);
  if (content === undefined) {
    if (!holds(target, expected)) return "changed";
    nodeFiles.remove(target);
    nodeFiles.syncDirectory(directory);
    return "done";
  }
  const temporary = path.join(directory, `.memdir-${randomBytes(9).toString("hex")}.tmp`);
  try {
    nodeFiles.create(temporary, content);
    if (expected === undefined) fs.chmodSync(temporary, 0o666 & ~process.umask());
    else nodeFiles.copyMode(target, temporary);
    if (!holds(target, expected)) return "changed";
    nodeFiles.rename(temporary, target);
    nodeFiles.syncDirectory(directory);
    return "done";
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function holds(target: string, expected: Uint8Array | undefined): boolean {
  const bytes = nodeFiles.read(target);
  return bytes === undefined || expected === undefined ? bytes === expected : Buffer.from(bytes).equals(expected);
}

/** Creates a path's missing directories with the person's usual permissions; returns them, outermost first. */
export function makeMissingDirectories(directory: string): readonly string[] {
  const missing: string[] = [];
  for (let at = directory; !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
  try {
    for (const one of missing) fs.mkdirSync(one);
  } catch (error) {
    throw new MemoryError(
      "permission",
      `cannot create the directory ${directory}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return missing;
}

/** Removes a directory if it is empty. */
export function removeIfEmpty(directory: string): boolean {
  if (nodeFiles.list(directory)?.length !== 0) return false;
  fs.rmdirSync(directory);
  return true;
}
