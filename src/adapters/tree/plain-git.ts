import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { devNull } from "node:os";
import path from "node:path";
import { withoutGitVariables } from "../../core/shared/git-variables.ts";
import { branchRefs, type Checkout, type GitPlace, readSmall, refTarget } from "./checkout.ts";
import { codeOf } from "../../core/shared/errors.ts";
import type { GitLook } from "./look-command.ts";

type GitCall =
  | { readonly kind: "call"; readonly args: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/** The most commits in a log; a longer one is of no use. */
const MOST_COMMITS = 50;

const REVISION = /^([\w./-]+?)((?:[~^]\d{0,3})*)$/u;

const ABBREVIATED = /^[0-9a-f]{6,64}$/u;

/**
 * Turns an allowed command into arguments for git in an empty repository. Names of revisions are resolved here, paths
 * come after `--`, and files that hold keys are excluded from every answer. `inside` returns a path for git, or
 * `undefined` if it may not be read.
 */
export function gitArguments(
  command: GitLook,
  place: GitPlace,
  inside: (given: string) => string | undefined,
  leftOut: readonly string[],
): GitCall {
  const { verb, flags } = command;
  const revisions: string[] = [];
  const wanted = [...command.paths];
  for (const word of command.words) {
    const revision = resolveRange(word, place);
    if (revision !== undefined) revisions.push(revision);
    else if (verb === "show" && word.includes(":")) return fileAt(word, place, inside);
    else wanted.push(word);
  }
  const paths = wanted.map(inside);
  if (paths.includes(undefined))
    return { kind: "refused", why: "neither a revision nor a path inside the project that may be seen" };
  if (revisions.length > 2) return { kind: "refused", why: "at most two revisions" };
  const head = place.head;
  if (head === undefined && verb !== "diff") return { kind: "refused", why: "there is no commit yet" };
  const implied =
    revisions.length > 0 ||
    head === undefined ||
    (verb === "diff" && !flags.some((flag) => /^--(?:cached|staged)$/u.test(flag)))
      ? []
      : [head];
  const known = paths.filter((one) => one !== undefined);
  const commits = [...implied, ...revisions];
  if (verb === "blame")
    return known.length === 1 && commits.length === 1
      ? { kind: "call", args: ["blame", ...flags, ...commits, "--", ...known] }
      : { kind: "refused", why: "git blame takes one file" };
  const limit = verb === "log" ? [`--max-count=${Math.min(countIn(flags), MOST_COMMITS)}`] : [];
  const literal = known.map((one) => `:(top,literal)${one}`);
  return {
    kind: "call",
    args: [
      verb,
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--ignore-submodules=all",
      ...(verb === "diff" ? [] : ["--no-show-signature"]),
      ...flags.filter((flag) => !COUNT.test(flag)),
      ...limit,
      ...commits,
      "--",
      ...(literal.length === 0 ? ["."] : literal),
      ...leftOut,
    ],
  };
}

const COUNT = /^(?:-n?|--max-count=)(\d+)$/u;

function countIn(flags: readonly string[]): number {
  const given = flags.map((flag) => COUNT.exec(flag)?.[1]).find((count) => count !== undefined);
  return given === undefined ? MOST_COMMITS : Number(given);
}

/** `REVISION:path`, the text of a file in that revision. */
function fileAt(word: string, place: GitPlace, inside: (given: string) => string | undefined): GitCall {
  const colon = word.indexOf(":");
  const revision = resolveOne(word.slice(0, colon), place);
  const file = inside(word.slice(colon + 1));
  if (revision === undefined || file === undefined || file === ".")
    return { kind: "refused", why: "REVISION:path names a file of this project that may be seen" };
  return {
    kind: "call",
    args: ["show", "--no-ext-diff", "--no-textconv", `${revision}:${file.split(path.sep).join("/")}`],
  };
}

function resolveRange(word: string, place: GitPlace): string | undefined {
  const parts = /^(.*?)(\.{2,3})(.*)$/u.exec(word);
  if (parts === null) return resolveOne(word, place);
  const [, left = "", dots = "", right = ""] = parts;
  const [from, to] = [resolveOne(left === "" ? "HEAD" : left, place), resolveOne(right === "" ? "HEAD" : right, place)];
  return from === undefined || to === undefined ? undefined : `${from}${dots}${to}`;
}

/** The empty repository has no names, so they are resolved from the checkout's own files. */
function resolveOne(word: string, place: GitPlace): string | undefined {
  const [, name = "", steps = ""] = REVISION.exec(word) ?? [];
  if (name === "" || name.startsWith("-") || name.split("/").includes("..")) return undefined;
  const commit =
    name === "HEAD" || name === "@"
      ? place.head
      : (["refs/heads", "refs/tags", "refs/remotes", "refs"]
          .map((kind) => refTarget(place, `${kind}/${name.replace(/^refs\//u, "")}`))
          .find((id) => id !== undefined) ?? (ABBREVIATED.test(name) ? name : undefined));
  return commit === undefined ? undefined : `${commit}${steps}`;
}

/** Branches by name; the current one is marked with a star. */
export function branchNames(place: GitPlace): readonly string[] {
  const current = /^ref: refs\/heads\/(\S+)/u.exec(readSmall(path.join(place.own, "HEAD")))?.[1];
  return [...branchRefs(place)]
    .filter((ref) => /^refs\/(?:heads|remotes)\//u.test(ref) && refTarget(place, ref) !== undefined)
    .map((ref) => ref.replace(/^refs\/(?:heads\/)?/u, ""))
    .toSorted()
    .map((name) => `${name === current ? "* " : "  "}${name}`);
}

export interface Answer {
  readonly text: string;
  /** Git finished, so anything missing from the answer does not exist. */
  readonly complete: boolean;
}

/** Asks git one question; `undefined` if there was no time to start it, or no git. */
export type AskGit = (args: readonly string[], input?: string) => Answer | undefined;

/** With less time than this a process is not started (ms). */
const LEAST_MS = 4;

const MOST_OUTPUT_BYTES = 16 << 20;

/**
 * Runs git on the objects, index and files of a checkout through memdir's own empty repository. Neither the checkout's
 * configuration nor the person's is read, so nothing set there (monitors, pagers, drivers, filters, hooks, aliases,
 * transports) can run. A missing object is an error and is never fetched.
 */
export function plainGit(
  checkout: Checkout & { readonly git: GitPlace },
  emptyRepository: string,
  environment: Readonly<Record<string, string | undefined>>,
  remainingMs: () => number,
): AskGit {
  const { git, root } = checkout;
  let missing = false;
  return (args, input) => {
    const timeout = Math.floor(remainingMs());
    if (missing || timeout < LEAST_MS) return undefined;
    const directory = `${emptyRepository}-${git.head?.length === 64 ? "sha256" : "sha1"}.git`;
    if (!isReady(directory)) return undefined;
    const result = spawnSync("git", ["--no-pager", "-C", root, ...args], {
      // A directory in which no one can have planted a program called git.
      cwd: directory,
      env: { ...withoutGitVariables(environment), ...settings(git, root, directory) },
      input: input ?? "",
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: MOST_OUTPUT_BYTES,
      windowsHide: true,
    });
    if (result.error !== undefined && "code" in result.error && result.error.code === "ENOENT") missing = true;
    // If git could not be started, Node 20 returns null and newer versions undefined, despite the types.
    const output: Buffer | null | undefined = result.stdout;
    if (output === null || output === undefined) return undefined;
    // Status 1 means that grep found nothing.
    return {
      text: output.toString("utf8"),
      complete: result.error === undefined && (result.status === 0 || (args[0] === "grep" && result.status === 1)),
    };
  };
}

function settings(git: GitPlace, root: string, directory: string): Record<string, string> {
  return {
    GIT_DIR: directory,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: path.join(git.own, "index"),
    GIT_OBJECT_DIRECTORY: path.join(git.common, "objects"),
    ...(git.shallow ? { GIT_SHALLOW_FILE: path.join(git.common, "shallow") } : {}),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/** Creates the empty repository (three small files) if it is missing. */
function isReady(directory: string): boolean {
  if (fs.existsSync(path.join(directory, "HEAD"))) return true;
  const isLong = directory.endsWith("sha256.git");
  const config = `[core]\n\trepositoryformatversion = ${isLong ? 1 : 0}\n\tbare = false\n\tquotePath = false\n\tfsmonitor = false\n${isLong ? "[extensions]\n\tobjectformat = sha256\n" : ""}`;
  try {
    for (const name of ["objects", "refs"]) makeLevels(path.join(directory, name));
    fs.writeFileSync(path.join(directory, "config"), config, { mode: 0o600 });
    fs.writeFileSync(path.join(directory, "HEAD"), "ref: refs/heads/none\n", { mode: 0o600 });
    return true;
  } catch (error) {
    // Not writable: without git, claims stay unchecked.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** Creates each level separately: Node's own recursive mkdir never returns below /proc. */
export function makeLevels(directory: string): void {
  if (fs.existsSync(directory)) return;
  makeLevels(path.dirname(directory));
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
