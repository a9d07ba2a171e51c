import fs from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import { afterEveryTest } from "./after-every-test.ts";

/** Records calls to the real file system, and what a power loss could still undo. */
export interface RecordedDisk {
  /** Files with content that was written but not synced. */
  unsyncedFiles(): readonly string[];
  /** Names made, moved or removed in a directory that was not synced since. */
  unsyncedNames(): readonly string[];
  /** How often a file or a directory was synced. */
  readonly syncs: number;
}

/**
 * Records memdir's own calls of `node:fs` below `root` until the test ends; every call is still made. `beforeChange` is
 * called just before each change of a name.
 */
export function recordDisk(root: string, beforeChange: (name: string) => void = () => undefined): RecordedDisk {
  const opened = new Map<number, string>();
  const files = new Set<string>();
  const names = new Map<string, Set<string>>();
  let syncs = 0;
  const isOurs = (file: unknown): file is string => typeof file === "string" && file.startsWith(root);
  const changeName = (file: unknown): void => {
    if (!isOurs(file)) return;
    beforeChange(file);
    const directory = path.dirname(file);
    names.set(directory, (names.get(directory) ?? new Set()).add(file));
  };
  const write = (target: unknown): void => {
    const file = typeof target === "number" ? opened.get(target) : target;
    if (isOurs(file)) files.add(file);
  };
  const move = (from: unknown, to: unknown): void => {
    if (isOurs(from) && isOurs(to) && files.has(from)) files.add(to);
  };
  const { openSync, closeSync, writeSync, writeFileSync, fsyncSync, renameSync, linkSync, mkdirSync, rmSync } = fs;
  const spies = [
    vi.spyOn(fs, "openSync").mockImplementation((file, flags, mode) => {
      if (flags !== "r" && !fs.existsSync(file)) changeName(file);
      const fd = openSync(file, flags, mode);
      opened.set(fd, String(file));
      return fd;
    }),
    vi.spyOn(fs, "closeSync").mockImplementation((fd) => {
      opened.delete(fd);
      closeSync(fd);
    }),
    vi.spyOn(fs, "writeSync").mockImplementation((fd: number, ...rest: unknown[]) => {
      write(fd);
      return Number(Reflect.apply(writeSync, fs, [fd, ...rest]));
    }),
    vi.spyOn(fs, "writeFileSync").mockImplementation((file, ...rest) => {
      if (typeof file === "string" && !fs.existsSync(file)) changeName(file);
      write(file);
      Reflect.apply(writeFileSync, fs, [file, ...rest]);
    }),
    vi.spyOn(fs, "fsyncSync").mockImplementation((fd) => {
      fsyncSync(fd);
      syncs++;
      const file = opened.get(fd) ?? "";
      files.delete(file);
      names.delete(file);
    }),
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      renameSync(from, to);
      changeName(from);
      changeName(to);
      move(from, to);
      files.delete(String(from));
    }),
    vi.spyOn(fs, "linkSync").mockImplementation((from, to) => {
      linkSync(from, to);
      changeName(to);
      move(from, to);
    }),
    vi.spyOn(fs, "mkdirSync").mockImplementation((directory, options) => {
      if (!fs.existsSync(directory)) changeName(directory);
      return Reflect.apply(mkdirSync, fs, [directory, options]) as undefined;
    }),
    vi.spyOn(fs, "rmSync").mockImplementation((file, options) => {
      if (fs.existsSync(file)) changeName(file);
      rmSync(file, options);
      files.delete(String(file));
    }),
  ];
  running.push(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return {
    unsyncedFiles: () => [...files].toSorted(),
    unsyncedNames: () => [...names.values()].flatMap((changed) => [...changed]).toSorted(),
    get syncs() {
      return syncs;
    },
  };
}

const running: (() => void)[] = [];
afterEveryTest(() => {
  for (const restore of running.splice(0)) restore();
});
