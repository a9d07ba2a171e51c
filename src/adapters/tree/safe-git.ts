import path from "node:path";
import type { LookCommand } from "../../core/capture/extract/look-command.ts";
import { branchRefs, type GitPlace, readSmall, refTarget } from "./checkout.ts";

export type GitCall =
  | { readonly kind: "call"; readonly args: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/** A log without end says nothing. */
const MOST_COMMITS = 50;
const REVISION = /^([\w./-]+?)((?:[~^]\d{0,3})*)$/u;
const ABBREVIATED = /^[0-9a-f]{6,64}$/u;

/**
 * An allowed command as arguments for git in an empty repository: names of revisions are looked up here, paths stand
 * behind `--`, and files that hold keys are left out of every answer.
 * `inside` gives a path as git shall see it, `undefined` where it may not be seen.
 */
export function gitArguments(
  command: Extract<LookCommand, { readonly kind: "git" }>,
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

/** `REVISION:path`, the text of a file as it was. */
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

/** The empty repository knows no names: they are looked up in the checkout's own files. */
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

/** Branches by name; the one checked out has a star. */
export function branchNames(place: GitPlace): readonly string[] {
  const current = /^ref: refs\/heads\/(\S+)/u.exec(readSmall(path.join(place.own, "HEAD")))?.[1];
  return [...branchRefs(place)]
    .filter((ref) => /^refs\/(?:heads|remotes)\//u.test(ref) && refTarget(place, ref) !== undefined)
    .map((ref) => ref.replace(/^refs\/(?:heads\/)?/u, ""))
    .toSorted()
    .map((name) => `${name === current ? "* " : "  "}${name}`);
}
