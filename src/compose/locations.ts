import fs from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { hasGit } from "../adapters/git/find.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import type { Mode } from "../core/memory/workspace.ts";
import type { RecallLog } from "../core/recall/recall-log.ts";
import { type ProjectIdentity, identifyProject, type PathRules } from "../core/notes/project.ts";
import type { Scope } from "../core/notes/note.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { sha256 } from "../core/shared/hash.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LocationOptions {
  /** Where the person works; default the process's. */
  readonly cwd?: string;
  /** A directory of notes to use instead of the project's. */
  readonly dir?: string;
  readonly environment?: Environment;
}

export interface StoreLocation {
  readonly scope: Scope;
  readonly directory: string;
  readonly state: string;
  readonly excluded: readonly string[];
}

export interface Locations {
  /** Where the person works, links resolved. */
  readonly cwd: string;
  readonly home: string;
  readonly memdirHome: string;
  /** Claude Code's configuration directory, there or not. */
  readonly configDirectory: string;
  readonly project: ProjectIdentity | undefined;
  readonly stores: readonly StoreLocation[];
  readonly mode: Mode;
  /** Why the mode is what it is, where somebody asked for it. */
  readonly modeReason: string | undefined;
  /** What the log of recalls keeps of a prompt. */
  readonly recallLog: RecallLog["keeps"];
  readonly environment: Environment;
  /** How paths of this machine compare. */
  readonly pathRules: PathRules;
  /** Whether history can be kept with git. */
  readonly hasGit: () => boolean;
}

/** Decides where notes and memdir's own state live; reads nothing but settings and git's small files. */
export function locate(options: LocationOptions): Locations {
  const environment = options.environment ?? process.env;
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? homedir();
  const memdirHome = path.resolve(environment["MEMDIR_HOME"] ?? path.join(home, ".memdir"));
  const configDirectory = path.resolve(environment["CLAUDE_CONFIG_DIR"] || path.join(home, ".claude"));
  const settings = readSettings(path.join(configDirectory, "settings.json"));
  const given = options.dir ?? environment["MEMDIR_DIR"];
  const cwd = realPath(path.resolve(options.cwd ?? process.cwd()));
  const base = { cwd, home, memdirHome, configDirectory, environment, pathRules: pathRules(environment), recallLog: recallLogOf(environment), hasGit: () => hasGit(environment), ...modeOf(environment, settings) };
  if (given !== undefined) {
    if (given.trim() === "") throw new MemoryError("invalid-input", "the directory of notes is an empty string; give a path after --dir");
    const directory = realPath(path.resolve(options.cwd ?? process.cwd(), expand(given, home)));
    requireDirectory(directory);
    return { ...base, project: undefined, stores: withTeam(memdirHome, directory, path.join(directory, "team")) };
  }
  const project = identifyProject(toUnix(cwd), nodeFiles, base.pathRules);
  return { ...base, project, stores: projectStores({ environment, home, memdirHome, configDirectory, settings, slug: project.slug }) };
}

/** Claude Code is there when its directory is, or when somebody says where it is to be. */
export function isClaudeHere(environment: Environment, configDirectory: string): boolean {
  return (environment["CLAUDE_CONFIG_DIR"] ?? "") !== "" || fs.existsSync(configDirectory);
}

interface ProjectPlaces {
  readonly environment: Environment;
  readonly home: string;
  readonly memdirHome: string;
  readonly configDirectory: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly slug: string;
}

/** Claude Code's own directory when Claude Code is there, else memdir's; both can be moved. */
function projectStores(places: ProjectPlaces): StoreLocation[] {
  const { environment, home, memdirHome, settings, slug } = places;
  const remote = environment["CLAUDE_CODE_REMOTE_MEMORY_DIR"];
  const moved = settings["autoMemoryDirectory"];
  const user = location(memdirHome, "user", path.join(memdirHome, "user", "memory"));
  const local = location(memdirHome, "local", path.join(memdirHome, "local", slug, "memory"));
  if (remote !== undefined && remote !== "") {
    const directory = realPath(path.resolve(expand(remote, home), "projects", slug, "memory"));
    return [...withTeam(memdirHome, directory, path.join(path.dirname(directory), "team-memory")), user, local];
  }
  const own = typeof moved === "string" && moved !== "" ? path.resolve(expand(moved, home)) : usualPlace(places);
  const directory = realPath(own);
  return [...withTeam(memdirHome, directory, path.join(directory, "team")), user, local];
}

/**
 * Notes that memdir kept before Claude Code was there stay where they are until somebody moves them: a new
 * directory must never make them vanish.
 */
function usualPlace({ environment, memdirHome, configDirectory, slug }: ProjectPlaces): string {
  const ours = path.join(memdirHome, "projects", slug, "memory");
  if (!isClaudeHere(environment, configDirectory)) return ours;
  const claudes = path.join(configDirectory, "projects", slug, "memory");
  return hasNotes(ours) && !hasNotes(claudes) ? ours : claudes;
}

function hasNotes(directory: string): boolean {
  return fs.existsSync(directory) && fs.readdirSync(directory).some((name) => /\.md$/iu.test(name));
}

function withTeam(memdirHome: string, directory: string, team: string): StoreLocation[] {
  const isInside = path.dirname(team) === directory;
  return [{ ...location(memdirHome, "project", directory), excluded: isInside ? ["team"] : [] }, location(memdirHome, "team", team)];
}

function location(memdirHome: string, scope: Scope, directory: string): StoreLocation {
  return { scope, directory: toUnix(directory), state: toUnix(path.join(memdirHome, "stores", stateName(directory))), excluded: [] };
}

/** The path with its separators written `+`, so that a person can tell whose state it is; a long one is cut and hashed. */
export function stateName(directory: string): string {
  const name = encodeURIComponent(directory).replace(/%2F/gu, "+").replace(/%5C/gu, "~").replace(/%20/gu, " ");
  return name.length <= 180 ? name : `${name.slice(0, 140)}-${sha256(directory).slice(0, 24)}`;
}

function modeOf(environment: Environment, settings: Readonly<Record<string, unknown>>): Pick<Locations, "mode" | "modeReason"> {
  // A model that memdir itself asks must not ask memdir.
  if (environment["MEMDIR_NESTED"] === "1") return { mode: "off", modeReason: "MEMDIR_NESTED=1: this runs inside an agent that memdir started" };
  const asked = environment["MEMDIR_MODE"];
  if (asked === "off" || asked === "recall-only" || asked === "auto") return { mode: asked, modeReason: `MEMDIR_MODE=${asked}` };
  if (asked !== undefined && asked !== "") throw new MemoryError("invalid-input", `MEMDIR_MODE is "${asked}"; use auto, recall-only or off`);
  const disabled = environment["CLAUDE_CODE_DISABLE_AUTO_MEMORY"];
  if (disabled === "1" || disabled === "true") return { mode: "off", modeReason: `CLAUDE_CODE_DISABLE_AUTO_MEMORY=${disabled}` };
  if (settings["autoMemoryEnabled"] === false) return { mode: "off", modeReason: "autoMemoryEnabled is false in settings.json" };
  return { mode: "auto", modeReason: undefined };
}

function recallLogOf(environment: Environment): Locations["recallLog"] {
  const asked = environment["MEMDIR_RECALL_LOG"] ?? "";
  if (asked === "" || asked === "text") return "text";
  if (asked === "hash") return "hash";
  if (asked === "off") return "nothing";
  throw new MemoryError("invalid-input", `MEMDIR_RECALL_LOG is "${asked}"; use text, hash or off`);
}

/** Malformed settings are the client's to complain about; memdir goes on with its defaults. */
function readSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** A wrong path is said at once; one that does not exist yet is made at the first write. */
function requireDirectory(directory: string): void {
  if (fs.existsSync(directory)) {
    if (!fs.statSync(directory).isDirectory()) throw new MemoryError("invalid-input", `${directory} is a file; a directory of notes is needed`);
  } else if (nodeFiles.stat(directory)?.kind === "link") {
    throw new MemoryError("invalid-input", `${directory} is a link to nothing; mend the link first`);
  }
}

/** The path with links resolved as far as it exists. */
function realPath(target: string): string {
  try {
    return fs.realpathSync(target);
  } catch {
    const parent = path.dirname(target);
    return parent === target ? target : path.join(realPath(parent), path.basename(target));
  }
}

function expand(target: string, home: string): string {
  return target === "~" || target.startsWith("~/") ? path.join(home, target.slice(1)) : target;
}

function toUnix(target: string): string {
  return path.sep === "\\" ? target.replaceAll("\\", "/") : target;
}

function pathRules(environment: Environment): PathRules {
  if (process.platform === "win32") return { flavour: "windows", ignoreCase: true };
  if (environment["WSL_DISTRO_NAME"] !== undefined) return { flavour: "wsl", ignoreCase: false };
  return { flavour: "posix", ignoreCase: process.platform === "darwin" };
}
