import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";
import type { SyncedScope } from "../../core/sync/gates.ts";
import type { StoreLocation } from "../workspace/locations.ts";
import { mayWrite, modeIn, refusedByMode } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { namedStore, openTransport, serverSpace, type SpaceTransport } from "./open-transport.ts";
import { addressOf, branchOf, proposalBranch } from "./git-spaces.ts";
import { isMemoryRemote, memoryRemote } from "./memory-stores.ts";
import {
  projectName,
  changeSpace,
  holdsLogin,
  keepOnlyOf,
  kindOfRemote,
  readSpaces,
  type SyncedSpace,
} from "./spaces.ts";
import type { SpaceRun, SpaceStatus, SyncLogLine, SyncNow, SyncStatus } from "./reports.ts";
import { noteFailedRun, readRunLog } from "./run-records.ts";
import { runSpace } from "./run-space.ts";
import { dropKeys, readKeys } from "./key-files.ts";
import { keysStatus } from "./key-operations.ts";
import { conflictCopies, pendingIn } from "./pending.ts";
import { emptyRun, spaceStatus, sumOf } from "./space-status.ts";
import type { Heard } from "./quiet.ts";
import { isDue, spacesHere, syncedScope } from "./spaces-here.ts";

export interface SyncSetupInput {
  /** The address of a server, a store of the memory API (`anthropic:STORE`), or a repository that git accepts. */
  readonly remote: string;
  /** Default: the project's scope; outside a project, the user's. */
  readonly scope?: string;
  /** Absolute path of a file with the token. */
  readonly tokenFile?: string;
  /** Name of the space at the remote; default: made from scope and project. */
  readonly space?: string;
  /** Writes to the team's branch of a repository; default: proposes changes on the user's own branch. */
  readonly isDirect?: boolean;
  /** The end of that branch's name; default: the user's login name on this machine. */
  readonly login?: string;
  /** The remote can read neither texts nor names. */
  readonly isEncrypted?: boolean;
  /** Only `syncNow` syncs it; it never syncs automatically. */
  readonly isManual?: boolean;
}

export interface SyncOptions {
  /** Only this scope; default: every space of the scopes in force here. */
  readonly scope?: string;
  /** Most removals that the user allows in a pull or push, even if it is most of a space; `Infinity` for all. */
  readonly acceptRemovals?: number;
  /** The texts of this device replace those that could not be opened. */
  readonly replaceSealed?: boolean;
  /** Only the space of this store, by its directory. */
  readonly directory?: string;
  /** Automatic run: only spaces that sync automatically and are due. */
  readonly isAutomatic?: boolean;
  /** How long to wait for another run of a store (ms). Default 2,000. */
  readonly waitMs?: number;
  /** The latest answers of remotes. */
  readonly heard?: Heard | undefined;
  /** Replaces the transport for the remote's kind. */
  readonly transport?: (space: SyncedSpace) => SpaceTransport;
}

/**
 * Connects the store of a scope with a remote; a server's space is found or created. Notes travel from the first
 * `syncNow` on. @throws MemoryError `invalid-input`, `refused`; `unavailable` if a server refuses or does not answer.
 */
export async function setUpSync(workspace: OpenWorkspace, input: SyncSetupInput): Promise<SyncedSpace> {
  const { locations, clock } = workspace;
  const { scope, place, remote, kind, isEncrypted, name } = checkedSetup(workspace, input);
  const space: SyncedSpace = {
    scope,
    directory: place.directory,
    state: place.state,
    remote,
    kind,
    space: await nameThere(workspace, input, { kind, remote, scope, name, isEncrypted }),
    since: new Date(clock.now()).toISOString(),
    ...(kind === "server" && { name }),
    ...(input.tokenFile !== undefined && { tokenFile: input.tokenFile }),
    ...(input.isManual === true && { isManual: true }),
    ...(isEncrypted && { isEncrypted }),
    ...(kind === "git" &&
      scope === "team" &&
      input.isDirect !== true && { proposals: proposalBranch(name, input.login) }),
  };
  keepOnlyOf(space);
  if (readKeys(space.state).isRemoved) dropKeys(space.state);
  changeSpace(locations.memdirHome, place.directory, space);
  return space;
}

interface CheckedSetup extends Pick<SyncedSpace, "scope" | "remote" | "kind"> {
  readonly place: StoreLocation;
  readonly isEncrypted: boolean;
  readonly name: string;
}

/** What `setUpSync` would connect, before anything is asked or sent. @throws MemoryError `invalid-input`, `refused`. */
export function checkedSetup(workspace: OpenWorkspace, input: SyncSetupInput): CheckedSetup {
  const { locations } = workspace;
  const scope = syncedScope(input.scope ?? (locations.project === undefined ? "user" : "project"));
  const place = locations.stores.find((one) => one.scope === scope);
  if (place === undefined)
    throw new MemoryError("invalid-input", `there is no ${scope} scope here, so nothing of it can sync`);
  const choice = modeIn(locations.modes, scope);
  if (!mayWrite(choice.mode)) throw refusedByMode(`sync of the ${scope} scope`, choice);
  const remote = checkedRemote(locations, input.remote);
  const isEncrypted = input.isEncrypted === true;
  requireFree(locations.memdirHome, { scope, directory: place.directory, remote, isEncrypted });
  const kind = kindOfRemote(remote);
  if (isEncrypted && kind === "store")
    throw new MemoryError("invalid-input", "other programs read the store, so its notes cannot be encrypted");
  if (isEncrypted && kind === "git" && scope === "team" && input.isDirect !== true)
    throw new MemoryError("invalid-input", "nobody can read encrypted notes in a pull request; add --direct");
  if (kind === "git" && input.tokenFile !== undefined)
    throw new MemoryError("invalid-input", "a token is for a server; git logs in to a repository as it always does");
  if (scope === "team" && input.space === undefined && locations.project?.gitDirectory === undefined)
    throw new MemoryError(
      "invalid-input",
      `${locations.cwd} is not in a checkout, and a team's notes belong to a repository: run this in a checkout of it, or name the team's space with --space`,
    );
  const name = input.space ?? spaceName(workspace, scope);
  if (kind === "git") branchOf(name);
  return { scope, place, remote, kind, isEncrypted, name };
}

/** The address as stored. @throws MemoryError `invalid-input` for something that cannot be one. */
function checkedRemote(locations: OpenWorkspace["locations"], given: string): string {
  const remote = remoteOf(given.trim(), locations);
  if (remote === "") throw new MemoryError("invalid-input", "name a remote: the address of a server or a repository");
  if (holdsLogin(remote))
    throw new MemoryError("invalid-input", "the address holds a name or password; give the token by --token-file");
  return remote;
}

function remoteOf(remote: string, { cwd, environment }: OpenWorkspace["locations"]): string {
  return isMemoryRemote(remote) ? memoryRemote(remote, environment) : addressOf(remote, cwd);
}

/** The name of the space at the remote. A server's space is found or created; a store must exist. */
function nameThere(
  { locations }: OpenWorkspace,
  { tokenFile }: SyncSetupInput,
  {
    kind,
    remote,
    scope,
    name,
    isEncrypted,
  }: Pick<SyncedSpace, "kind" | "remote" | "scope"> & { readonly name: string; readonly isEncrypted: boolean },
): string | Promise<string> {
  if (kind === "git") return name;
  return kind === "store"
    ? namedStore(remote, tokenFile, locations.environment)
    : serverSpace(remote, tokenFile, { kind: scope, name, isEncrypted });
}

/** Refuses a store that syncs elsewhere: the state of one remote must not be applied to another. */
function requireFree(
  memdirHome: string,
  {
    directory,
    scope,
    remote,
    isEncrypted,
  }: Pick<SyncedSpace, "directory" | "scope" | "remote"> & { readonly isEncrypted: boolean },
): void {
  const spaces = readSpaces(memdirHome);
  const known = spaces.find((space) => space.directory === directory);
  if (known !== undefined && known.remote === remote && (known.isEncrypted === true) !== isEncrypted)
    throw new MemoryError(
      "invalid-input",
      `the ${scope} scope syncs with ${remote} ${isEncrypted ? "without" : "with"} encryption already, and a space cannot change that; run \`memdir sync off --scope ${scope}\` and name another space with --space`,
    );
  if (known !== undefined && known.remote !== remote)
    throw new MemoryError(
      "invalid-input",
      `the ${scope} scope syncs with ${known.remote} already; run \`memdir sync off --scope ${scope}\` first`,
    );
  // Repositories and servers have a space per scope. A store is one space, so notes of scopes would mix.
  const holder = isMemoryRemote(remote) ? spaces.find((space) => space.remote === remote) : undefined;
  if (holder !== undefined && holder.directory !== directory)
    throw new MemoryError(
      "invalid-input",
      `${remote} holds the notes of the ${holder.scope} scope in ${holder.directory}, and a store holds those of one scope; make another store for these`,
    );
}

/** Syncs every space of the scopes in force here, one after the other. A failure of one does not stop the others. */
export async function syncNow(workspace: OpenWorkspace, options: SyncOptions = {}): Promise<SyncNow> {
  const startedAt = performance.now();
  const runs: SpaceRun[] = [];
  for (const space of spacesHere(workspace.locations, options.scope)) {
    if (space.paused?.by === "user" || (options.directory ?? space.directory) !== space.directory) continue;
    if (options.isAutomatic === true && !isDue(workspace.locations, space, workspace.clock.now())) continue;
    runs.push(await runOne(workspace, space, options));
  }
  return sumOf(runs, performance.now() - startedAt);
}

async function runOne(workspace: OpenWorkspace, space: SyncedSpace, options: SyncOptions): Promise<SpaceRun> {
  const failed = (message: string, state: SpaceRun["state"] = "offline"): SpaceRun => emptyRun(space, state, message);
  const choice = modeIn(workspace.modes, space.scope);
  if (!mayWrite(choice.mode)) return failed(refusedByMode(`sync of the ${space.scope} scope`, choice).message);
  try {
    const { environment } = workspace.locations;
    const parts = { environment, clock: workspace.clock, heard: options.heard };
    const transport = options.transport?.(space) ?? openTransport(space, parts);
    return await runSpace(workspace, space, transport, options);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    if (error.code === "locked") return failed("another sync of this store is at work");
    const run = failed(error.message, NEEDS_PERSON.get(error.code) ?? "offline");
    noteFailedRun(space.state, run, workspace.clock.now());
    return run;
  }
}

/** A missing or unreadable key or token, or damaged state: trying again does not help. */
const NEEDS_PERSON: ReadonlyMap<MemoryErrorCode, SpaceRun["state"]> = new Map([
  ["not-found", "key"],
  ["permission", "paused"],
  ["refused", "paused"],
  ["corrupt", "paused"],
]);

/** The status of each space from local data only, without network. */
export function syncStatus(workspace: OpenWorkspace, scope?: string): SyncStatus {
  return { spaces: spacesHere(workspace.locations, scope).map((space) => statusOf(workspace, space)) };
}

function statusOf(workspace: OpenWorkspace, space: SyncedSpace): SpaceStatus {
  const store = workspace.stores.find((one) => one.store.directory === space.directory)?.store;
  const unread = store?.reconcile("full").skipped.flatMap((one) => (one.isForgotten === true ? [one.file] : [])) ?? [];
  return spaceStatus(workspace.locations, space, {
    ...pendingIn(store, space),
    conflicts: store === undefined ? [] : conflictCopies(store),
    unread,
    keys: keysStatus(workspace.locations.memdirHome, space),
  });
}

/** The number of notes in force here in scopes that do not sync. */
export function notesStaying(workspace: OpenWorkspace): readonly { readonly scope: string; readonly notes: number }[] {
  const synced = new Set(spacesHere(workspace.locations).map(({ directory }) => directory));
  return workspace.stores.flatMap(({ scope, store }) => {
    const notes = synced.has(store.directory) ? 0 : store.index.count();
    return notes === 0 ? [] : [{ scope, notes }];
  });
}

/** Runs that changed something or failed, newest first. */
export function syncLog(workspace: OpenWorkspace, limit = 20, scope?: string): readonly SyncLogLine[] {
  return spacesHere(workspace.locations, scope)
    .flatMap((space) => readRunLog(space.state, space.scope))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1))
    .slice(0, limit);
}

/** Stops sync until `resumeSync`. Returns the scopes concerned. */
export function pauseSync(workspace: OpenWorkspace, scope?: string): readonly SyncedScope[] {
  return change(workspace, scope, (space) => ({ ...space, paused: { by: "user", reason: "paused by you" } }));
}

export function resumeSync(workspace: OpenWorkspace, scope?: string): readonly SyncedScope[] {
  return change(workspace, scope, (space) => ({ ...space, paused: undefined }));
}

/** Ends the connection. Notes stay on both sides, and the sync state for a later setup with the same remote. */
export function endSync(workspace: OpenWorkspace, scope?: string): readonly SyncedScope[] {
  return change(workspace, scope, () => undefined);
}

function change(
  workspace: OpenWorkspace,
  scope: string | undefined,
  next: (space: SyncedSpace) => SyncedSpace | undefined,
): readonly SyncedScope[] {
  const spaces = spacesHere(workspace.locations, scope);
  for (const space of spaces) changeSpace(workspace.locations.memdirHome, space.directory, next(space));
  return spaces.map((space) => space.scope);
}

/** The same on all of a user's devices: made from the project's identity, which is the same everywhere. */
function spaceName({ locations }: OpenWorkspace, scope: SyncedScope): string {
  if (scope === "user") return "user";
  if (scope === "group") return `group-${locations.group ?? "group"}`;
  return `${scope}-${projectName(locations.project)}`;
}
