import { push } from "../../core/server/push.ts";
import type { Caller } from "../../core/server/tables.ts";
import { tokenHash } from "../../core/server/tokens.ts";
import { LIMITS } from "../../core/sync/protocol.ts";
import { accessOf } from "./access.ts";
import type { Access } from "./audit.ts";
import { changesOf, type Changes } from "./changes.ts";
import type { Denial } from "./denial.ts";
import type { DreamRuns } from "./dream-runs.ts";
import { dreamsOf, type Dreams } from "./dreams.ts";
import { entriesOf, type Entries } from "./entries.ts";
import { loginsOf, type Logins } from "./logins.ts";
import { memoriesOf, type Memories } from "./memories.ts";
import { memoryVersionsOf, type MemoryVersions } from "./memory-versions.ts";
import type { Ground, LoggedForget } from "./ports.ts";
import { repositoryRolesOf } from "./repository-roles.ts";
import { spacesOf, type Spaces } from "./spaces.ts";
import { storesOf, type Stores } from "./stores.ts";
import { makeToken, tokensOf, type TokenLine, type Tokens } from "./tokens.ts";

/** The sync server, whatever protocol speaks to it. */
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
  /** A write and a read in the database. */
  health(): Promise<void>;
}

/** `local`: a token that only this process and the commands of its user know; it gives what the owner's gives. */
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

/** The owner, for commands on the machine of the server; reaches no space. */
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

/** At the first start there is nobody: the owner is made, with a token. `undefined` later. */
export async function firstOwner(ground: Ground): Promise<(TokenLine & { readonly token: string }) | undefined> {
  if (await ground.database.tables.hasOwner()) return undefined;
  const user = { userId: ground.random.uuid(), login: OWNER, owner: true };
  await ground.database.tables.addUser({ ...user, at: ground.clock.now() });
  return makeToken(ground, user, { space: undefined, role: "admin", days: OWNER_DAYS, device: "first start" });
}

/** After a restore from a backup: forgets that the database does not know are done again. @returns how many. */
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
    await pushForget(ground, spaceId, lineage, { pushId, at: clock.now(), mark: random.mark() });
    replayed += 1;
  }
  if (replayed > 0) ground.activity.forgets += replayed;
  return replayed;
}

/** @returns whether there was something to redact. */
async function redactAgain(
  { database, clock, random }: Ground,
  { spaceId, seq, mark }: Extract<LoggedForget, { seq: number }>,
): Promise<boolean> {
  const version = await database.tables.version(spaceId, seq);
  if (version === undefined || version.mark !== mark || version.reason !== "") return false;
  await database.tables.locked(spaceId, (locked) => locked.redact(seq, { deviceId: random.uuid(), at: clock.now() }));
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
