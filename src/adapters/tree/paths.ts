import fs from "node:fs";
import path from "node:path";
import type { PathFact } from "../../core/notes/claims/claim.ts";
import {
  anywhere,
  deletions,
  exactly,
  type FileChange,
  renames,
  isInVain,
  type Look,
  triedAgain,
  uncommittedChanges,
} from "./history.ts";

/** Finds out where paths are now. The disk is checked each time; only git's answers are cached. */
export function pathFacts(look: Look, wanted: readonly string[]): Map<string, PathFact> {
  const facts = new Map<string, PathFact>();
  const missing: string[] = [];
  for (const claimed of wanted) {
    const inside = relativeToRoot(look, claimed);
    const fact = inside === undefined ? OUTSIDE : onDisk(look, inside);
    if (fact !== undefined) facts.set(claimed, fact);
    else if (inside !== undefined) missing.push(claimed);
  }
  const asked = missing.filter((claimed) => {
    const known = cachedFact(look, claimed);
    if (known !== undefined) facts.set(claimed, known);
    return known === undefined && !isInVain(look.cache.get(keyOf(claimed)), look.budgetMs);
  });
  const found = look.checkout.git === undefined ? withoutGit(look, asked) : withGit(look, asked);
  for (const [claimed, fact] of found) {
    facts.set(claimed, fact);
    look.cache.set(keyOf(claimed), fact);
  }
  if (look.checkout.git !== undefined)
    for (const claimed of asked)
      if (!found.has(claimed))
        look.cache.set(keyOf(claimed), triedAgain(look.cache.get(keyOf(claimed)), look.budgetMs));
  return facts;
}

const OUTSIDE: PathFact = { state: "outside" };

function keyOf(claimed: string): string {
  return `path ${claimed}`;
}

/** The path relative to the root, with `/` between segments; `undefined` if it leads elsewhere. */
function relativeToRoot({ checkout: { root } }: Look, claimed: string): string | undefined {
  const inside = path.isAbsolute(claimed) ? path.relative(root, claimed) : claimed.replace(/^\.\//u, "");
  const segments = inside.split(/[\\/]/u);
  return segments.includes("..") || segments.includes(".git") || path.isAbsolute(inside) || inside.includes("\0")
    ? undefined
    : inside;
}

/** Relative to the top or the person's directory; `outside` if a link leads out of the project. */
function onDisk({ checkout: { root, cwd } }: Look, inside: string): PathFact | undefined {
  for (const base of cwd === root ? [root] : [root, cwd]) {
    const real = realPath(path.join(base, inside));
    if (real === "unclear") return OUTSIDE;
    if (real === undefined) continue;
    if (!isBelow(root, real.path) || (inside.endsWith("/") && !real.isDirectory)) return OUTSIDE;
    return base === root ? { state: "here" } : { state: "here", at: path.relative(root, path.join(base, inside)) };
  }
  return undefined;
}

function isBelow(root: string, target: string): boolean {
  return target === root || target.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function realPath(target: string): { readonly path: string; readonly isDirectory: boolean } | "unclear" | undefined {
  try {
    const isThere = fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined;
    if (!isThere) return undefined;
    const real = fs.realpathSync(target);
    return { path: real, isDirectory: fs.statSync(real).isDirectory() };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    // A file in place of a directory means missing; a dangling or circular link, or no permission, is unclear.
    return error.code === "ENOTDIR" || error.code === "ENAMETOOLONG" ? undefined : "unclear";
  }
}

/** Without git nothing is known about the past: a path counts as absent only if its first directory exists. */
function withoutGit({ checkout: { root } }: Look, missing: readonly string[]): Map<string, PathFact> {
  return new Map(
    missing.flatMap((claimed): [string, PathFact][] => {
      const [first = "", second = ""] = claimed.replace(/^\.\//u, "").split("/");
      return second !== "" &&
        !claimed.startsWith("/") &&
        fs.statSync(path.join(root, first), { throwIfNoEntry: false })?.isDirectory() === true
        ? [[claimed, { state: "absent" }]]
        : [];
    }),
  );
}

/** A cached answer of git that still matches the disk. */
function cachedFact(look: Look, claimed: string): PathFact | undefined {
  const value = look.cache.get(keyOf(claimed));
  if (!isPathFact(value)) return undefined;
  if (value.state === "here" && value.at !== undefined)
    return onDisk(look, value.at)?.state === "here" ? value : undefined;
  if (value.state === "renamed") return onDisk(look, value.to)?.state === "here" ? value : undefined;
  return value;
}

/** The cache file is written from this type; an invalid value is requested again. */
function isPathFact(value: unknown): value is PathFact {
  if (typeof value !== "object" || value === null || !("state" in value)) return false;
  if (value.state === "renamed") return "to" in value && typeof value.to === "string";
  if (value.state === "here") return "at" in value && typeof value.at === "string";
  return (
    value.state === "never" ||
    value.state === "absent" ||
    (value.state === "deleted" && (!("by" in value) || typeof value.by === "object"))
  );
}

function withGit(look: Look, missing: readonly string[]): Map<string, PathFact> {
  const facts = new Map<string, PathFact>();
  const tracked = missing.length === 0 ? undefined : look.tracked();
  if (tracked === undefined) return facts;
  const rest: string[] = [];
  for (const claimed of missing) {
    const inside = relativeToRoot(look, claimed) ?? claimed;
    const alike = tracked.filter((file) =>
      inside.endsWith("/")
        ? `/${file.path}`.includes(`/${inside}`)
        : file.path === inside || file.path.endsWith(`/${inside}`),
    );
    const there = alike.find((file) => file.skipped || onDisk(look, file.path)?.state === "here");
    if (there === undefined) rest.push(claimed);
    else
      facts.set(claimed, {
        state: "here",
        at: inside.endsWith("/")
          ? there.path.slice(0, `/${there.path}`.indexOf(`/${inside}`) + inside.length)
          : there.path,
      });
  }
  if (rest.length === 0) return facts;
  // Still in the index: removed since the commit. For the rest, searching the history first saves a process.
  const indexed = rest.filter((claimed) =>
    tracked.some((file) => fits(relativeToRoot(look, claimed) ?? claimed, file.path)),
  );
  const past = committedPast(
    look,
    rest.filter((claimed) => !indexed.includes(claimed)),
  );
  const open = rest.filter((claimed) => past.get(claimed) === undefined || past.get(claimed)?.state === "never");
  return new Map([...facts, ...past, ...uncommittedPast(look, open)]);
}

/** Files removed or renamed since the commit. */
function uncommittedPast(look: Look, missing: readonly string[]): Map<string, PathFact> {
  const facts = new Map<string, PathFact>();
  const fresh = missing.length === 0 ? undefined : uncommittedChanges(look);
  for (const claimed of fresh === undefined ? [] : missing) {
    const inside = relativeToRoot(look, claimed) ?? claimed;
    const files = fresh?.removed.filter((file) => fits(inside, file)) ?? [];
    const [file] = files;
    if (file === undefined) continue;
    const renamed = afterRemoval(
      inside,
      files,
      fresh?.renamed ?? new Map(),
      (to) => onDisk(look, to)?.state === "here",
    );
    facts.set(claimed, renamed ?? { state: "deleted", by: undefined, ...(inside.endsWith("/") ? {} : { as: file }) });
  }
  return facts;
}

function committedPast(look: Look, missing: readonly string[]): Map<string, PathFact> {
  const facts = new Map<string, PathFact>();
  const { git, head } = look;
  if (head === undefined || missing.length === 0) return facts;
  const insides = new Map(missing.map((claimed) => [claimed, relativeToRoot(look, claimed) ?? claimed]));
  const log = deletions(git, head, [...insides.values()].map(anywhere));
  if (log === undefined) return facts;
  const deleted = missing.flatMap((claimed) => {
    const inside = insides.get(claimed) ?? claimed;
    const change = log.changes.find(({ files }) => files.some((file) => fits(inside, file)));
    return change === undefined
      ? []
      : [{ claimed, inside, change, files: change.files.filter((file) => fits(inside, file)) }];
  });
  const pairs =
    deleted.length === 0
      ? new Map<string, ReadonlyMap<string, string>>()
      : renames(git, [...new Set(deleted.map(({ change }) => change.id))]);
  for (const { claimed, inside, change, files } of deleted) {
    // If it is unclear whether it was deleted or renamed, no fact is given.
    if (pairs === undefined) continue;
    const fact = destiny(look, inside, files, change, pairs.get(change.id) ?? new Map());
    if (fact !== undefined) facts.set(claimed, fact);
  }
  const isWhole = log.complete && look.checkout.git?.shallow === false;
  if (isWhole)
    for (const claimed of missing)
      if (!deleted.some((one) => one.claimed === claimed)) facts.set(claimed, { state: "never" });
  return facts;
}

function fits(inside: string, file: string): boolean {
  return inside.endsWith("/") ? `/${file}`.includes(`/${inside}`) : file === inside || file.endsWith(`/${inside}`);
}

/** A longer chain of renames is not followed to its end. */
const MOST_HOPS = 8;

/** Where the files of a claim are now, with renames followed; `undefined` when time ran out. */
function destiny(
  look: Look,
  inside: string,
  files: readonly string[],
  change: FileChange,
  pairs: ReadonlyMap<string, string>,
): PathFact | undefined {
  const isHere = (to: string): boolean => onDisk(look, to)?.state === "here";
  const isDirectory = inside.endsWith("/");
  let last = { name: isDirectory ? inside : (files[0] ?? inside), change, to: newPlace(inside, files, pairs) };
  for (let hop = 0; hop < MOST_HOPS && last.to !== undefined; hop++) {
    const name = last.to;
    const { commit, date } = last.change;
    if (isHere(name)) return { state: "renamed", to: name, by: { commit, date } };
    const next = deletions(look.git, look.head ?? "", [exactly(name)])?.changes[0];
    // A directory may have lost one file in a commit and the rest since then.
    const since = next === undefined || isDirectory ? goneSince(look, name, isHere) : undefined;
    if (next === undefined || since !== undefined) return since;
    const onward = renames(look.git, [next.id]);
    if (onward === undefined) return undefined;
    last = { name, change: next, to: newPlace(name, next.files, onward.get(next.id) ?? new Map()) };
  }
  return last.to === undefined
    ? {
        state: "deleted",
        by: { commit: last.change.commit, date: last.change.date },
        ...(last.name === inside ? {} : { as: last.name }),
      }
    : undefined;
}

/** How uncommitted changes affected a chain's last name; `undefined` if a merge removed it, or time ran out. */
function goneSince(look: Look, name: string, isHere: (to: string) => boolean): PathFact | undefined {
  const fresh = uncommittedChanges(look);
  const files = fresh?.removed.filter((file) => (name.endsWith("/") ? file.startsWith(name) : file === name)) ?? [];
  if (fresh === undefined || files.length === 0) return undefined;
  return afterRemoval(name, files, fresh.renamed, isHere) ?? { state: "deleted", by: undefined, as: name };
}

/** The uncommitted new name of a file, or the one directory to which all of a directory's files moved, if it exists. */
function afterRemoval(
  inside: string,
  files: readonly string[],
  pairs: ReadonlyMap<string, string>,
  isHere: (to: string) => boolean,
): PathFact | undefined {
  const to = newPlace(inside, files, pairs);
  return to === undefined || !isHere(to) ? undefined : { state: "renamed", to, by: undefined };
}

/** The new name of a file, or the one directory to which all of a directory's files moved. */
function newPlace(inside: string, files: readonly string[], pairs: ReadonlyMap<string, string>): string | undefined {
  if (!inside.endsWith("/")) return pairs.get(files[0] ?? "");
  const places = new Set(
    files.map((file) => {
      const to = pairs.get(file);
      const rest = file.slice(`/${file}`.indexOf(`/${inside}`) + inside.length);
      return to?.endsWith(`/${rest}`) === true ? to.slice(0, to.length - rest.length) : undefined;
    }),
  );
  const [place] = places;
  return places.size === 1 ? place : undefined;
}
