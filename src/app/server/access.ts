import {
  type Action,
  allowed,
  buckets,
  isToken,
  lesserRole,
  type Rate,
  tokenHash,
  type Role,
} from "../../core/server/roles.ts";
import type { AccessTables, Membership, SpaceRow } from "../../core/server/tables.ts";
import { type Access, type Denial, denied, NO_SPACE, type Ground, record } from "./ports.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { sha256 } from "../../core/shared/hash.ts";
import {
  repositoryIdentity,
  repositoryOf,
  ROLE_AGE,
  roleAfter,
  type IdentityProvider,
} from "../../core/server/identity.ts";

/** The source of a role that comes from a repository's permission. An admin's invitation overrides it. */
export const REPOSITORY = "repository";
/** How long a host that did not answer is not asked again. */
const AGAIN_MS = 60_000;

interface Member extends Membership {
  readonly spaceId: string;
  readonly userId: string;
  readonly role: Role;
}

export interface RepositoryRoles {
  /** The current role; looked up again when it is older than a quarter of an hour. */
  now(member: Member): Promise<Role | undefined>;
  /** Makes the caller a member of the space of a repository, creating the space if needed. */
  join(
    access: Access,
    wanted: { readonly name: string; readonly repository: string },
    fresh: SpaceRow,
  ): Promise<Joined | Denial>;
}

export interface Joined {
  readonly space: SpaceRow;
  readonly role: Role;
}

export function repositoryRolesOf(ground: Ground): RepositoryRoles {
  const { clock } = ground;
  const asking = new Map<string, Promise<Role | undefined>>();
  const triedAt = new Map<string, number>();
  return {
    async now(member) {
      if (member.source !== REPOSITORY) return member.role;
      const ageMs = clock.now() - member.checkedAt;
      // A clock that was set back must not keep a role in force.
      if (ageMs >= 0 && ageMs < ROLE_AGE.fresh) return member.role;
      const name = `${member.spaceId} ${member.userId}`;
      const tried = triedAt.get(name);
      if (tried !== undefined && clock.now() - tried < AGAIN_MS && clock.now() >= tried)
        return roleAfter(member.role, ageMs);
      const asked = asking.get(name) ?? lookUpAgain(ground, member, triedAt, name).finally(() => asking.delete(name));
      asking.set(name, asked);
      return asked;
    },
    join: (access, wanted, fresh) => join(ground, access, wanted, fresh),
  };
}

async function lookUpAgain(
  ground: Ground,
  member: Member,
  triedAt: Map<string, number>,
  name: string,
): Promise<Role | undefined> {
  const { database, clock } = ground;
  const { spaceId, userId } = member;
  const identity = (await database.tables.space(spaceId))?.identity ?? "";
  const answer = await askFor(ground, userId, repositoryOf(identity));
  if (answer.outcome === "unavailable") {
    triedAt.set(name, clock.now());
    return roleAfter(member.role, Math.abs(clock.now() - member.checkedAt));
  }
  triedAt.delete(name);
  const role = answer.outcome === "repository" ? answer.role : undefined;
  if (role === undefined) await database.tables.dropMember(spaceId, userId);
  else await database.tables.setMember(spaceId, { userId, role, source: REPOSITORY, at: clock.now() });
  if (role !== member.role) await noteChange(ground, spaceId, userId, role);
  return role;
}

function noteChange(
  { database, clock }: Ground,
  spaceId: string,
  userId: string,
  role: Role | undefined,
): Promise<void> {
  const detail = { userId, role: role ?? "none" };
  return database.tables.audit(spaceId, {
    at: clock.now(),
    userId,
    deviceId: NOBODY,
    action: "repository-role",
    detail,
  });
}

/** The actor when the server itself acts. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

type Asked = Awaited<ReturnType<NonNullable<IdentityProvider["repository"]>>>;

async function askFor(
  { database, providers, sealed }: Ground,
  userId: string,
  wanted: { readonly host: string; readonly id: string } | undefined,
): Promise<Asked> {
  const provider = providers.find(({ host }) => host === wanted?.host);
  // A host that is no longer configured cannot confirm that the role still holds.
  if (wanted === undefined || provider?.repository === undefined) return { outcome: "unavailable" };
  const kept = await database.tables.sealedToken(userId, wanted.host);
  const token = kept === undefined ? undefined : sealed.open(kept);
  return token === undefined ? { outcome: "unavailable" } : provider.repository(token, { id: wanted.id });
}

async function join(
  ground: Ground,
  access: Access,
  wanted: { readonly name: string; readonly repository: string },
  fresh: SpaceRow,
): Promise<Joined | Denial> {
  const { database, providers, sealed, clock } = ground;
  const { userId } = access.caller;
  const provider = providers.find((one) => one.repository !== undefined);
  if (provider?.repository === undefined) return denied("invalid", "This server looks up no repositories.");
  const kept = await database.tables.sealedToken(userId, provider.host);
  const token = kept === undefined ? undefined : sealed.open(kept);
  if (token === undefined)
    return denied("forbidden", `Log in with ${provider.host} first: your token says nothing of it.`);
  const answer = await provider.repository(token, { name: wanted.repository });
  if (answer.outcome === "unavailable")
    return denied("unavailable", `${provider.host} does not answer now. Try again later.`);
  if (answer.outcome === "none") return NO_SPACE;
  const identity = repositoryIdentity(provider.host, answer.id);
  const spaceId = uuidOf(identity);
  const space = await spaceOr(ground, access, { ...fresh, spaceId, identity }, answer.role);
  if (space === undefined) return NO_SPACE;
  const before = await database.tables.membership(spaceId, userId);
  if (before === undefined || before.source === REPOSITORY) {
    await database.tables.setMember(spaceId, { userId, role: answer.role, source: REPOSITORY, at: clock.now() });
    if (before === undefined) await record(ground, access, spaceId, "join", { role: answer.role });
    return { space, role: answer.role };
  }
  const mine = (await database.tables.spacesOf(userId)).find((one) => one.spaceId === spaceId);
  return { space, role: mine?.role ?? answer.role };
}

/** The space of the repository, created by the first caller who may write to it. Racing callers get one space. */
async function spaceOr(ground: Ground, access: Access, row: SpaceRow, role: Role): Promise<SpaceRow | undefined> {
  const { tables } = ground.database;
  const known = await tables.space(row.spaceId);
  if (known !== undefined) return known;
  if (lesserRole(role, "writer") !== "writer") return undefined;
  const member = { userId: access.caller.userId, at: ground.clock.now(), role, source: REPOSITORY };
  try {
    await tables.addSpace(row, member);
  } catch (error) {
    const made = await tables.space(row.spaceId);
    if (made === undefined) throw error;
    return made;
  }
  await record(ground, access, row.spaceId, "create", { kind: row.kind });
  return row;
}

/** The same id for the same repository, in every process. */
function uuidOf(identity: string): string {
  const hex = sha256(identity);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

export interface RateLimits {
  readonly deviceReads: Rate;
  readonly deviceWrites: Rate;
  readonly spaceWrites: Rate;
  /** Per address that sends no valid token. */
  readonly strangers: Rate;
}

export const USUAL_RATES: RateLimits = {
  deviceReads: { perMinute: 600 },
  deviceWrites: { perMinute: 60 },
  spaceWrites: { perMinute: 600 },
  strangers: { perMinute: 60 },
};

/** Rate limits of this process. Each function returns 0, or the milliseconds to wait. */
export interface Rates {
  read(access: Access): number;
  write(access: Access): number;
  stranger(address: string): number;
}

export function ratesOf(limits: RateLimits, clock: Pick<Clock, "now">): Rates {
  const taken = buckets();
  return {
    read: ({ caller }) => taken.take(`read ${caller.deviceId}`, limits.deviceReads, clock.now()),
    write({ caller, spaceId }) {
      const wait = taken.take(`write ${caller.deviceId}`, limits.deviceWrites, clock.now());
      if (wait > 0 || spaceId === undefined) return wait;
      return taken.take(`space ${spaceId}`, limits.spaceWrites, clock.now());
    },
    stranger: (address) => taken.take(`stranger ${address}`, limits.strangers, clock.now()),
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

function isSpaceId(text: string): boolean {
  return UUID.test(text);
}

/** The caller that a token belongs to; `spaceId` is the space that the request is about. */
export async function accessOf(
  { tables, roles }: { readonly tables: AccessTables; readonly roles: RepositoryRoles },
  token: string | undefined,
  spaceId: string | undefined,
  now: number,
): Promise<Access | Denial> {
  const unknown = denied("unauthorized", "The token is missing, unknown, expired or revoked. Ask for a new one.");
  if (token === undefined || !isToken(token)) return unknown;
  const known = spaceId === undefined || isSpaceId(spaceId) ? spaceId : undefined;
  const found = await tables.caller(tokenHash(token), known, now);
  if (found === undefined) return unknown;
  const { caller, membership } = found;
  const reaches = known !== undefined && (caller.tokenSpace === undefined || caller.tokenSpace === known);
  if (!reaches || found.role === undefined || membership === undefined)
    return { caller, spaceId: known, role: undefined };
  const role = await roles.now({ spaceId: known, userId: caller.userId, role: found.role, ...membership });
  return { caller, spaceId: known, role: role === undefined ? undefined : lesserRole(role, caller.tokenRole) };
}

/** The same caller in another space, named in the body of the request. */
export async function accessIn(
  tables: Pick<AccessTables, "members">,
  { caller }: Access,
  spaceId: string,
): Promise<Access> {
  const reaches = isSpaceId(spaceId) && (caller.tokenSpace ?? spaceId) === spaceId;
  const members = reaches ? await tables.members(spaceId) : [];
  const member = members.find(({ userId }) => userId === caller.userId);
  return { caller, spaceId, role: member && lesserRole(member.role, caller.tokenRole) };
}

/** The space of a request, if the caller may do this there. */
export function spaceFor({ spaceId, role }: Access, action: Action): string | Denial {
  if (spaceId === undefined || role === undefined) return NO_SPACE;
  if (allowed(role, action)) return spaceId;
  return denied("forbidden", `Your role in this space is ${role}, which does not allow this.`);
}

/** Whether the token may manage the server: its users, and tokens for others. */
export function looksAfterServer({ caller }: Access): boolean {
  return caller.owner && caller.tokenRole === "admin" && caller.tokenSpace === undefined;
}
