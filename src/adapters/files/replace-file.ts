import { randomBytes } from "node:crypto";
import type { FilePort } from "../../core/notes/file-port.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";

/**
 * Replaces one file without ever losing what somebody else writes at the same moment. The old file
 * is moved aside rather than overwritten; the new one appears by a link that refuses to replace. So
 * an editor that saves in between is noticed (`changed`, nothing replaced), and one that still holds
 * the old file open writes into the displaced copy, which `sweepDisplaced` looks at once more.
 */
export interface FileReplacer {
  /**
   * `expected` is the hash of the content to replace, `undefined` when no file may be there; `content`
   * undefined deletes. The new name is not durable before its directory is synced.
   */
  replace(file: string, content: Uint8Array | undefined, expected: string | undefined): "done" | "changed";
  /** Displaced copies that are due go; those that were written into after they were displaced are handed to `late` first. */
  sweepDisplaced(isDue: (copy: DisplacedCopy) => boolean, late: (file: string, content: Uint8Array) => void): void;
  /** Copies of `file` that were moved aside and are still as they were then, newest first. */
  displaced(file: string): readonly Uint8Array[];
  /** Removes displaced copies of a file at once. */
  purge(file: string): void;
}

export interface DisplacedCopy {
  readonly path: string;
  /** When it was moved aside (ms). */
  readonly time: number;
  readonly file: string;
  /** The beginning of the hash that it had then. */
  readonly hash: string;
}

const MAX_NAME_BYTES = 250;
const HASH_CHARACTERS = 16;

export function createFileReplacer(directory: string, state: string, files: FilePort, now: () => number): FileReplacer {
  const displacedDirectory = `${state}/displaced`;
  // Random, because process ids and clocks repeat: in containers every process may be number 1.
  const nextTemporary = (): string => `${directory}/.memdir-${randomBytes(9).toString("hex")}.tmp`;
  const aside = (file: string, expected: string): string | undefined => {
    const name = displacedName(now(), expected, file);
    if (name !== undefined) files.makeDirectory(displacedDirectory);
    return name === undefined ? undefined : `${displacedDirectory}/${name}`;
  };
  const copies = (): DisplacedCopy[] => displacedCopies(displacedDirectory, files);
  let canLink = true;

  const replaceExisting = (path: string, temporary: string, displaced: string | undefined, expected: string): "done" | "changed" => {
    const outcome = canLink && displaced !== undefined ? swap(files, path, temporary, displaced, expected) : "cannot";
    canLink &&= outcome !== "no-links";
    if (outcome === "done" || outcome === "changed") return outcome;
    // No links here, or state on another device: what is left is a window of microseconds.
    if (!holds(files, path, expected)) return "changed";
    return files.rename(temporary, path) === "renamed" ? "done" : "changed";
  };

  return {
    replace(file, content, expected) {
      const path = `${directory}/${file}`;
      if (content === undefined) return expected === undefined ? "done" : remove(files, path, aside(file, expected), expected);
      const slash = file.lastIndexOf("/");
      if (slash !== -1) files.makeDirectory(`${directory}/${file.slice(0, slash)}`);
      const temporary = nextTemporary();
      try {
        files.create(temporary, content);
        if (expected !== undefined) files.copyMode(path, temporary);
        return expected === undefined ? createNew(files, temporary, path) : replaceExisting(path, temporary, aside(file, expected), expected);
      } finally {
        ifPossible(() => files.remove(temporary)); // else it is swept as a leftover
      }
    },
    sweepDisplaced(isDue, late) {
      for (const copy of copies().filter(isDue)) {
        const content = files.read(copy.path);
        if (content !== undefined && hashPart(content) !== copy.hash) late(copy.file, content);
        files.remove(copy.path);
      }
    },
    displaced(file) {
      const own = copies().filter((copy) => copy.file === file).toSorted((a, b) => b.time - a.time);
      return own.flatMap(({ path, hash }) => {
        const content = files.read(path);
        return content !== undefined && hashPart(content) === hash ? [content] : [];
      });
    },
    purge(file) {
      for (const copy of copies()) if (copy.file === file) files.remove(copy.path);
    },
  };
}

/** Moves the old file aside, looks at it once more, and links the new one into its place. */
function swap(files: FilePort, path: string, temporary: string, displaced: string, expected: string): "done" | "changed" | "cannot" | "no-links" {
  const moved = files.rename(path, displaced);
  if (moved === "absent") return "changed";
  if (moved === "cross-device") return "cannot";
  return orPutBack(files, displaced, path, () => {
    const linked = holds(files, displaced, expected) ? files.link(temporary, path) : undefined;
    if (linked === "linked") return "done";
    if (linked !== "exists") putBack(files, displaced, path);
    return linked === "unsupported" ? "no-links" : "changed";
  });
}

function remove(files: FilePort, path: string, displaced: string | undefined, expected: string): "done" | "changed" {
  const moved = displaced === undefined ? "cross-device" : files.rename(path, displaced);
  if (moved === "absent") return "changed";
  if (displaced === undefined || moved === "cross-device") {
    if (!holds(files, path, expected)) return "changed";
    files.remove(path);
    return "done";
  }
  return orPutBack(files, displaced, path, () => {
    if (holds(files, displaced, expected)) return "done";
    putBack(files, displaced, path);
    return "changed";
  });
}

function holds(files: FilePort, path: string, expected: string): boolean {
  const content = files.read(path);
  return content !== undefined && sha256(content) === expected;
}

/** When a still newer file is there already, the displaced one stays and is swept as a late edit. */
function putBack(files: FilePort, displaced: string, path: string): void {
  const linked = files.link(displaced, path);
  if (linked === "linked") files.remove(displaced);
  else if (linked === "unsupported" && files.stat(path) === undefined) files.rename(displaced, path);
}

/** A file that was moved aside does not stay there because the next step failed. */
function orPutBack<T>(files: FilePort, displaced: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    ifPossible(() => putBack(files, displaced, path)); // else recovery finds the displaced copy
    throw error;
  }
}

/** For what somebody else makes good when it fails. */
function ifPossible(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

function createNew(files: FilePort, temporary: string, path: string): "done" | "changed" {
  const linked = files.link(temporary, path);
  if (linked === "linked") return "done";
  if (linked === "exists" || files.stat(path) !== undefined) return "changed";
  return files.rename(temporary, path) === "renamed" ? "done" : "changed";
}

/** `time~hash~file`; `undefined` when the name would be too long for a file system. */
function displacedName(time: number, hash: string, file: string): string | undefined {
  const escaped = file.replace(/[%~/\\<>:"|?*\0-\x1f]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const name = `${time}~${hash.slice(0, HASH_CHARACTERS)}~${escaped}`;
  return Buffer.byteLength(name) > MAX_NAME_BYTES ? undefined : name;
}

function displacedCopies(directory: string, files: FilePort): DisplacedCopy[] {
  return (files.list(directory) ?? []).flatMap(({ name }) => {
    const [, time, hash, escaped] = /^(\d+)~([0-9a-f]+)~(.+)$/su.exec(name) ?? [];
    if (time === undefined || hash === undefined || escaped === undefined) return [];
    const file = escaped.replace(/%([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return [{ path: `${directory}/${name}`, time: Number(time), hash, file }];
  });
}

function hashPart(content: Uint8Array): string {
  return sha256(content).slice(0, HASH_CHARACTERS);
}
