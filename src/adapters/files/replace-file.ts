import { randomBytes } from "node:crypto";
import type { FilePort } from "../../core/notes/file-port.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";

/**
 * Replaces one file without ever losing what someone else writes at the same moment. The old file
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
  /**
   * Displaced copies that are due go; those that were written into after they were displaced are handed to `late` first, and
   * stay when it could not keep the text (`false`).
   */
  sweepDisplaced(isDue: (copy: DisplacedCopy) => boolean, late: (file: string, content: Uint8Array) => boolean): void;
  /** Whether one of the displaced copies that are due was written into after it was displaced. */
  hasLate(isDue: (copy: DisplacedCopy) => boolean): boolean;
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

/** How often a file is put together again that others keep appending to; then it stays in the history. */
const REJOIN_ATTEMPTS = 20;
const MAX_NAME_BYTES = 250;
const HASH_CHARACTERS = 16;

/** Puts one file in the place of another; the paths are absolute. */
interface Exchange {
  /** Runs `work` with a new file of this content beside the notes, which is gone afterwards. */
  with<T>(content: Uint8Array, work: (temporary: string) => T): T;
  /** Where a file with this hash is moved aside to; `undefined` when its name would be too long. */
  aside(file: string, expected: string): string | undefined;
  replaceExisting(path: string, temporary: string, expected: string): "done" | "changed";
}

function createExchange(directory: string, displacedDirectory: string, files: FilePort, now: () => number): Exchange {
  let canLink = true;
  const exchange: Exchange = {
    with(content, work) {
      // Random, because process ids and clocks repeat: in containers every process may be number 1.
      const temporary = `${directory}/.memdir-${randomBytes(9).toString("hex")}.tmp`;
      try {
        files.create(temporary, content);
        return work(temporary);
      } finally {
        ifPossible(() => files.remove(temporary)); // else it is swept as a leftover
      }
    },
    aside(file, expected) {
      const name = displacedName(now(), expected, file);
      if (name !== undefined) files.makeDirectory(displacedDirectory);
      return name === undefined ? undefined : `${displacedDirectory}/${name}`;
    },
    replaceExisting(path, temporary, expected) {
      const displaced = exchange.aside(path.slice(directory.length + 1), expected);
      const outcome = canLink && displaced !== undefined ? swap(files, path, temporary, displaced, expected) : "cannot";
      canLink &&= outcome !== "no-links";
      if (outcome === "overtaken") {
        const earlier = displaced === undefined ? undefined : files.read(displaced);
        if (earlier !== undefined) rejoin(exchange, files, path, earlier);
        return "changed";
      }
      if (outcome === "done" || outcome === "changed") return outcome;
      // No links here, or state on another device: what is left is a window of microseconds.
      if (!holds(files, path, expected)) return "changed";
      return files.rename(temporary, path) === "renamed" ? "done" : "changed";
    },
  };
  return exchange;
}

/** A line appended to a file that was aside made a new file of that line alone: the earlier text comes back before it. */
function rejoin(exchange: Exchange, files: FilePort, path: string, earlier: Uint8Array): void {
  for (let attempt = 0; attempt < REJOIN_ATTEMPTS; attempt++) {
    const current = files.read(path);
    if (current !== undefined && isWholeText(current, earlier)) return;
    const outcome = exchange.with(current === undefined ? earlier : joined(earlier, current), (temporary) =>
      current === undefined
        ? createNew(files, temporary, path)
        : exchange.replaceExisting(path, temporary, sha256(current)),
    );
    if (outcome === "done") return;
  }
}

/** Replaces whole files without losing a text that another program saves at the same moment; the old text is kept aside for a while. */
export function createFileReplacer(directory: string, state: string, files: FilePort, now: () => number): FileReplacer {
  const displacedDirectory = `${state}/displaced`;
  const exchange = createExchange(directory, displacedDirectory, files, now);
  const copies = (): DisplacedCopy[] => displacedCopies(displacedDirectory, files);
  /** What was written into a copy since it was moved aside: its whole content. */
  const lateContent = ({ path, hash }: DisplacedCopy): Uint8Array | undefined => {
    const content = files.read(path);
    return content !== undefined && hashPart(content) !== hash ? content : undefined;
  };

  return {
    replace(file, content, expected) {
      const path = `${directory}/${file}`;
      if (content === undefined)
        return expected === undefined ? "done" : remove(files, path, exchange.aside(file, expected), expected);
      const slash = file.lastIndexOf("/");
      if (slash !== -1) files.makeDirectory(`${directory}/${file.slice(0, slash)}`);
      return exchange.with(content, (temporary) => {
        if (expected === undefined) return createNew(files, temporary, path);
        files.copyMode(path, temporary);
        return exchange.replaceExisting(path, temporary, expected);
      });
    },
    sweepDisplaced(isDue, late) {
      for (const copy of copies().filter(isDue)) {
        const content = lateContent(copy);
        if (content === undefined || late(copy.file, content)) files.remove(copy.path);
      }
    },
    hasLate: (isDue) => copies().some((copy) => isDue(copy) && lateContent(copy) !== undefined),
    displaced(file) {
      const own = copies()
        .filter((copy) => copy.file === file)
        .toSorted((a, b) => b.time - a.time);
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
function swap(
  files: FilePort,
  path: string,
  temporary: string,
  displaced: string,
  expected: string,
): "done" | "changed" | "overtaken" | "cannot" | "no-links" {
  const moved = files.rename(path, displaced);
  if (moved === "absent") return "changed";
  if (moved === "cross-device") return "cannot";
  return orPutBack(files, displaced, path, () => {
    const linked = holds(files, displaced, expected) ? files.link(temporary, path) : undefined;
    if (linked === "linked") return "done";
    const isBack = linked !== "exists" && putBack(files, displaced, path);
    return linked === "unsupported" ? "no-links" : isBack ? "changed" : "overtaken";
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

/** `false` when a still newer file is there already: the displaced one stays then. */
function putBack(files: FilePort, displaced: string, path: string): boolean {
  const linked = files.link(displaced, path);
  if (linked === "linked") files.remove(displaced);
  else if (linked === "unsupported" && files.stat(path) === undefined) files.rename(displaced, path);
  return linked !== "exists";
}

/** Whether a new file is the text saved once more, and not a few lines appended to nothing: it has half of its lines. */
function isWholeText(current: Uint8Array, earlier: Uint8Array): boolean {
  const lines = (bytes: Uint8Array): Set<string> =>
    new Set(
      Buffer.from(bytes)
        .toString("latin1")
        .split(/\r?\n/u)
        .filter((line) => line.trim() !== ""),
    );
  const [had, has] = [lines(earlier), lines(current)];
  return [...had].filter((line) => has.has(line)).length * 2 >= had.size;
}

function joined(earlier: Uint8Array, appended: Uint8Array): Uint8Array {
  const isEnded = earlier.length === 0 || earlier.at(-1) === 10;
  return Buffer.concat([earlier, ...(isEnded ? [] : [Buffer.from("\n")]), appended]);
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

/** For what someone else makes good when it fails. */
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
  const escaped = file.replace(
    /[%~/\\<>:"|?*\0-\x1f]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
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
