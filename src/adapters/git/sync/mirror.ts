import fs from "node:fs";
import path from "node:path";
import { type GitEnvironment, runGit } from "../command.ts";
import { type Content, isObjectId, parseTreeLines, readTree, smallBlobs, type SpaceTree } from "./space-tree.ts";

/** A bare repository next to a store's state, with the branch of one space. All of it can be fetched again. */
export interface Mirror {
  readonly directory: string;
  /** Creates the mirror if it is missing; cleans up after a killed process. */
  prepare(): void;
  /** The commit of the branch when last seen; read without starting a process. */
  head(): string | undefined;
  setHead(commit: string | undefined): void;
  /** The last commit that this device proposed in a pull request. */
  proposed(): string | undefined;
  setProposed(commit: string | undefined): void;
  /** The commit of a proposal that is being pushed and has no answer yet. */
  proposing(): string | undefined;
  setProposing(commit: string | undefined): void;
  /** The id of a commit's tree. */
  treeOf(commit: string): string;
  /** The commit of the last fetch. */
  incoming(): string;
  /** All ancestors of `commit` and itself, newest first. */
  ancestors(commit: string): readonly string[];
  /** `undefined` if the mirror does not have the commit. */
  space(commit: string): SpaceTree | undefined;
  /** The same if it was read before; never starts a process. */
  spaceRead(commit: string): SpaceTree | undefined;
  blobs(ids: readonly string[]): ReadonlyMap<string, Buffer>;
  /** Messages of the latest commits in the history of `commit`, newest first. */
  messages(commit: string): readonly { readonly commit: string; readonly message: string }[];
  /** Writes a new commit, which stays local until it is pushed. */
  write(draft: CommitDraft): string;
  /** Removes unreachable objects from the disk. If killed, `prepare` continues it. */
  prune(): void;
  remove(): void;
  /** Whether the host refused to drop the branch's past commits. */
  keepsPast(): boolean;
  setKeepsPast(keeps: boolean): void;
}

export interface CommitDraft {
  /** The commit whose tree is the starting point. */
  readonly onto: string | undefined;
  /** Without a parent, so that the history is no longer part of the branch. */
  readonly isRoot: boolean;
  readonly put: ReadonlyMap<string, Content>;
  readonly remove: readonly string[];
  readonly message: string;
  readonly seconds: number;
}

const HEAD = "refs/memdir/remote";
const PROPOSED = "refs/memdir/proposed";
const PROPOSING = "refs/memdir/proposing";
const NEXT = "refs/memdir/next";
export const INCOMING = "refs/memdir/incoming";
const PAST_MARK = "memdir-past-stays";
const PRUNE_MARK = "memdir-prune";
const MESSAGES = 500;
/** The number of loose objects in one of 256 directories, and of packs, above which the mirror is packed. */
const LOOSE_IN_ONE = 8;
const PACKS = 30;
const QUIET = ["-c", "gc.auto=0", "-c", "core.hooksPath=/dev/null", "-c", "core.logAllRefUpdates=false"];

const refChange = (ref: string, commit: string | undefined): readonly string[] =>
  commit === undefined ? ["update-ref", "-d", ref] : ["update-ref", ref, commit];

export function openMirror(directory: string, environment: GitEnvironment): Mirror {
  const git = (args: readonly string[], input?: Uint8Array): Buffer =>
    runGit(directory, environment, [...QUIET, ...args], input);
  const setRef = (ref: string, commit: string | undefined): void => void git(refChange(ref, commit));
  const spaces = new Map<string, SpaceTree>();
  const pasts = new Map<string, readonly string[]>();
  const mirror: Mirror = {
    directory,
    prepare: () => prepare(mirror, git),
    head: () => readRef(directory, HEAD),
    setHead: (commit) => setRef(HEAD, commit),
    proposed: () => readRef(directory, PROPOSED),
    setProposed: (commit) => setRef(PROPOSED, commit),
    proposing: () => readRef(directory, PROPOSING),
    setProposing: (commit) => setRef(PROPOSING, commit),
    treeOf: (commit) =>
      git(["rev-parse", "--verify", `${commit}^{tree}`])
        .toString("utf8")
        .trim(),
    incoming: () => refIn(directory, git, INCOMING),
    ancestors(commit) {
      const known = pasts.get(commit) ?? git(["rev-list", commit]).toString("utf8").trim().split("\n");
      pasts.set(commit, known);
      return known;
    },
    space(commit) {
      const known = spaces.get(commit) ?? readSpace(git, commit);
      if (known !== undefined) spaces.set(commit, known);
      return known;
    },
    spaceRead: (commit) => spaces.get(commit),
    blobs: (ids) => readBlobs(git, ids),
    messages: (commit) => readMessages(git, commit),
    write(draft) {
      const { onto, isRoot } = draft;
      const tree = onto !== undefined && isRoot ? git(["rev-parse", "--verify", `${onto}^{tree}`]) : undefined;
      git(["fast-import", "--quiet", "--force", "--date-format=raw"], streamOf(draft, tree?.toString("utf8").trim()));
      return refIn(directory, git, NEXT);
    },
    prune() {
      fs.writeFileSync(path.join(directory, PRUNE_MARK), "");
      for (const ref of [NEXT, INCOMING]) git(["update-ref", "-d", ref]);
      pack(git);
      for (const kept of [spaces, pasts]) kept.clear();
      fs.rmSync(path.join(directory, PRUNE_MARK), { force: true });
    },
    remove: () => {
      for (const kept of [spaces, pasts]) kept.clear();
      fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    },
    keepsPast: () => fs.existsSync(path.join(directory, PAST_MARK)),
    setKeepsPast(keeps) {
      const mark = path.join(directory, PAST_MARK);
      if (keeps) fs.writeFileSync(mark, "");
      else fs.rmSync(mark, { force: true });
    },
  };
  return mirror;
}

/** Creates the mirror if it is missing, and continues work left by a killed process. */
function prepare(mirror: Mirror, git: Git): void {
  const { directory } = mirror;
  if (!fs.existsSync(path.join(directory, "HEAD"))) {
    fs.rmSync(directory, { recursive: true, force: true });
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    git(["init", "--quiet", "--bare", "--template=", directory]);
  }
  removeLocks(directory);
  if (fs.existsSync(path.join(directory, PRUNE_MARK))) mirror.prune();
  else if (isWorthPacking(directory)) pack(git);
}

type Git = (args: readonly string[], input?: Uint8Array) => Buffer;

/** Together these leave no unreachable objects. */
function pack(git: Git): void {
  git(["repack", "-a", "-d", "--quiet"]);
  git(["prune", "--expire=now"]);
}

/** Locks of a killed process: only one sync of a store runs at a time. */
function removeLocks(directory: string): void {
  const refs = path.join(directory, "refs", "memdir");
  for (const name of namesIn(refs)) if (name.endsWith(".lock")) fs.rmSync(path.join(refs, name), { force: true });
  for (const name of ["packed-refs.lock", "shallow.lock", "config.lock", "HEAD.lock"])
    fs.rmSync(path.join(directory, name), { force: true });
}

function isWorthPacking(directory: string): boolean {
  const loose = namesIn(path.join(directory, "objects", "17")).length;
  const packs = namesIn(path.join(directory, "objects", "pack")).filter((name) => name.endsWith(".idx")).length;
  return loose > LOOSE_IN_ONE || packs > PACKS;
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []; // none yet
    throw error;
  }
}

/** Git writes a new ref into its own file; only a repository in another format needs a process. */
function refIn(directory: string, git: Git, ref: string): string {
  return readRef(directory, ref) ?? git(["rev-parse", "--verify", "--quiet", ref]).toString("utf8").trim();
}

function readRef(directory: string, ref: string): string | undefined {
  try {
    const id = fs.readFileSync(path.join(directory, ref), "utf8").trim();
    return isObjectId(id) ? id : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined; // nothing was fetched
    throw error;
  }
}

function readSpace(git: Git, commit: string): SpaceTree | undefined {
  const type = git(["cat-file", "--batch-check"], Buffer.from(`${commit}\n`)).toString("utf8");
  if (!type.startsWith(`${commit} commit `)) return undefined;
  const lines = parseTreeLines(git(["ls-tree", "-r", "-l", "-z", "--full-tree", commit]));
  return readTree(lines, readBlobs(git, smallBlobs(lines)));
}

function readBlobs(git: Git, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (ids.length === 0) return found;
  const output = git(["cat-file", "--batch"], Buffer.from(`${[...new Set(ids)].join("\n")}\n`));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [id = "", type = "", size = ""] = output.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (type === "missing" || size === "") continue;
    found.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

function readMessages(git: Git, commit: string): readonly { readonly commit: string; readonly message: string }[] {
  const output = git(["log", "-z", `--max-count=${MESSAGES}`, "--format=%H%n%B", "--end-of-options", commit]);
  return output
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.indexOf("\n");
      return { commit: entry.slice(0, end), message: entry.slice(end + 1) };
    });
}

function streamOf({ onto, isRoot, put, remove, message, seconds }: CommitDraft, tree: string | undefined): Buffer {
  const parts: (string | Uint8Array)[] = [
    `reset ${NEXT}\n\n`,
    `commit ${NEXT}\ncommitter memdir <memdir@localhost> ${seconds} +0000\n`,
    ...data(Buffer.from(message)),
  ];
  if (onto !== undefined && !isRoot) parts.push(`from ${onto}\n`);
  // The existing tree, including other people's files in it.
  if (tree !== undefined) parts.push(`M 040000 ${tree} ""\n`);
  for (const file of remove) parts.push(`D ${quoted(file)}\n`);
  for (const [file, content] of put) {
    if ("blob" in content) parts.push(`M 100644 ${content.blob} ${quoted(file)}\n`);
    else parts.push(`M 100644 inline ${quoted(file)}\n`, ...data(Buffer.from(content.text)));
  }
  parts.push("\n");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

function data(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.byteLength}\n`, bytes, "\n"];
}

function quoted(file: string): string {
  return `"${file.replace(/\\/gu, "\\\\").replace(/"/gu, '\\"').replace(/\n/gu, "\\n")}"`;
}
