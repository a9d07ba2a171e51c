import path from "node:path";
import type {
  BranchFact,
  PackageFact,
  ScriptFact,
  TreeFacts,
  TreeQuery,
  WorkingTree,
} from "../../core/notes/claims/claim.ts";
import { openAnswerCache } from "./cache.ts";
import {
  branchesOnceCheckedOut,
  branchRefs,
  findCheckout,
  type GitPlace,
  hasPlainRefs,
  readSmall,
} from "./checkout.ts";
import { isInVain, listTracked, type Look, type TrackedFile, triedAgain } from "./history.ts";
import { pathFacts } from "./paths.ts";
import { type AskGit, plainGit } from "./plain-git.ts";
import { isSeen, wordFacts } from "./words.ts";
import { parseJson, record } from "../../core/shared/json.ts";

const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|Pipfile|Cargo\.toml|go\.mod)$/u;

const USUAL = ["package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod"];

/** A repository with more manifests than this is only known in part. */
const MOST_MANIFESTS = 80;

const FIXTURES = /(?:^|\/)(?:node_modules|fixtures?|__fixtures__|testdata)\//u;

interface Manifest {
  readonly isNode: boolean;
  readonly scripts: ReadonlySet<string>;
  readonly has: (name: string) => boolean;
}

/** Scripts and packages of the manifests at the top and around the person, then of all that git tracks. */
function manifestFacts(
  look: Look,
  scripts: readonly string[],
  packages: readonly string[],
): { scripts: Map<string, ScriptFact>; packages: Map<string, PackageFact> } {
  const found = { scripts: new Map<string, ScriptFact>(), packages: new Map<string, PackageFact>() };
  if (scripts.length === 0 && packages.length === 0) return found;
  const near = nearManifests(look);
  settlePresent(found, near, scripts, packages);
  const openScripts = scripts.filter((name) => !found.scripts.has(name));
  const openPackages = packages.filter((name) => !found.packages.has(name));
  if (openScripts.length === 0 && openPackages.length === 0) return found;
  const others = farManifests(look);
  settlePresent(found, others.manifests, openScripts, openPackages);
  // Only a tree that has scripts and was seen whole lacks one.
  if (others.complete && near.some(({ isNode, scripts: own }) => isNode && own.size > 0))
    for (const name of openScripts) if (!found.scripts.has(name)) found.scripts.set(name, { state: "absent" });
  if (others.complete)
    for (const name of openPackages) if (!found.packages.has(name)) settlePast(look, name, found.packages);
  return found;
}

function settlePresent(
  found: { scripts: Map<string, ScriptFact>; packages: Map<string, PackageFact> },
  manifests: readonly Manifest[],
  scripts: readonly string[],
  packages: readonly string[],
): void {
  for (const name of scripts)
    if (manifests.some((manifest) => manifest.scripts.has(name))) found.scripts.set(name, { state: "here" });
  for (const name of packages)
    if (manifests.some((manifest) => manifest.has(name))) found.packages.set(name, { state: "here" });
}

/** From where the person stands up to the top. */
function nearManifests({ checkout: { root, cwd } }: Look): Manifest[] {
  const directories = [root];
  for (let directory = cwd; directory !== root && directory.startsWith(root); directory = path.dirname(directory))
    directories.push(directory);
  return directories.flatMap((directory) => USUAL.flatMap((name) => readManifest(path.join(directory, name))));
}

function farManifests(look: Look): { readonly manifests: readonly Manifest[]; readonly complete: boolean } {
  const { root, git } = look.checkout;
  // Without git there is no list of files; workspaces may have more than was seen.
  if (git === undefined)
    return {
      manifests: [],
      complete:
        !/"workspaces"/u.test(readSmall(path.join(root, "package.json"))) &&
        readSmall(path.join(root, "pnpm-workspace.yaml")) === "",
    };
  const files = look.tracked()?.filter((file) => MANIFEST.test(file.path) && !FIXTURES.test(file.path));
  if (files === undefined) return { manifests: [], complete: false };
  return {
    manifests: files.slice(0, MOST_MANIFESTS).flatMap((file) => readManifest(path.join(root, file.path))),
    complete: files.length <= MOST_MANIFESTS && !files.some(({ skipped }) => skipped),
  };
}

function readManifest(file: string): Manifest[] {
  const text = readSmall(file);
  if (text === "") return [];
  if (!file.endsWith(".json"))
    return [
      {
        isNode: false,
        scripts: new Set(),
        has: (name) =>
          new RegExp(
            String.raw`(?<![\w.-])${name.replace(/[.*+?^$()|[\]{}\\/-]/gu, String.raw`\$&`).replace(/(?:\\-|_)/gu, "[-_]")}(?![\w-])`,
            "iu",
          ).test(text),
      },
    ];
  const value = parse(text);
  const named = new Set(
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap((key) =>
      Object.keys(record(value[key])),
    ),
  );
  return [
    {
      isNode: true,
      scripts: new Set(Object.keys(record(value["scripts"]))),
      has: (name) => named.has(name) || value["name"] === name,
    },
  ];
}

function parse(text: string): Readonly<Record<string, unknown>> {
  return record(parseJson(text)); // half written or not JSON: it says nothing
}

/** Whether the package was a dependency once, and which commit ended it. */
function settlePast(look: Look, name: string, facts: Map<string, PackageFact>): void {
  const key = `package ${name}`;
  const kept = look.cache.get(key);
  if (isPackageFact(kept)) {
    facts.set(name, kept);
    return;
  }
  if (look.checkout.git === undefined) facts.set(name, { state: "never" });
  if (look.head === undefined || isInVain(kept, look.budgetMs)) return;
  const specs = ["package.json", "pyproject.toml", "requirements*.txt", "Cargo.toml", "go.mod"].map(
    (file) => `:(top,glob)**/${file}`,
  );
  const answer = look.git([
    "log",
    "-1",
    "--no-ext-diff",
    "--no-textconv",
    "--format=%h%x1f%cs",
    `-S${/[@/]/u.test(name) ? `"${name}"` : name}`,
    look.head,
    "--",
    ...specs,
  ]);
  if (answer?.complete !== true) {
    look.cache.set(key, triedAgain(kept, look.budgetMs));
    return;
  }
  const [commit = "", date = ""] = answer.text.trim().split("\x1f");
  const isWhole = look.checkout.git?.shallow === false;
  // A shorter name may stand inside a longer one: only a whole one counts as proof.
  const wasWhole =
    commit !== "" &&
    new RegExp(
      String.raw`^-.*(?<![\w.@/-])${name.replace(/[.*+?^$()|[\]{}\\/]/gu, String.raw`\$&`)}(?![\w.@/-])`,
      "mu",
    ).test(
      look.git(["show", "--no-ext-diff", "--no-textconv", "-U0", "--format=", commit, "--", ...specs])?.text ?? "",
    );
  const fact: PackageFact | undefined = wasWhole
    ? { state: "former", by: { commit, date } }
    : commit === "" && isWhole
      ? { state: "never" }
      : undefined;
  if (fact === undefined) return;
  facts.set(name, fact);
  look.cache.set(key, fact);
}

function isPackageFact(value: unknown): value is PackageFact {
  return (
    typeof value === "object" &&
    value !== null &&
    "state" in value &&
    (value.state === "never" || (value.state === "former" && "by" in value))
  );
}

export interface WorkingTreeParts {
  /** Where the person works. */
  readonly cwd: string;
  /** A file for git's answers about a tree with this root. */
  readonly cacheFile: (root: string) => string;
  /** Beginning of the path of an empty repository that git is run in. */
  readonly emptyRepository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds from some beginning. */
  readonly elapsedMs: () => number;
}

/** The real files and the real git, within the time allowed. */
export function openWorkingTree(parts: WorkingTreeParts): WorkingTree {
  return {
    ask(query, budgetMs) {
      if (budgetMs <= 0) return { ...NOTHING, outOfTime: true };
      const deadline = parts.elapsedMs() + budgetMs;
      const look = begin(parts, budgetMs, () => deadline - parts.elapsedMs());
      const paths = pathFacts(look, query.paths);
      const manifests = manifestFacts(look, query.scripts, query.packages);
      const branches = branchFacts(look, query.branches);
      const words = wordFacts(look, query.words);
      look.cache.save();
      const outOfTime = parts.elapsedMs() >= deadline;
      return { paths, words, branches, ...manifests, outOfTime } satisfies TreeFacts;
    },
  };
}

const NOTHING: TreeFacts = {
  paths: new Map(),
  words: new Map(),
  scripts: new Map(),
  packages: new Map(),
  branches: new Map(),
};

const NO_GIT: AskGit = () => undefined;

function begin(parts: WorkingTreeParts, budgetMs: number, remainingMs: () => number): Look {
  const checkout = findCheckout(parts.cwd);
  const { git: place } = checkout;
  const git =
    place === undefined
      ? NO_GIT
      : plainGit({ ...checkout, git: place }, parts.emptyRepository, parts.environment, remainingMs);
  let listed: { readonly files: readonly TrackedFile[] | undefined } | undefined;
  return {
    checkout,
    git,
    head: place?.head,
    cache: openAnswerCache(parts.cacheFile(checkout.root), stateOf(place), isSeen),
    budgetMs,
    tracked: () => (listed ??= { files: listTracked(git) }).files,
  };
}

/** The commit and the index: what every answer of git rests on, but for the files it was looked up in. */
function stateOf(place: GitPlace | undefined): string {
  return place === undefined
    ? "no git"
    : `${place.head ?? "no commit"} ${place.indexStamp} ${place.shallow ? "shallow" : "whole"}`;
}

/** A branch is called former only when this checkout's own log says that it was on it. */
function branchFacts({ checkout: { git } }: Look, wanted: TreeQuery["branches"]): Map<string, BranchFact> {
  if (git === undefined || wanted.length === 0 || !hasPlainRefs(git)) return new Map();
  const refs = branchRefs(git);
  const known = new Set(
    [...refs].flatMap((ref) => {
      const [, local, remote, tracking] = /^refs\/(?:heads\/(.+)|remotes\/([^/]+)\/(.+))$/u.exec(ref) ?? [];
      return local !== undefined ? [local] : tracking === undefined ? [] : [tracking, `${remote ?? ""}/${tracking}`];
    }),
  );
  const once = branchesOnceCheckedOut(git);
  return new Map(
    wanted.flatMap((name): [string, BranchFact][] =>
      known.has(name) ? [[name, { state: "here" }]] : once.has(name) ? [[name, { state: "former" }]] : [],
    ),
  );
}
