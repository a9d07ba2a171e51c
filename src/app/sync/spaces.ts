import fs from "node:fs";
import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { isSyncedScope, type SyncedScope } from "../../core/sync/gates.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { isMemoryRemote, MEMORY_STORE_FILES } from "./memory-stores.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { ProjectIdentity } from "../../core/notes/project.ts";
import { identitiesOf } from "../workspace/checkouts.ts";

const LONGEST = 40;

/** `shop-1a2b3c4d5e6f`: the same in every checkout with this `origin`. Without one, the directory's name. */
export function projectName(project: ProjectIdentity | undefined): string {
  const remote = project === undefined ? undefined : identitiesOf(project).find((one) => one.startsWith("remote "));
  const last = (remote ?? project?.root ?? "here").split(/[/\\:]/u).findLast((part) => part !== "") ?? "here";
  const plain = last
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .slice(0, LONGEST);
  return remote === undefined ? plain : `${plain}-${sha256(remote).slice(0, 12)}`;
}

/** `server`: an HTTP address. `store`: a store of the memory API. `git`: anything that git accepts as a repository. */
export type RemoteKind = "server" | "store" | "git";

/** One store that syncs with one remote. Kept in `sync/spaces.json`, which only the user may read. */
export interface SyncedSpace {
  readonly scope: SyncedScope;
  /** The store's directory of notes; identifies the store. */
  readonly directory: string;
  /** memdir's own directory of that store; sync keeps its state in `sync/` there. */
  readonly state: string;
  readonly remote: string;
  readonly kind: RemoteKind;
  /** The space at the remote: the server's id, or the name of a branch without `memdir/`. */
  readonly space: string;
  /** Its name for users if `space` is an id: the `--space` for joining it. */
  readonly name?: string;
  /** A file with the token; the token itself is in no other file of memdir. */
  readonly tokenFile?: string;
  /** The branch where changes wait for a pull request, without `refs/heads/`; by default they go to the space. */
  readonly proposals?: string;
  /** ISO time of the setup. */
  readonly since: string;
  /** Only `memdir sync now` syncs it; it never syncs automatically. */
  readonly isManual?: boolean;
  /** The remote sees neither texts nor names. */
  readonly isEncrypted?: boolean;
  /** Set by the user, or after an answer that only the user can resolve. */
  readonly paused?: { readonly by: "user" | "remote"; readonly reason: string } | undefined;
}

/** `anthropic:…` is a store; HTTP addresses that do not end in `.git` are servers; all else is a repository. */
export function kindOfRemote(remote: string): RemoteKind {
  if (isMemoryRemote(remote)) return "store";
  return /^https?:\/\//iu.test(remote) && !/\.git\/?$/iu.test(remote) ? "server" : "git";
}

/** An address must hold no login, because it appears in files, lists and logs. */
export function holdsLogin(remote: string): boolean {
  return /^https?:\/\/[^/]*@/iu.test(remote);
}

function spacesPath(memdirHome: string): string {
  return path.join(memdirHome, "sync", "spaces.json");
}

/** Read at every run, so that a renewed token takes effect at once. */
export function tokenIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new MemoryError("not-found", `the token cannot be read from ${file}: ${error.message}`, { cause: error });
  }
}

/** All spaces of this machine. @throws MemoryError `corrupt`, because guessing could send a store elsewhere. */
export function readSpaces(memdirHome: string): readonly SyncedSpace[] {
  const file = spacesPath(memdirHome);
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) return [];
  const value = parseJson(new TextDecoder().decode(bytes));
  if (!isRecord(value) || !Array.isArray(value["spaces"]))
    throw new MemoryError(
      "corrupt",
      `${file} is damaged; correct it, or remove it and run \`memdir sync setup\` again`,
    );
  return value["spaces"].flatMap(toSpace);
}

function writeSpaces(memdirHome: string, spaces: readonly SyncedSpace[]): void {
  const file = spacesPath(memdirHome);
  nodeFiles.makeDirectory(path.dirname(file));
  putFile(file, `${JSON.stringify({ spaces }, undefined, 2)}\n`, { aside: `${file}.new`, named: true });
}

/** Replaces the entry of the same store, or adds one; `undefined` removes it. */
export function changeSpace(memdirHome: string, directory: string, next: SyncedSpace | undefined): void {
  const others = readSpaces(memdirHome).filter((space) => space.directory !== directory);
  writeSpaces(memdirHome, next === undefined ? others : [...others, next]);
}

/** Removes what an earlier connection with another space left, so that its state is not applied to this one. */
export function keepOnlyOf({ state, remote, space }: SyncedSpace): void {
  const name = `${remote}\n${space}\n`;
  const file = `${state}/sync/remote`;
  const bytes = nodeFiles.read(file);
  const before = bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  if (before === name) return;
  nodeFiles.makeDirectory(`${state}/sync`);
  if (before !== undefined)
    for (const left of ["sync.db", "last-run.json", "settled.json", "keys.json", ...MEMORY_STORE_FILES])
      nodeFiles.remove(`${state}/sync/${left}`);
  putFile(file, name, { named: true });
}

function toSpace(value: unknown): readonly SyncedSpace[] {
  if (!isRecord(value)) return [];
  const {
    scope,
    directory,
    state,
    remote,
    kind,
    space,
    name,
    tokenFile,
    proposals,
    since,
    isManual,
    isEncrypted,
    paused,
  } = value;
  // The list of scopes is closed here too: an edited file must not make a local store sync.
  if (typeof scope !== "string" || !isSyncedScope(scope)) return [];
  if (![directory, state, remote, space].every((one) => typeof one === "string" && one !== "")) return [];
  return [
    {
      scope,
      directory: String(directory),
      state: String(state),
      remote: String(remote),
      kind: kind === "server" || kind === "store" ? kind : "git",
      space: String(space),
      since: String(since),
      ...(typeof name === "string" && { name }),
      ...(typeof tokenFile === "string" && { tokenFile }),
      ...(typeof proposals === "string" && { proposals }),
      ...(isManual === true && { isManual }),
      ...(isEncrypted === true && { isEncrypted }),
      ...(isRecord(paused) && {
        paused: { by: paused["by"] === "user" ? "user" : "remote", reason: String(paused["reason"]) },
      }),
    },
  ];
}
