import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { runGit } from "../adapters/git/command.ts";
import { modeIn } from "../core/memory/modes.ts";
import { comparablePath } from "../core/notes/project.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { isClaudeHere, type Locations } from "./locations.ts";

export interface OtherStore {
  readonly directory: string;
  readonly notes: number;
  /** Why it may be this project's. */
  readonly reason: string;
}

/**
 * Looks for a populated store that this project's notes may be in: another spelling of its path, or a
 * checkout with the same git identity that was moved, renamed or cloned again. Only when the project's
 * own store is empty.
 */
export function findOtherStores(locations: Locations, ownNotes: number): OtherStore[] {
  const { project } = locations;
  if (project === undefined || modeIn(locations.modes, "project").mode === "off") return [];
  const identity = gitIdentity(locations);
  if (ownNotes > 0) {
    remember(locations, identity);
    return otherPlace(locations);
  }
  const projects = path.join(isClaudeHere(locations.environment, locations.configDirectory) ? locations.configDirectory : locations.memdirHome, "projects");
  const bySpelling = project.aliases.map((slug) => candidate(path.join(projects, slug, "memory"), "another spelling of the same path"));
  const byIdentity = knownCheckouts(locations)
    .filter((known) => (identity !== undefined && known.identity === identity) || comparablePath(known.root, locations.pathRules) === comparablePath(project.root, locations.pathRules))
    .map((known) => candidate(known.directory, `the same repository was at ${known.root}`));
  const own = ownDirectory(locations);
  return [...bySpelling, ...byIdentity].filter((store) => store.notes > 0 && store.directory !== own);
}

/** Claude Code's directory and memdir's own, when notes are in the one that is not in use. */
function otherPlace(locations: Locations): OtherStore[] {
  const slug = locations.project?.slug ?? "";
  const places = [locations.configDirectory, locations.memdirHome].map((base) => path.join(base, "projects", slug, "memory"));
  const own = ownDirectory(locations);
  const others = places.filter((place) => place !== own).map((place) => candidate(place, "Claude Code and memdir each keep a directory for this project; move the files of one into the other"));
  return others.filter(({ notes }) => notes > 0);
}

/** Puts a link where the project's own directory would be. @throws MemoryError when that has notes, or the target is none. */
export function linkStore(locations: Locations, target: string): { readonly link: string; readonly directory: string } {
  const directory = path.resolve(target);
  if (!fs.existsSync(directory) || !fs.statSync(directory).isDirectory()) throw new MemoryError("not-found", `${directory} is not a directory`);
  const link = ownDirectory(locations);
  if (link === undefined) throw new MemoryError("invalid-input", "link works on a project's own directory; it has no meaning with --dir");
  const present = fs.lstatSync(link, { throwIfNoEntry: false });
  if (present?.isSymbolicLink() === true) throw new MemoryError("conflict", `${link} is a link already, to ${fs.readlinkSync(link)}`);
  if (present !== undefined && fs.readdirSync(link).length > 0) throw new MemoryError("conflict", `${link} has files of its own; move them first, nothing was changed`);
  if (present !== undefined) fs.rmdirSync(link);
  nodeFiles.makeDirectory(path.dirname(link));
  fs.symlinkSync(directory, link, process.platform === "win32" ? "junction" : "dir");
  return { link, directory };
}

function ownDirectory(locations: Locations): string | undefined {
  return locations.project === undefined ? undefined : locations.stores.find(({ scope }) => scope === "project")?.directory;
}

function candidate(directory: string, reason: string): OtherStore {
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  return { directory, reason, notes: names.filter((name) => /\.md$/iu.test(name) && name !== "MEMORY.md").length };
}

interface KnownCheckout {
  readonly identity: string;
  readonly root: string;
  readonly directory: string;
}

/** The remote's URL, else the first commit; `undefined` without git. */
function gitIdentity(locations: Locations): string | undefined {
  const { project, environment } = locations;
  if (project?.gitDirectory === undefined || !locations.hasGit()) return undefined;
  const ask = (args: readonly string[]): string | undefined => {
    try {
      return runGit(project.gitDirectory ?? "", environment, args).toString("utf8").trim().split("\n")[0];
    } catch (error) {
      if (error instanceof MemoryError) return undefined; // no remote, no commit yet
      throw error;
    }
  };
  const remote = ask(["config", "--get", "remote.origin.url"]);
  if (remote !== undefined && remote !== "") return `remote ${remote.replace(/\/\/[^@/]*@/u, "//").replace(/(?:\.git)?\/?$/u, "")}`;
  const commit = ask(["rev-list", "--max-parents=0", "HEAD"]);
  return commit === undefined || commit === "" ? undefined : `commit ${commit}`;
}

function registryPath(locations: Pick<Locations, "memdirHome">): string {
  return path.join(locations.memdirHome, "checkouts.json");
}

/** Where repositories were seen, as far as `status` and `doctor` looked. */
export function knownCheckouts(locations: Pick<Locations, "memdirHome">): KnownCheckout[] {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(registryPath(locations), "utf8"));
    return Array.isArray(value) ? value.flatMap(toCheckout) : [];
  } catch {
    return []; // not there yet, or not ours: it is only a hint, made again by the next status
  }
}

function toCheckout(value: unknown): KnownCheckout[] {
  if (typeof value !== "object" || value === null || !("identity" in value) || !("root" in value) || !("directory" in value)) return [];
  return [{ identity: String(value.identity), root: String(value.root), directory: String(value.directory) }];
}

/** Notes which repository this store belongs to, so that it is found again after a move. */
function remember(locations: Locations, identity: string | undefined): void {
  const directory = ownDirectory(locations);
  const root = locations.project?.root;
  if (identity === undefined || directory === undefined || root === undefined) return;
  const known = knownCheckouts(locations);
  if (known.some((one) => one.identity === identity && one.directory === directory)) return;
  const file = registryPath(locations);
  nodeFiles.makeDirectory(path.dirname(file));
  fs.writeFileSync(`${file}.${process.pid}`, JSON.stringify([...known, { identity, root, directory }], undefined, 1), { mode: 0o600 });
  fs.renameSync(`${file}.${process.pid}`, file);
}
