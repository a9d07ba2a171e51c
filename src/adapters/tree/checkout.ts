import fs from "node:fs";
import path from "node:path";

/** A checkout, read from its own small files without starting git or reading any of its configuration. */
export interface Checkout {
  /** Absolute, with links resolved: the top of the person's current worktree. */
  readonly root: string;
  /** `root` or a directory below it; paths in notes may be relative to it. */
  readonly cwd: string;
  /** `undefined` without git. */
  readonly git: GitPlace | undefined;
}

export interface GitPlace {
  /** The worktree's own directory: HEAD, index. */
  readonly own: string;
  /** The directory shared by all worktrees: objects, refs. */
  readonly common: string;
  /** The commit checked out; `undefined` before the first one, or if refs are stored in an unknown format. */
  readonly head: string | undefined;
  /** Changes with every change of the index. */
  readonly indexStamp: string;
  /** Part of the history is missing, so it cannot be said that something never existed. */
  readonly shallow: boolean;
}

/** Finds the checkout that contains a directory. Without git, the directory itself is the tree. */
export function findCheckout(cwd: string): Checkout {
  const start = fs.realpathSync(cwd);
  for (let directory = start; ; directory = path.dirname(directory)) {
    const git = gitPlace(directory);
    if (git !== undefined) return { root: directory, cwd: start, git };
    if (path.dirname(directory) === directory) return { root: start, cwd: start, git: undefined };
  }
}

function gitPlace(directory: string): GitPlace | undefined {
  const dot = path.join(directory, ".git");
  const stat = fs.statSync(dot, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const own = stat.isDirectory() ? dot : gitFileTarget(directory, dot);
  const first = readSmall(path.join(own, "HEAD")).trim();
  if (first === "") return undefined;
  const pointed = readSmall(path.join(own, "commondir")).trim();
  const common = pointed === "" ? own : path.resolve(own, pointed);
  const index = fs.statSync(path.join(own, "index"), { throwIfNoEntry: false });
  return {
    own,
    common,
    head: resolveHead(first, own, common),
    indexStamp: index === undefined ? "none" : `${index.mtimeMs}:${index.size}:${index.ino}`,
    shallow: fs.existsSync(path.join(common, "shallow")),
  };
}

/** A worktree or submodule has a `.git` file that points elsewhere. */
function gitFileTarget(directory: string, file: string): string {
  return path.resolve(directory, /^gitdir:\s*(.+?)\s*$/mu.exec(readSmall(file))?.[1] ?? ".git");
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

function resolveHead(head: string, own: string, common: string): string | undefined {
  if (COMMIT.test(head)) return head;
  const ref = /^ref: (refs\/[^\s]+)$/u.exec(head)?.[1];
  if (ref === undefined || ref.includes("..")) return undefined;
  return refTarget({ own, common }, ref);
}

/** The object id of a ref such as `refs/heads/main`. */
export function refTarget({ own, common }: Pick<GitPlace, "own" | "common">, ref: string): string | undefined {
  const loose = [own, common].map((place) => readSmall(path.join(place, ref)).trim()).find((id) => COMMIT.test(id));
  return loose ?? packedRefs(common).get(ref);
}

/** Names of all branches: `refs/heads/…`, `refs/remotes/…`. */
export function branchRefs({ common }: GitPlace): Set<string> {
  const out = new Set(packedRefs(common).keys());
  for (const kind of ["refs/heads", "refs/remotes"]) {
    const place = path.join(common, kind);
    if (!isDirectory(place)) continue;
    for (const name of fs.readdirSync(place, { recursive: true, encoding: "utf8" }))
      out.add(`${kind}/${name.replaceAll("\\", "/")}`);
  }
  return out;
}

/** Branches that were checked out in this worktree, from the log of its HEAD. */
export function branchesOnceCheckedOut({ own }: GitPlace): Set<string> {
  const moves = readSmall(path.join(own, "logs", "HEAD")).matchAll(/\tcheckout: moving from (\S+) to (\S+)$/gmu);
  return new Set([...moves].flatMap(([, from = "", to = ""]) => [from, to]));
}

/** Whether refs are plain files rather than a reftable. */
export function hasPlainRefs({ common }: GitPlace): boolean {
  return isDirectory(path.join(common, "refs", "heads")) && !fs.existsSync(path.join(common, "reftable"));
}

function packedRefs(common: string): Map<string, string> {
  const lines = readSmall(path.join(common, "packed-refs")).matchAll(/^([0-9a-f]{40,64}) (refs\/\S+)$/gmu);
  return new Map([...lines].map(([, id = "", ref = ""]) => [ref, id]));
}

function isDirectory(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The most bytes read of git's small files and manifests; a larger file is ignored. */
const SMALL_BYTES = 8 << 20;

/** Text of a file; empty if it is missing, not an ordinary file, too large or unreadable. */
export function readSmall(file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= SMALL_BYTES ? fs.readFileSync(file, "utf8") : "";
  } catch (error) {
    // Unreadable, or removed between the two calls: treated as missing, and the claim stays unchecked.
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
