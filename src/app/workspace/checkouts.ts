import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { identifyProject, type PathRules, type ProjectIdentity } from "../../core/notes/project.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";

/** A repository as seen at a path: its identity, which does not depend on the path, and its notes directory. */
export interface KnownCheckout {
  /** `id …` (the file in the git common directory), `remote …` or `commit …`. */
  readonly identity: string;
  readonly root: string;
  /** The directory of the project's notes. */
  readonly directory: string;
}

/** In the git common directory: an id that a checkout keeps when renamed or moved, and that clones do not get. */
const ID_FILE = "memdir-id";

/** A repository's identities according to git's own small files: the id that memdir gave it, and its remote. */
export function identitiesOf({ gitDirectory }: Pick<ProjectIdentity, "gitDirectory">): readonly string[] {
  if (gitDirectory === undefined) return [];
  const id = /^[0-9a-f]{32}$/mu.exec(readableText(path.join(gitDirectory, ID_FILE)))?.[0];
  const remote = remoteIn(textOf(path.join(gitDirectory, "config")));
  return [...(id === undefined ? [] : [`id ${id}`]), ...(remote === undefined ? [] : [`remote ${remote}`])];
}

/** The address of `origin` in a git configuration, without login and without `.git`. */
function remoteIn(config: string): string | undefined {
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/mu.exec(config)?.[1];
  const address = /^\s*url\s*=\s*(.+?)\s*$/mu.exec(section ?? "")?.[1];
  return address?.replace(/\/\/[^@/]*@/u, "//").replace(/(?:\.git)?\/?$/u, "");
}

function textOf(file: string): string {
  const bytes = nodeFiles.stat(file)?.kind === "file" ? nodeFiles.read(file) : undefined;
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

/** Empty if another user made the file private: the remote and the path still identify the repository. */
function readableText(file: string): string {
  try {
    return textOf(file);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return "";
  }
}

function registryPath(memdirHome: string): string {
  return path.join(memdirHome, "checkouts.json");
}

/** Where repositories were seen, oldest first. Damaged entries are ignored: they are only hints, and recreated. */
export function knownCheckouts({ memdirHome }: { readonly memdirHome: string }): readonly KnownCheckout[] {
  const value = parseJson(textOf(registryPath(memdirHome)));
  return Array.isArray(value) ? value.flatMap(toCheckout) : [];
}

function toCheckout(value: unknown): KnownCheckout[] {
  if (!isRecord(value)) return [];
  const { identity, root, directory } = value;
  return typeof identity === "string" && typeof root === "string" && typeof directory === "string"
    ? [{ identity, root, directory }]
    : [];
}

/**
 * Earlier paths of this checkout, latest first: known under the same identity at a path where it no longer is. A second
 * clone that still exists is another checkout and is not included.
 */
export function formerCheckouts(
  memdirHome: string,
  project: ProjectIdentity,
  rules: PathRules,
): readonly KnownCheckout[] {
  const identities = identitiesOf(project);
  if (identities.length === 0) return [];
  const seen = new Set([project.root]);
  return knownCheckouts({ memdirHome })
    .toReversed()
    .filter(({ identity, root }) => {
      if (!identities.includes(identity) || seen.has(root) || isStillAt(root, identity, rules)) return false;
      seen.add(root);
      return true;
    });
}

function isStillAt(root: string, identity: string, rules: PathRules): boolean {
  if (!fs.existsSync(root)) return false;
  const there = identifyProject(root, nodeFiles, rules);
  return there.root === root && identitiesOf(there).includes(identity);
}

/**
 * Records that a repository is at this path and where its notes are, so that both are found after it is renamed, moved
 * or cloned again. For that, the repository gets an id in git's directory, which is never committed.
 */
export function rememberCheckout(
  memdirHome: string,
  project: ProjectIdentity,
  directory: string,
  more: readonly string[] = [],
): void {
  const { gitDirectory, root } = project;
  if (gitDirectory === undefined) return;
  giveId(gitDirectory);
  const known = knownCheckouts({ memdirHome });
  const fresh = [...new Set([...identitiesOf(project), ...more])].filter(
    (identity) => known.findLast((one) => one.identity === identity && one.root === root)?.directory !== directory,
  );
  if (fresh.length === 0) return;
  const others = known.filter((one) => !(one.root === root && fresh.includes(one.identity)));
  writeRegistry(memdirHome, [...others, ...fresh.map((identity) => ({ identity, root, directory }))]);
}

function giveId(gitDirectory: string): void {
  const file = path.join(gitDirectory, ID_FILE);
  if (nodeFiles.stat(file) !== undefined || nodeFiles.stat(gitDirectory)?.kind !== "directory") return;
  try {
    nodeFiles.create(file, new TextEncoder().encode(`${randomBytes(16).toString("hex")}\n`));
    // Users who may read the repository may read its id.
    nodeFiles.copyMode(path.join(gitDirectory, "HEAD"), file);
  } catch (error) {
    // A read-only repository, or another process was first: the remote still identifies it.
    if (!(error instanceof MemoryError)) throw error;
  }
}

function writeRegistry(memdirHome: string, checkouts: readonly KnownCheckout[]): void {
  const file = registryPath(memdirHome);
  nodeFiles.makeDirectory(memdirHome);
  putFile(file, JSON.stringify(checkouts, undefined, 1));
}
