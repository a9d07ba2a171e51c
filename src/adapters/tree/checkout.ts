import fs from "node:fs";
import path from "node:path";

/** A checkout as its own small files tell it; git is not asked, and nothing of its configuration is read. */
export interface Checkout {
  /** Absolute, links resolved: the top of the worktree that the person stands in. */
  readonly root: string;
  /** Below `root` or the same: paths in notes may be meant from here too. */
  readonly cwd: string;
  /** `undefined` without git. */
  readonly git: GitPlace | undefined;
}

export interface GitPlace {
  /** The worktree's own directory: HEAD, index. */
  readonly own: string;
  /** What all worktrees share: objects, refs. */
  readonly common: string;
  /** The commit checked out; `undefined` before the first, or where refs are kept in a form unknown here. */
  readonly head: string | undefined;
  /** Changes with every change of the index. */
  readonly indexStamp: string;
  /** Part of the past is missing: that something never was cannot be told. */
  readonly shallow: boolean;
}

/** Finds the checkout that a directory is in. Without git, the directory itself is the tree. */
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

/** A worktree and a submodule have a `.git` file that leads elsewhere. */
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

/** The object that a ref such as `refs/heads/main` names. */
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

/** Branches that this worktree's HEAD has been on, from its log. */
export function branchesOnceCheckedOut({ own }: GitPlace): Set<string> {
  const moves = readSmall(path.join(own, "logs", "HEAD")).matchAll(/\tcheckout: moving from (\S+) to (\S+)$/gmu);
  return new Set([...moves].flatMap(([, from = "", to = ""]) => [from, to]));
}

/** Whether refs are plain files and not a table. */
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

/** Git's small files and manifests; larger ones are not what they claim to be. */
const SMALL_BYTES = 8 << 20;

/** Text of a file; empty when there is none, it is no plain file, too large, or may not be read. */
export function readSmall(file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= SMALL_BYTES ? fs.readFileSync(file, "utf8") : "";
  } catch (error) {
    // Unreadable, or gone between the two calls: the same as not there, the claim stays unchecked.
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
