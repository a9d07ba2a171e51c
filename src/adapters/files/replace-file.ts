import { randomBytes } from "node:crypto";
import type { FilePort } from "../../core/notes/file-port.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";

/**
 * Replaces one file without losing anything that another program writes at the same moment. The old file is moved aside
 * rather than overwritten, and the new one is put in place by a link that refuses to overwrite. So a save in between is
 * noticed (`changed`, nothing replaced), and an editor that still holds the old file open writes into the displaced
 * copy, which `sweepDisplaced` checks later.
 */
export interface FileReplacer {
  /**
   * `expected` is the hash of the content to replace, or `undefined` if the file must not exist; `content` undefined
   * deletes. The new name is not durable until its directory is synced.
   */
  replace(file: string, content: Uint8Array | undefined, expected: string | undefined): "done" | "changed";
  /**
   * Removes displaced copies that are due. Copies edited after they were displaced are first passed to `late`, and stay
   * if it could not keep the text (`false`).
   */
  sweepDisplaced(
    isDue: (copy: DisplacedCopy) => boolean,
    late: (copy: DisplacedCopy, content: Uint8Array) => boolean,
  ): void;
  /** Whether a displaced copy that is due was edited after it was displaced. */
  hasLate(isDue: (copy: DisplacedCopy) => boolean): boolean;
  /** Unedited displaced copies of `file`, newest first. */
  displaced(file: string): readonly Uint8Array[];
  /** Removes displaced copies of a file immediately. */
  purge(file: string): void;
}

export interface DisplacedCopy {
  readonly path: string;
  /** When it was moved aside (ms). */
  readonly time: number;
  readonly file: string;
  /** The start of its content hash at that time. */
  readonly hash: string;
}

/** How often a file that others keep appending to is rejoined; after that its earlier text stays in the history. */
const REJOIN_ATTEMPTS = 20;
const MAX_NAME_BYTES = 250;
const HASH_CHARACTERS = 16;

/** Puts one file in the place of another; paths are absolute. */
interface Exchange {
  /** Runs `work` with a temporary file of this content in the notes directory, which is removed afterwards. */
  with<T>(content: Uint8Array, work: (temporary: string) => T): T;
  /** The path to which a file with this hash is moved aside; `undefined` when its name would be too long. */
  aside(file: string, expected: string): string | undefined;
  replaceExisting(path: string, temporary: string, expected: string): "done" | "changed";
}

function createExchange(directory: string, displacedDirectory: string, files: FilePort, now: () => number): Exchange {
  let canLink = true;
  const exchange: Exchange = {
    with(content, work) {
      // Random, because process ids and clocks repeat: in containers every process may have id 1.
      const temporary = `${directory}/.memdir-${randomBytes(9).toString("hex")}.tmp`;
      try {
        files.create(temporary, content);
        return work(temporary);
      } finally {
        ifPossible(() => files.remove(temporary)); // otherwise it is removed later as a leftover
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
      // Links are unsupported, or state is on another device: a window of microseconds remains.
      if (!holds(files, path, expected)) return "changed";
      return files.rename(temporary, path) === "renamed" ? "done" : "changed";
    },
  };
  return exchange;
}

/** A line appended while the file was aside created a file of that line alone: the earlier text is put before it. */
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

/** Replaces whole files without losing a simultaneous save by another program; the old text is kept for a while. */
export function createFileReplacer(directory: string, state: string, files: FilePort, now: () => number): FileReplacer {
  const displacedDirectory = `${state}/displaced`;
  const exchange = createExchange(directory, displacedDirectory, files, now);
  const copies = (): DisplacedCopy[] => displacedCopies(displacedDirectory, files);
  /** The whole content of a copy that was edited since it was moved aside. */
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
        if (content === undefined || late(copy, content)) files.remove(copy.path);
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

/** Moves the old file aside, checks it again, and links the new one into its place. */
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

/** `false` when an even newer file already exists; the displaced one then stays. */
function putBack(files: FilePort, displaced: string, path: string): boolean {
  const linked = files.link(displaced, path);
  if (linked === "linked") files.remove(displaced);
  else if (linked === "unsupported" && files.stat(path) === undefined) files.rename(displaced, path);
  return linked !== "exists";
}

/** Whether a new file is the whole text again rather than a few appended lines: it has half of the earlier lines. */
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

/** Puts a file that was moved aside back if the next step fails. */
function orPutBack<T>(files: FilePort, displaced: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    ifPossible(() => putBack(files, displaced, path)); // otherwise recovery finds the displaced copy
    throw error;
  }
}

/** For steps whose failure is repaired elsewhere. */
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
