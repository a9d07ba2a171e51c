import path from "node:path";
import type { PackageFact, ScriptFact } from "../../core/notes/claims/claim.ts";
import { parseJson, record } from "../../core/shared/json.ts";
import { readSmall } from "./checkout.ts";
import { isInVain, type Look, triedAgain } from "./history.ts";

const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|Pipfile|Cargo\.toml|go\.mod)$/u;

const USUAL = ["package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod"];

/** A repository with more manifests than this is only partly read. */
const MOST_MANIFESTS = 80;

const FIXTURES = /(?:^|\/)(?:node_modules|fixtures?|__fixtures__|testdata)\//u;

interface Manifest {
  readonly isNode: boolean;
  readonly scripts: ReadonlySet<string>;
  readonly has: (name: string) => boolean;
}

/** Scripts and packages of the manifests at the top and above the person's directory, then of all tracked ones. */
export function manifestFacts(
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
  // A script counts as absent only if the tree has scripts and was read completely.
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

/** Manifests from the person's directory up to the top. */
function nearManifests({ checkout: { root, cwd } }: Look): Manifest[] {
  const directories = [root];
  for (let directory = cwd; directory !== root && directory.startsWith(root); directory = path.dirname(directory))
    directories.push(directory);
  return directories.flatMap((directory) => USUAL.flatMap((name) => readManifest(path.join(directory, name))));
}

function farManifests(look: Look): { readonly manifests: readonly Manifest[]; readonly complete: boolean } {
  const { root, git } = look.checkout;
  // Without git there is no list of files; workspaces may have manifests that were not read.
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
  return record(parseJson(text)); // incomplete or not JSON: no information
}

/** Whether the package was once a dependency, and which commit removed it. */
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
  // A shorter name may be part of a longer one: only a whole name counts as proof.
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
