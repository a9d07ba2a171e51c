import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { HistoryPacking } from "../../core/notes/history.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { type GitEnvironment, runGit } from "./command.ts";

/** The number of loose objects from which they are packed. */
const LOOSE_OBJECTS = 200;
/** The number of packs from which all are merged, if their total size is at most the next number (bytes). */
const PACKS = 8;
const ONE_PACK_BYTES = 200_000_000;
/** How many objects of a history that was never packed one run takes; the next run continues. */
const OBJECTS_A_RUN = 20_000;
/** Memory and threads that a run may use. */
const BOUNDS = ["pack.threads=1", "pack.windowMemory=32m", "pack.deltaCacheSize=16m", "core.bigFileThreshold=1m"];

/** Prefix of directories that are not yet, or no longer, the history; a rewrite of the history removes them. */
export function tryName(directory: string): string {
  return `${directory}.new-${randomBytes(6).toString("hex")}`;
}

/** Removes attempts left behind by a kill. This also removes those of a running process, which detects it that way. */
export function removeTries(directory: string): void {
  const parent = path.dirname(directory);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(directory)}.new`))
      fs.rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Packs the history when that is due. This call and `finish` need the store's lock; the slow `work` runs without it.
 * The pack is made outside the repository, so a kill leaves the repository unchanged. A rewrite of the history removes
 * the new pack, so that nothing of the old history returns. Readers always find every object: it is in its new place
 * before it leaves the old one.
 */
export function packingOf(directory: string, environment: GitEnvironment): HistoryPacking | undefined {
  const old = packsOf(directory);
  const isWhole = old.length >= PACKS && sizeOf(directory, old) <= ONE_PACK_BYTES;
  if (!isWhole && countLoose(directory) < LOOSE_OBJECTS) return undefined;
  removeTries(directory);
  const next = tryName(directory);
  fs.mkdirSync(next, { mode: 0o700 });
  return {
    work: (timeoutMs) => makePack(directory, environment, next, { isWhole, timeoutMs }),
    finish() {
      const made = fs.existsSync(`${next}/history.idx`) && fs.existsSync(`${next}/history.pack`);
      if (made) {
        adopt(directory, next);
        if (isWhole) for (const name of old) removePack(directory, name);
        runGit(directory, environment, ["prune-packed", "--quiet"]);
      }
      fs.rmSync(next, { recursive: true, force: true, maxRetries: 3 });
      return made;
    },
  };
}

interface PackOptions {
  /** Everything, to replace all packs; otherwise only objects in no pack. */
  readonly isWhole: boolean;
  readonly timeoutMs: number;
}

function makePack(
  directory: string,
  environment: GitEnvironment,
  next: string,
  { isWhole, timeoutMs }: PackOptions,
): void {
  const end = Date.now() + timeoutMs;
  const git = (args: readonly string[], input?: Uint8Array, output?: number): Buffer =>
    runGit(directory, environment, [...BOUNDS.flatMap((setting) => ["-c", setting]), ...args], input, {
      timeoutMs: Math.max(1, end - Date.now()),
      ...(output === undefined ? {} : { output }),
    });
  // With their paths, which tell git which objects are versions of the same file.
  const objects = git(["rev-list", "--objects", "refs/heads/main", ...(isWhole ? [] : ["--unpacked"])]).toString(
    "utf8",
  );
  const wanted = isWhole ? objects : objects.split("\n", OBJECTS_A_RUN).join("\n");
  if (wanted.trim() === "") return;
  // `--stdout`: if given a name, git would write its unfinished pack into the repository.
  const pack = fs.openSync(`${next}/history.pack`, "wx", 0o600);
  try {
    git(["pack-objects", "--quiet", "--delta-base-offset", "--stdout"], Buffer.from(`${wanted.trimEnd()}\n`), pack);
    fs.fsyncSync(pack);
  } finally {
    fs.closeSync(pack);
  }
  git(["index-pack", "-o", `${next}/history.idx.new`, `${next}/history.pack`]);
  fs.renameSync(`${next}/history.idx.new`, `${next}/history.idx`);
}

/** The index last, because git finds a pack by it. */
function adopt(directory: string, next: string): void {
  const name = `pack-${randomBytes(20).toString("hex")}`;
  const place = `${directory}/objects/pack`;
  fs.mkdirSync(place, { recursive: true });
  sync(`${next}/history.idx`);
  fs.renameSync(`${next}/history.pack`, `${place}/${name}.pack`);
  fs.renameSync(`${next}/history.idx`, `${place}/${name}.idx`);
  sync(place);
}

function sync(file: string): void {
  const open = fs.openSync(file, "r");
  try {
    fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
}

/** The index first, so that no process starts reading the pack. */
function removePack(directory: string, name: string): void {
  for (const end of ["idx", "rev", "bitmap", "keep", "pack"])
    fs.rmSync(`${directory}/objects/pack/${name}.${end}`, { force: true });
}

/** Names without their extensions. */
function packsOf(directory: string): readonly string[] {
  return namesIn(`${directory}/objects/pack`)
    .filter((name) => name.endsWith(".idx"))
    .map((name) => name.slice(0, -4));
}

function sizeOf(directory: string, packs: readonly string[]): number {
  return packs.reduce(
    (sum, name) => sum + (fs.statSync(`${directory}/objects/pack/${name}.pack`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function countLoose(directory: string): number {
  return namesIn(`${directory}/objects`)
    .filter((name) => /^[0-9a-f]{2}$/u.test(name))
    .reduce((sum, name) => sum + namesIn(`${directory}/objects/${name}`).length, 0);
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []; // none yet
    throw error;
  }
}

/** Turns a disk failure during packing into the error that callers expect. */
export function packFailure(directory: string, error: unknown): unknown {
  return error instanceof Error && "code" in error && !(error instanceof MemoryError)
    ? new MemoryError("io", `the history in ${directory} could not be packed: ${error.message}`, { cause: error })
    : error;
}
