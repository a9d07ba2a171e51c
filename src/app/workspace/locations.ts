import fs from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { hasGit } from "../../adapters/git/find.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { everyScope, modeIn, type Mode, type ScopeModes, widestMode } from "./modes.ts";
import { decideModes } from "./decide-modes.ts";
import type { RecallLog } from "../../core/recall/log-line.ts";
import { type ProjectIdentity, identifyProject, type PathRules } from "../../core/notes/project.ts";
import { slugOf, LOG_MONTHS } from "../../core/notes/names.ts";
import type { Scope } from "../../core/notes/note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { openApprovals } from "./approvals.ts";
import { formerCheckouts, type KnownCheckout } from "./checkouts.ts";
import { hasNote } from "./note-count.ts";
import { checkName, groupOf, isName, readScopeSettings, teamDirectory } from "./scope-settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LocationOptions {
  /** The directory that the user works in; default: that of the process. */
  readonly cwd?: string;
  /** A directory of notes to use instead of the project's. */
  readonly dir?: string;
  readonly environment?: Environment;
  /** The type of sub-agent whose notes are also in force; default MEMDIR_AGENT. */
  readonly agentType?: string;
}

export interface StoreLocation {
  readonly scope: Scope;
  readonly directory: string;
  readonly state: string;
  readonly excluded: readonly string[];
  /** Its notes are reviewed as files, so MEMORY.md is ordered by name, not by one user's use. */
  readonly inRepository?: boolean;
}

export interface Locations {
  /** The directory that the user works in, links resolved. */
  readonly cwd: string;
  readonly home: string;
  readonly memdirHome: string;
  /** Claude Code's configuration directory, which may not exist. */
  readonly configDirectory: string;
  readonly project: ProjectIdentity | undefined;
  readonly stores: readonly StoreLocation[];
  /** The type of sub-agent whose notes are in force. */
  readonly agentType: string | undefined;
  /** The group of projects that this project is in. */
  readonly group: string | undefined;
  /** The team's notes in the repository if not approved on this machine; they are neither read nor written. */
  readonly untrustedTeam: string | undefined;
  /** The widest mode of all scopes here. */
  readonly mode: Mode;
  /** Why the mode is set; `undefined` for the default. */
  readonly modeReason: string | undefined;
  readonly modes: ScopeModes;
  /** This project's key in settings: its root, or the given notes directory. */
  readonly modeKey: string;
  /** Paths of this checkout before it was renamed or moved, latest first: settings and notes are still found there. */
  readonly formerly: readonly KnownCheckout[];
  /** How much of a prompt the log of recalls keeps. */
  readonly recallLog: RecallLog["keeps"];
  readonly environment: Environment;
  /** How paths are compared on this machine. */
  readonly pathRules: PathRules;
  /** Whether git is available for history. */
  readonly hasGit: () => boolean;
}

/** Decides where notes and memdir's own state are; reads only settings and git's small files. */
export function locate(options: LocationOptions): Locations {
  const environment = options.environment ?? process.env;
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? homedir();
  const memdirHome = path.resolve(environment["MEMDIR_HOME"] ?? path.join(home, ".memdir"));
  const configDirectory = path.resolve(environment["CLAUDE_CONFIG_DIR"] || path.join(home, ".claude"));
  const settings = readSettings(path.join(configDirectory, "settings.json"));
  const given = options.dir ?? environment["MEMDIR_DIR"];
  const cwd = realPath(path.resolve(options.cwd ?? process.cwd()));
  const agentType = agentTypeOf(options.agentType ?? environment["MEMDIR_AGENT"]);
  const base = {
    cwd,
    home,
    agentType,
    group: undefined,
    untrustedTeam: undefined,
    memdirHome,
    configDirectory,
    environment,
    pathRules: pathRules(environment),
    recallLog: recallLogOf(environment),
    hasGit: () => hasGit(environment),
  };
  const project = identifyProject(toUnix(cwd), nodeFiles, base.pathRules);
  const offInClaude = switchedOffInClaude(settings, [cwd, project.checkout, project.root]);
  const modesFor = (...keys: readonly string[]): ScopeModes =>
    decideModes({ environment, offInClaude, memdirHome, projects: keys });
  if (given !== undefined) {
    if (given.trim() === "")
      throw new MemoryError("invalid-input", "the directory of notes is an empty string; give a path after --dir");
    const directory = realPath(path.resolve(options.cwd ?? process.cwd(), expand(given, home)));
    requireDirectory(directory);
    return withModes(
      {
        ...base,
        project: undefined,
        formerly: [],
        stores: withTeam(memdirHome, directory, path.join(directory, "team")),
      },
      directory,
      modesFor(directory),
    );
  }
  const own = modesFor(project.root);
  // If memory is off, not even former paths are looked up.
  const formerly = modeIn(own, "project").mode === "off" ? [] : formerCheckouts(memdirHome, project, base.pathRules);
  const roots = [project.root, ...formerly.map(({ root }) => root)];
  const modes = formerly.length === 0 ? own : modesFor(...roots);
  const isOff = modeIn(modes, "project").mode === "off";
  const chained = chain(
    projectStores({ environment, home, memdirHome, configDirectory, settings, slug: project.slug, isOff, formerly }),
    { memdirHome, configDirectory, root: project.root, roots, agentType },
  );
  return withModes({ ...base, ...chained, project, formerly }, project.root, modes);
}

/**
 * The file of Claude Code's settings in which `autoMemoryEnabled` is false: the user's, or the project's, where
 * `settings.local.json` comes before `settings.json`. Neither can switch on what the other switches off.
 */
function switchedOffInClaude(
  user: Readonly<Record<string, unknown>>,
  directories: readonly string[],
): string | undefined {
  if (user["autoMemoryEnabled"] === false) return "settings.json";
  for (const directory of new Set(directories)) {
    const said = ["settings.local.json", "settings.json"]
      .map((name) => path.join(directory, ".claude", name))
      .map((file) => ({ file, enabled: readSettings(file)["autoMemoryEnabled"] }))
      .find(({ enabled }) => typeof enabled === "boolean");
    if (said?.enabled === false) return said.file;
  }
  return undefined;
}

interface AgentPlace {
  readonly memdirHome: string;
  readonly configDirectory: string;
  readonly root: string;
  readonly agentType: string | undefined;
}

interface ChainPlace extends AgentPlace {
  /** This project's possible keys in settings: its root, then its former roots. */
  readonly roots: readonly string[];
}

/** The project's own stores, a group's notes, the team's directory from settings, and the sub-agent's notes. */
function chain(
  own: readonly StoreLocation[],
  { memdirHome, configDirectory, root, roots, agentType }: ChainPlace,
): Pick<Locations, "stores" | "group" | "untrustedTeam"> {
  const settings = readScopeSettings(memdirHome);
  const given = teamDirectory(settings, root, roots);
  const team = given === undefined ? undefined : realPath(given);
  const isTrusted = team === undefined || openApprovals(memdirHome, root).isApproved(team);
  const group = groupOf(settings, ...roots)?.name;
  const stores = own.flatMap((place): StoreLocation[] => {
    if (place.scope !== "team" || team === undefined) return [place];
    return isTrusted ? [{ ...location(memdirHome, "team", team), inRepository: true }] : [];
  });
  const shared = group === undefined ? [] : [groupLocation(memdirHome, group)];
  return {
    stores: [...stores, ...shared, ...agentLocations({ memdirHome, configDirectory, root, agentType })],
    group,
    untrustedTeam: isTrusted ? undefined : team,
  };
}

export function groupLocation(memdirHome: string, name: string): StoreLocation {
  return location(memdirHome, "group", path.join(memdirHome, "groups", name, "memory"));
}

/** Claude Code's memory directories for one type of sub-agent. */
export function agentLocations({ memdirHome, configDirectory, root, agentType }: AgentPlace): StoreLocation[] {
  if (agentType === undefined) return [];
  return [
    location(memdirHome, "agent-user", realPath(path.join(configDirectory, "agent-memory", agentType))),
    location(memdirHome, "agent", realPath(path.join(root, ".claude", "agent-memory", agentType))),
    location(memdirHome, "agent-local", realPath(path.join(root, ".claude", "agent-memory-local", agentType))),
  ];
}

/** The stores of one type of sub-agent in the current project; none with `--dir`. */
export function agentStores(
  { memdirHome, configDirectory, project }: Pick<Locations, "memdirHome" | "configDirectory" | "project">,
  agentType: string,
): readonly StoreLocation[] {
  return project === undefined ? [] : agentLocations({ memdirHome, configDirectory, root: project.root, agentType });
}

/** The types of sub-agents with a notes directory here, sorted. */
export function agentTypesHere({
  configDirectory,
  project,
}: Pick<Locations, "configDirectory" | "project">): readonly string[] {
  if (project === undefined) return [];
  const places = [
    path.join(configDirectory, "agent-memory"),
    path.join(project.root, ".claude", "agent-memory"),
    path.join(project.root, ".claude", "agent-memory-local"),
  ];
  const names = places.flatMap((place) =>
    (nodeFiles.list(place) ?? []).filter(({ kind }) => kind === "directory").map(({ name }) => name),
  );
  return [...new Set(names)].filter(isName).toSorted();
}

function agentTypeOf(given: string | undefined): string | undefined {
  return given === undefined || given === "" ? undefined : checkName(given, "a type of sub-agent");
}

function withModes(
  places: Omit<Locations, "mode" | "modeReason" | "modes" | "modeKey">,
  modeKey: string,
  modes: ScopeModes,
): Locations {
  const widest = widestMode(
    modes,
    places.stores.map(({ scope }) => scope),
  );
  const { mode, reason } = widest;
  return { ...places, mode, modeReason: reason, modes: mode === "off" ? everyScope(widest) : modes, modeKey };
}

/** Claude Code counts as installed if its directory exists or the environment sets it. */
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
  /** The project's notes are off: their place is not examined. */
  readonly isOff: boolean;
  readonly formerly: readonly KnownCheckout[];
}

/** Claude Code's own directory if Claude Code is installed, otherwise memdir's; both can be moved. */
function projectStores(places: ProjectPlaces): StoreLocation[] {
  const { environment, home, memdirHome, settings, slug } = places;
  const remote = environment["CLAUDE_CODE_REMOTE_MEMORY_DIR"];
  const moved = settings["autoMemoryDirectory"];
  const user = location(memdirHome, "user", path.join(memdirHome, "user", "memory"));
  const local = location(memdirHome, "local", localPlace(places));
  if (remote !== undefined && remote !== "") {
    const directory = placeOf(path.resolve(expand(remote, home), "projects", slug, "memory"), places);
    return [...withTeam(memdirHome, directory, path.join(path.dirname(directory), "team-memory")), user, local];
  }
  const own = typeof moved === "string" && moved !== "" ? path.resolve(expand(moved, home)) : usualPlace(places);
  const directory = placeOf(own, places);
  return [...withTeam(memdirHome, directory, path.join(directory, "team")), user, local];
}

function placeOf(directory: string, { isOff }: ProjectPlaces): string {
  return isOff ? directory : realPath(directory);
}

/**
 * Notes kept from before Claude Code was installed, or before the checkout was renamed, stay where they are until the
 * user moves them: a new directory must never make them vanish.
 */
function usualPlace({ environment, memdirHome, configDirectory, slug, isOff, formerly }: ProjectPlaces): string {
  const ours = path.join(memdirHome, "projects", slug, "memory");
  const claudes = path.join(configDirectory, "projects", slug, "memory");
  const own = isClaudeHere(environment, configDirectory) ? [claudes, ours] : [ours];
  const places = [...own, ...formerly.map(({ directory }) => directory)];
  return (isOff ? undefined : places.find(hasNote)) ?? own[0] ?? ours;
}

/** The same for notes that stay on this machine: kept under the checkout's name at the time of writing. */
function localPlace({ memdirHome, slug, formerly, isOff }: ProjectPlaces): string {
  const places = [slug, ...formerly.map(({ root }) => slugOf(root))].map((one) =>
    path.join(memdirHome, "local", one, "memory"),
  );
  const [own = ""] = places;
  return isOff ? own : (places.find(hasNote) ?? own);
}

function withTeam(memdirHome: string, directory: string, team: string): StoreLocation[] {
  const isInside = path.dirname(team) === directory;
  return [
    { ...location(memdirHome, "project", directory), excluded: isInside ? ["team"] : [] },
    location(memdirHome, "team", team),
  ];
}

export function location(memdirHome: string, scope: Scope, directory: string): StoreLocation {
  return {
    scope,
    directory: toUnix(directory),
    state: toUnix(path.join(memdirHome, "stores", stateName(directory))),
    excluded: scope === "user" ? [LOG_MONTHS] : [],
  };
}

/** The path with `+` for its separators, so that the user can recognize it; a long path is cut and hashed. */
export function stateName(directory: string): string {
  const name = encodeURIComponent(directory).replace(/%2F/gu, "+").replace(/%5C/gu, "~").replace(/%20/gu, " ");
  return name.length <= 180 ? name : `${name.slice(0, 140)}-${sha256(directory).slice(0, 24)}`;
}

function recallLogOf(environment: Environment): Locations["recallLog"] {
  const asked = environment["MEMDIR_RECALL_LOG"] ?? "";
  if (asked === "" || asked === "text") return "text";
  if (asked === "hash") return "hash";
  if (asked === "off") return "nothing";
  throw new MemoryError("invalid-input", `MEMDIR_RECALL_LOG is "${asked}"; use text, hash or off`);
}

/** The client reports malformed settings; memdir uses its defaults. */
function readSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}

/** A wrong path is reported at once; a path that does not exist is created at the first write. */
function requireDirectory(directory: string): void {
  if (fs.existsSync(directory)) {
    if (!fs.statSync(directory).isDirectory())
      throw new MemoryError("invalid-input", `${directory} is a file; a directory of notes is needed`);
  } else if (nodeFiles.stat(directory)?.kind === "link") {
    throw new MemoryError("invalid-input", `${directory} is a link to nothing; fix the link first`);
  }
}

/** The path, with links resolved in the part that exists. */
export function realPath(target: string): string {
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
