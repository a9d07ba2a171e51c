import { push, remoteEntry } from "../../core/server/pull.ts";
import type { Caller, EntryWithBody } from "../../core/server/tables.ts";
import { tokenHash } from "../../core/server/roles.ts";
import { LIMITS, type Outcome, type RemoteEntry } from "../../core/sync/protocol.ts";
import { accessOf, spaceFor, repositoryRolesOf } from "./access.ts";
import { type Access, type Denial, denied, forgetting, type Ground, type LoggedForget } from "./ports.ts";
import { type Changes, changesOf } from "./changes.ts";
import type { DreamRuns } from "./dream-runs.ts";
import { type Dreams, dreamsOf } from "./dreams.ts";
import { type Logins, loginsOf, makeToken, type TokenLine, type Tokens, tokensOf } from "./tokens.ts";
import { type Memories, memoriesOf } from "./memories.ts";
import { type MemoryVersions, memoryVersionsOf } from "./memory-versions.ts";
import { type Spaces, spacesOf } from "./spaces.ts";
import { type Stores, storesOf } from "./stores.ts";

/** Access to one note at a time, for users and scripts with only an HTTP client. */
interface Entries {
  read(access: Access, key: string): Promise<RemoteEntry<number> | Denial>;
  /** `base`: the revision that the caller saw, 0 for a note that must not exist yet. */
  write(access: Access, key: string, base: number, pushId: string, body: string): Promise<Written | Denial>;
  remove(access: Access, key: string, base: number, pushId: string): Promise<Written | Denial>;
  versions(access: Access, key: string): Promise<{ readonly versions: readonly VersionLine[] } | Denial>;
  version(access: Access, seq: number): Promise<(VersionLine & { readonly body: string | undefined }) | Denial>;
}

interface Written {
  readonly key: string;
  readonly revision: number;
}

interface VersionLine {
  readonly revision: number;
  readonly key: string;
  readonly state: string;
  readonly lineage: string;
  readonly by: string;
  readonly at: string;
}

const VERSIONS = 200;

function entriesOf(ground: Ground, changes: Changes): Entries {
  const { tables } = ground.database;
  return {
    async read(access, key) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      const row = await tables.entry(spaceId, key);
      return row?.state === "live" ? remoteEntry(row) : denied("not-found", "There is no such note.");
    },
    write: (access, key, base, pushId, body) =>
      writeOne(ground, changes, access, { key, base, pushId, state: "live", body }),
    remove: (access, key, base, pushId) => writeOne(ground, changes, access, { key, base, pushId, state: "deleted" }),
    async versions(access, key) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      return { versions: (await tables.versions(spaceId, key, VERSIONS)).map(versionLine) };
    },
    async version(access, seq) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      const row = await tables.version(spaceId, seq);
      if (row === undefined || row.state === "forgotten" || row.reason === "forgotten")
        return denied("not-found", "There is no such version, or it was forgotten.");
      return {
        ...versionLine(row),
        body: row.body === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(row.body),
      };
    },
  };
}

function versionLine(row: Pick<EntryWithBody, "seq" | "key" | "state" | "lineage" | "actor" | "at">): VersionLine {
  const { seq, key, state, lineage, actor, at } = row;
  return { revision: seq, key, state, lineage, by: actor, at: new Date(at).toISOString() };
}

interface OneChange {
  readonly key: string;
  readonly base: number;
  readonly pushId: string;
  readonly state: "live" | "deleted";
  readonly body?: string;
}

async function writeOne(
  { database, random }: Ground,
  changes: Changes,
  access: Access,
  { key, base, pushId, state, body }: OneChange,
): Promise<Written | Denial> {
  const spaceId = spaceFor(access, "write");
  if (typeof spaceId !== "string") return spaceId;
  const before = await database.tables.entry(spaceId, key);
  // A note that is created again under its old name continues the deleted one.
  const lineage = before?.lineage ?? random.lineage();
  const change = { key, lineage, base, state, ...(body === undefined ? {} : { body }) };
  const answer = await changes.push(access, pushId, [change]);
  if ("kind" in answer) return answer;
  const [outcome] = answer.outcomes;
  return outcome === undefined ? denied("invalid", "Nothing was asked.") : writtenOr(outcome, key);
}

function writtenOr(outcome: Outcome<number>, key: string): Written | Denial {
  switch (outcome.outcome) {
    case "done":
      return { key, revision: "revision" in outcome ? outcome.revision : 0 };
    case "stale":
      return denied("stale", "The note has changed since: read it again.", { revision: outcome.revision });
    case "refused": {
      const { reason, rule } = outcome;
      if (reason === "secret")
        return denied("secret", "The text holds what looks like a secret. Remove it.", { rule: rule ?? "" });
      if (reason === "size")
        return denied("too-large", `A note has at most ${LIMITS.entryBytes} bytes, and this text has more.`);
      if (reason === "sealed") return denied("invalid", "This space is encrypted, and the text is not.");
      return denied("invalid", "A note's name is a relative path in Unicode form NFC.");
    }
    case "taken":
      return denied("conflict", "Another note has this name in other capitals or another Unicode form.");
    case "forgotten":
    case "group":
      return denied("conflict", "The note was forgotten.");
    // Only a repository takes proposals.
    case "proposed":
      return denied("invalid", "This server takes no proposals.");
  }
}

/** The sync server, independent of the protocol. */
export interface SyncServer {
  access(token: string | undefined, spaceId: string | undefined): Promise<Access | Denial>;
  readonly changes: Changes;
  readonly entries: Entries;
  readonly spaces: Spaces;
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly stores: Stores;
  readonly memories: Memories;
  readonly memoryVersions: MemoryVersions;
  readonly dreams: Dreams;
  readonly limits: typeof LIMITS;
  /** Writes to and reads from the database. */
  health(): Promise<void>;
}

/** `local`: a token known only to this process and the commands of its user; it has the owner's rights. */
export function syncServer(ground: Ground, runs: Pick<DreamRuns, "cut">, local?: string): SyncServer {
  const { tables } = ground.database;
  const changes = changesOf(ground);
  const roles = repositoryRolesOf(ground);
  const localHash = local === undefined ? undefined : tokenHash(local);
  return {
    access: (token, spaceId) =>
      token !== undefined && localHash !== undefined && tokenHash(token) === localHash
        ? ownerAccess(ground)
        : accessOf({ tables, roles }, token, spaceId, ground.clock.now()),
    changes,
    entries: entriesOf(ground, changes),
    spaces: spacesOf(ground, roles),
    tokens: tokensOf(ground),
    logins: loginsOf(ground),
    stores: storesOf(ground),
    memories: memoriesOf(ground),
    memoryVersions: memoryVersionsOf(ground),
    dreams: dreamsOf(ground, runs),
    limits: LIMITS,
    health: () => tables.probe(ground.clock.now()),
  };
}

const OWNER = "owner";

const OWNER_DAYS = 365;

/** The owner, for commands on the server's machine; has access to no space. */
async function ownerAccess({ database, random }: Ground): Promise<Access> {
  const owner = await database.tables.userByLogin(OWNER);
  const caller: Caller = {
    userId: owner?.userId ?? random.uuid(),
    login: OWNER,
    deviceId: random.uuid(),
    owner: true,
    tokenId: "local",
    tokenRole: "admin",
    tokenSpace: undefined,
    expiresAt: undefined,
  };
  return { caller, spaceId: undefined, role: undefined };
}

/** At the first start creates the owner with a token. `undefined` later. */
export async function firstOwner(ground: Ground): Promise<(TokenLine & { readonly token: string }) | undefined> {
  if (await ground.database.tables.hasOwner()) return undefined;
  const user = { userId: ground.random.uuid(), login: OWNER, owner: true };
  await ground.database.tables.addUser({ ...user, at: ground.clock.now() });
  return makeToken(ground, user, { space: undefined, role: "admin", days: OWNER_DAYS, device: "first start" });
}

/** After a restore from a backup: repeats forgets that the database does not know. @returns their number. */
export async function replayForgets(ground: Ground): Promise<number> {
  const logged = (await ground.forgets?.read()) ?? [];
  const { tables } = ground.database;
  let replayed = 0;
  for (const forget of logged) {
    const { spaceId } = forget;
    if ((await tables.standing(spaceId, 0, 0)) === undefined) continue;
    if ("seq" in forget) {
      if (await redactAgain(ground, forget)) replayed += 1;
      continue;
    }
    const { lineage } = forget;
    if ((await tables.forgetOf(spaceId, lineage)) !== undefined) continue;
    const { clock, random } = ground;
    const pushId = `receipts:${random.uuid()}`;
    const from = { pushId, at: clock.now(), mark: random.mark() };
    await forgetting(ground, () => pushForget(ground, spaceId, lineage, from));
    replayed += 1;
  }
  return replayed;
}

/** @returns whether there was something to redact. */
async function redactAgain(
  ground: Ground,
  { spaceId, seq, mark }: Extract<LoggedForget, { seq: number }>,
): Promise<boolean> {
  const { database, clock, random } = ground;
  const version = await database.tables.version(spaceId, seq);
  if (version === undefined || version.mark !== mark || version.reason !== "") return false;
  const from = { deviceId: random.uuid(), at: clock.now() };
  await forgetting(ground, () => database.tables.locked(spaceId, (locked) => locked.redact(seq, from)));
  return true;
}

async function pushForget(
  { database, random }: Ground,
  spaceId: string,
  lineage: string,
  from: { readonly pushId: string; readonly at: number; readonly mark: string },
): Promise<void> {
  await push(database.tables, spaceId, [{ forget: lineage }], { ...from, deviceId: random.uuid(), actor: OWNER });
}
