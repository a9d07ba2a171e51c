import { posix } from "node:path";
import type { FilePort, FileStat } from "../../src/core/notes/file-port.ts";
import { MemoryError } from "../../src/core/shared/errors.ts";

/**
 * A disk in memory that knows what would survive a power loss. Contents are durable when `create` and `append` return,
 * and may be torn by `note`. Names in directories are durable after `syncDirectory`, or when the file system happened
 * to write them: any subset of the changes since then, each rename whole. Directories are durable when `makeDirectory`
 * returns.
 */
export interface PowerDisk extends FilePort {
  /** The disk after a power loss; `keeps` decides for each unsynced name change whether it survives. */
  afterPowerLoss(keeps: () => boolean): PowerDisk;
}

interface Inode {
  /** The content that a read returns. */
  bytes: Uint8Array;
  /** The content that survives a power loss. */
  durable: Uint8Array;
  mtimeMs: number;
}

interface NameChange {
  readonly path: string;
  readonly inode: Inode | undefined;
}

type Names = Map<string, Inode>;

export function createPowerDisk(start: Names = new Map(), directories = new Set<string>(["/"])): PowerDisk {
  const names: Names = new Map(start);
  const durable: Names = new Map(start);
  let waiting: (readonly NameChange[])[] = [];
  let tick = Date.now();
  const change = (...changes: readonly NameChange[]): void => {
    for (const { path, inode } of changes) apply(names, path, inode);
    waiting.push(changes);
  };
  const write = (path: string, bytes: Uint8Array, isSynced: boolean): void => {
    if (!directories.has(posix.dirname(path))) throw new MemoryError("io", `no directory for ${path}`);
    const inode = names.get(path);
    tick += 7;
    if (inode === undefined)
      change({ path, inode: { bytes, durable: isSynced ? bytes : new Uint8Array(), mtimeMs: tick } });
    else Object.assign(inode, { bytes, durable: isSynced ? bytes : inode.durable, mtimeMs: tick });
  };
  const statOf = (path: string): FileStat | undefined => {
    const inode = names.get(path);
    if (inode !== undefined) return { kind: "file", size: inode.bytes.byteLength, mtimeMs: inode.mtimeMs };
    return directories.has(path) ? { kind: "directory", size: 0, mtimeMs: tick } : undefined;
  };
  return {
    read: (path) => names.get(path)?.bytes,
    stat: statOf,
    list(path) {
      if (!directories.has(path)) return undefined;
      const files = [...names.keys()].map((name) => ({ name, kind: "file" as const }));
      const folders = [...directories].map((name) => ({ name, kind: "directory" as const }));
      return [...files, ...folders]
        .filter(({ name }) => name !== "/" && posix.dirname(name) === path)
        .map(({ name, kind }) => ({ name: posix.basename(name), kind }));
    },
    makeDirectory(path) {
      for (let directory = path; directory !== "/"; directory = posix.dirname(directory)) directories.add(directory);
    },
    create(path, bytes) {
      if (names.has(path)) throw new MemoryError("io", `${path} exists`);
      write(path, bytes, true);
    },
    copyMode: () => undefined,
    append: (path, bytes) => write(path, Buffer.concat([names.get(path)?.bytes ?? new Uint8Array(), bytes]), true),
    jot: (path, bytes) => write(path, Buffer.concat([names.get(path)?.bytes ?? new Uint8Array(), bytes]), false),
    note: (path, bytes) => write(path, bytes, false),
    rename(from, to) {
      const inode = names.get(from);
      if (inode === undefined) return "absent";
      change({ path: from, inode: undefined }, { path: to, inode });
      return "renamed";
    },
    link(from, to) {
      const inode = names.get(from);
      if (inode === undefined) throw new MemoryError("io", `${from} is missing`);
      if (names.has(to)) return "exists";
      change({ path: to, inode });
      return "linked";
    },
    remove: (path) => {
      if (names.has(path)) change({ path, inode: undefined });
    },
    removeTree(path) {
      for (const name of Array.from(names.keys()))
        if (name.startsWith(`${path}/`)) change({ path: name, inode: undefined });
    },
    syncDirectory(path) {
      const isHere = (changes: readonly NameChange[]): boolean =>
        changes.some((one) => posix.dirname(one.path) === path);
      for (const changes of waiting.filter(isHere)) for (const one of changes) apply(durable, one.path, one.inode);
      waiting = waiting.filter((changes) => !isHere(changes));
    },
    afterPowerLoss(keeps) {
      const left: Names = new Map(durable);
      for (const changes of waiting) if (keeps()) for (const one of changes) apply(left, one.path, one.inode);
      const inodes = new Map<Inode, Inode>();
      for (const inode of left.values()) inodes.set(inode, survivor(inode, keeps));
      return createPowerDisk(
        new Map([...left].map(([path, inode]) => [path, inodes.get(inode) ?? inode])),
        new Set(directories),
      );
    },
  };
}

function apply(names: Names, path: string, inode: Inode | undefined): void {
  if (inode === undefined) names.delete(path);
  else names.set(path, inode);
}

/** Unsynced content may be complete, half written or unchanged. */
function survivor({ bytes, durable, mtimeMs }: Inode, keeps: () => boolean): Inode {
  const left =
    bytes === durable ? durable : keeps() ? bytes : keeps() ? bytes.slice(0, bytes.byteLength >> 1) : durable;
  return { bytes: left, durable: left, mtimeMs };
}
