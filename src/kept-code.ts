import fs from "node:fs";
import path from "node:path";
import { Script } from "node:vm";

/** Set by the build: a name that changes whenever a bundle changes. */
declare const BUILD: string;

/** Compiled code is kept for this many builds and Node versions. */
const MOST_KEPT = 6;

const loaded = new Map<string, Pick<NodeJS.Module, "exports">>();

/**
 * Runs a bundle next to this one, once, with the compiled code that an earlier process of the same Node kept. This
 * halves the time a cold process spends on code. `purpose` separates uses that run different functions; without a
 * purpose nothing is kept. The compiled code is a copy of the bundle's content in the user's own cache directory. If it
 * is missing or damaged, V8 compiles as usual.
 */
export function loadKept<Exports>(name: string, purpose = name): Exports {
  const before = loaded.get(name);
  if (before !== undefined) return before.exports;
  const file = path.join(__dirname, `${name}.cjs`);
  const kept = keptFile(purpose);
  const cachedData = kept === undefined ? undefined : readTwice(kept);
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, "utf8")}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module: Pick<NodeJS.Module, "exports"> = { exports: {} };
  loaded.set(name, module);
  const run: (...given: readonly unknown[]) => void = script.runInThisContext();
  run(module.exports, requireFor(purpose), module, file, __dirname);
  if (kept !== undefined && cachedData === undefined) process.once("exit", () => keep(kept, script));
  return module.exports;
}

/** A bundle's `require`: another bundle is loaded with its kept code if this one was, a module or file as usual. */
function requireFor(purpose: string): (id: string) => unknown {
  return (id) => {
    const [, bundle] = /^\.\/(.+)\.cjs$/u.exec(id) ?? [];
    return bundle === undefined ? require(id) : loadKept(bundle, purpose === "" ? "" : bundle);
  };
}

/** `undefined` if nothing is to be kept. */
function keptFile(purpose: string): string | undefined {
  const { XDG_CACHE_HOME: cache = "", HOME: home = "", USERPROFILE: profile = "" } = process.env;
  const base = cache !== "" ? cache : path.join(home !== "" ? home : profile, ".cache");
  if (purpose === "" || !path.isAbsolute(base)) return undefined;
  return path.join(base, "memdir", `${BUILD}-${process.version}-${process.arch}`, purpose);
}

/** V8 aborts the process on damaged code, so the code is stored twice. If the two copies differ, neither is used. */
function readTwice(file: string): Buffer | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, "r");
  } catch {
    return undefined; // the first process of this Node
  }
  try {
    const { size, uid, mode } = fs.fstatSync(fd);
    // Code in a file that another user (root included) owns or can write is not run.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    if (fs.readSync(fd, bytes, 0, size, 0) !== size || size === 0 || size % 2 !== 0) return undefined;
    const [one, other] = [bytes.subarray(0, size / 2), bytes.subarray(size / 2)];
    return one.equals(other) ? one : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/** Never replaces an existing file: the same bundle under other V8 flags would replace it in turn. */
function keep(file: string, script: Script): void {
  const directory = path.dirname(file);
  try {
    if (fs.existsSync(file)) return;
    if (!fs.existsSync(directory)) dropOldest(path.dirname(directory));
    makeLevels(directory);
    const data = script.createCachedData();
    const aside = `${file}.${process.pid}`;
    fs.writeFileSync(aside, Buffer.concat([data, data]), { mode: 0o600, flag: "wx" });
    fs.renameSync(aside, file);
  } catch {
    // The home is not writable or the disk is full: the next process compiles again.
  }
}

/** One level at a time, because Node's recursive mkdir never returns below /proc. */
function makeLevels(directory: string): void {
  if (fs.existsSync(directory)) return;
  makeLevels(path.dirname(directory));
  fs.mkdirSync(directory, { mode: 0o700 });
}

function dropOldest(all: string): void {
  const time = (name: string): number => fs.statSync(path.join(all, name)).mtimeMs;
  const kept = fs.existsSync(all) ? fs.readdirSync(all).toSorted((a, b) => time(b) - time(a)) : [];
  for (const name of kept.slice(MOST_KEPT - 1)) fs.rmSync(path.join(all, name), { recursive: true, force: true });
}
