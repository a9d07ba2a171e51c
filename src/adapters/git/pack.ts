import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { HistoryPacking } from "../../core/notes/history.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { type GitEnvironment, runGit } from "./command.ts";

/** Objects in files of their own from which on they are packed. */
const LOOSE_OBJECTS = 200;
/** Packs from which on all become one, where together they are not larger than the next number (bytes). */
const PACKS = 8;
const ONE_PACK_BYTES = 200_000_000;
/** Of a history that was never packed, one run takes so many objects; the next run goes on. */
const OBJECTS_A_RUN = 20_000;
/** Memory and threads that a run may use. */
const BOUNDS = ["pack.threads=1", "pack.windowMemory=32m", "pack.deltaCacheSize=16m", "core.bigFileThreshold=1m"];

/** Names of all directories that are not the history yet, or not any more, begin so: whoever rewrites the history removes them. */
export function tryName(directory: string): string {
  return `${directory}.new-${randomBytes(6).toString("hex")}`;
}

/** Of a kill at any moment. Those of a process at work are gone then too, which is how it learns of it. */
export function removeTries(directory: string): void {
  const parent = path.dirname(directory);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(directory)}.new`))
      fs.rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Makes the history smaller, where that is due. This call and `finish` need the store's lock; `work` takes its time
 * without it. The pack is made outside the repository, so that a kill leaves the repository as it was, and a rewrite
 * of the history, which removes the new pack, keeps anything of the old one from coming back. Readers find every object
 * at any moment: its new place is there before its old one goes.
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
  /** Everything, to replace all packs; else what is in no pack. */
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
  // With their paths, which tell git what is a version of what.
  const objects = git(["rev-list", "--objects", "refs/heads/main", ...(isWhole ? [] : ["--unpacked"])]).toString(
    "utf8",
  );
  const wanted = isWhole ? objects : objects.split("\n", OBJECTS_A_RUN).join("\n");
  if (wanted.trim() === "") return;
  // `--stdout`: given a name, git would write its half-made pack into the repository.
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

/** The index last: git knows a pack by it. */
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

/** The index first, so that nobody begins to read it. */
function removePack(directory: string, name: string): void {
  for (const end of ["idx", "rev", "bitmap", "keep", "pack"])
    fs.rmSync(`${directory}/objects/pack/${name}.${end}`, { force: true });
}

/** Names without their endings. */
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

/** A failing disk while packing, as the error that callers know. */
export function packFailure(directory: string, error: unknown): unknown {
  return error instanceof Error && "code" in error && !(error instanceof MemoryError)
    ? new MemoryError("io", `the history in ${directory} could not be packed: ${error.message}`, { cause: error })
    : error;
}
