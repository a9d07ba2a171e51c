import { STORE_KIND } from "../../core/server/memory-names.ts";
import { isRole, lesserRole, type Role } from "../../core/server/roles.ts";
import type { Member, SpaceRow } from "../../core/server/tables.ts";
import { spaceFor, REPOSITORY, type RepositoryRoles } from "./access.ts";
import { type Access, denied, isDenial, type Denial, record, type Ground } from "./ports.ts";

/** A space as its members see it. */
export interface Space {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly identity: string;
  readonly sealed: boolean;
  readonly role: Role;
  readonly head: number;
  readonly entries: number;
  readonly bytes: number;
}

export const SPACE_KINDS = ["user", "project", "group", "team"] as const;

export interface NewSpace {
  readonly kind: (typeof SPACE_KINDS)[number];
  readonly name: string;
  readonly identity: string;
  readonly sealed: boolean;
  /** `OWNER/NAME`: the space belongs to that repository, whose permissions give the roles. */
  readonly repository?: string | undefined;
}

export interface Spaces {
  list(access: Access): Promise<{ readonly spaces: readonly Space[] }>;
  create(access: Access, space: NewSpace): Promise<Space | Denial>;
  members(access: Access): Promise<{ readonly members: readonly Member[] } | Denial>;
  setMember(access: Access, login: string, role: Role): Promise<Member | Denial>;
  removeMember(access: Access, userId: string): Promise<{ readonly removed: string } | Denial>;
  audit(access: Access, limit: number): Promise<{ readonly audit: readonly AuditEntry[] } | Denial>;
  receipts(access: Access, lineage: string): Promise<Receipts | Denial>;
  /** How far each device has synced, and the latest forgets. */
  devices(access: Access, limit: number): Promise<SpaceDevices | Denial>;
}

export interface AuditEntry {
  readonly at: string;
  readonly user: string;
  readonly device: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface SpaceDevices {
  readonly head: number;
  /** A device has applied everything up to its `revision`. */
  readonly devices: readonly {
    readonly device: string;
    readonly user: string;
    readonly revision: number;
    readonly seenAt: string;
  }[];
  /** Newest first. */
  readonly forgets: readonly { readonly lineage: string; readonly revision: number; readonly forgottenAt: string }[];
}

/** Which devices have pulled past a forget. */
export interface Receipts {
  readonly lineage: string;
  readonly revision: number;
  readonly forgottenAt: string;
  readonly devices: readonly {
    readonly device: string;
    readonly user: string;
    readonly done: boolean;
    readonly seenAt: string;
  }[];
}

export function spacesOf(ground: Ground, roles: RepositoryRoles): Spaces {
  const { tables } = ground.database;
  return {
    async list({ caller }) {
      const rows = (await tables.spacesOf(caller.userId)).filter(({ kind }) => kind !== STORE_KIND);
      const reachable = rows.filter(({ spaceId }) => caller.tokenSpace === undefined || caller.tokenSpace === spaceId);
      const spaces: Space[] = [];
      for (const row of reachable) {
        const role = await roles.now({ ...row, userId: caller.userId });
        if (role !== undefined) spaces.push(shown(row, role));
      }
      return { spaces };
    },
    create: (access, space) => create(ground, roles, access, space),
    async members(access) {
      const spaceId = spaceFor(access, "members");
      return typeof spaceId === "string" ? { members: await tables.members(spaceId) } : spaceId;
    },
    setMember: (access, login, role) => setMember(ground, access, login, role),
    removeMember: (access, userId) => removeMember(ground, access, userId),
    async audit(access, limit) {
      const spaceId = spaceFor(access, "audit");
      if (typeof spaceId !== "string") return spaceId;
      const rows = await tables.auditRows(spaceId, Math.max(1, Math.min(limit, 1000)));
      return {
        audit: rows.map(({ at, login, userId, deviceId, action, detail }) => ({
          at: new Date(at).toISOString(),
          user: login ?? userId,
          device: deviceId,
          action,
          detail,
        })),
      };
    },
    receipts: (access, lineage) => receipts(ground, access, lineage),
    devices: (access, limit) => devices(ground, access, limit),
  };
}

/** A new, empty space. */
export function newSpaceRow(
  { random, limits, clock }: Ground,
  space: Pick<SpaceRow, "kind" | "name" | "identity" | "sealed">,
): SpaceRow {
  const now = clock.now();
  return {
    ...space,
    spaceId: random.uuid(),
    head: 0,
    mark: "",
    floor: 0,
    liveEntries: 0,
    liveBytes: 0,
    maxEntries: limits.maxEntries,
    maxBytes: limits.maxBytes,
    description: "",
    metadata: {},
    createdAt: now,
    updatedAt: now,
    archivedAt: undefined,
  };
}

/** Refuses callers whose token may not create spaces. */
export function refuseMaker({ caller }: Access): Denial | undefined {
  return caller.tokenSpace !== undefined || caller.tokenRole === "reader"
    ? denied("forbidden", "This token is for one space, or for reading only, and cannot create a space.")
    : undefined;
}

/** Refuses a user who has reached the limit of spaces. */
export function refuseMore({ limits }: Ground, count: number): Denial | undefined {
  return count < limits.spacesOfUser
    ? undefined
    : denied("quota", `You have ${count} spaces, and ${limits.spacesOfUser} is the most.`);
}

function shown(row: SpaceRow, role: Role): Space {
  const { kind, name, identity, sealed, head } = row;
  return { id: row.spaceId, kind, name, identity, sealed, role, head, entries: row.liveEntries, bytes: row.liveBytes };
}

async function create(
  ground: Ground,
  roles: RepositoryRoles,
  access: Access,
  { repository, ...space }: NewSpace,
): Promise<Space | Denial> {
  const { caller } = access;
  const forbidden = refuseMaker(access);
  if (forbidden !== undefined) return forbidden;
  if (repository !== undefined) {
    const wanted = { name: space.name, repository };
    const joined = await roles.join(access, wanted, newSpaceRow(ground, space));
    return isDenial(joined) ? joined : shown(joined.space, lesserRole(joined.role, access.caller.tokenRole));
  }
  const { database, clock } = ground;
  const mine = await database.tables.spacesOf(caller.userId);
  // Two devices that set up the same space mean the same one.
  const known = mine.find(({ kind, name }) => kind === space.kind && name === space.name);
  if (known !== undefined) return shown(known, lesserRole(known.role, caller.tokenRole));
  const refused = refuseMore(ground, mine.length);
  if (refused !== undefined) return refused;
  const row = newSpaceRow(ground, space);
  await database.tables.addSpace(row, { userId: caller.userId, at: clock.now() });
  await record(ground, access, row.spaceId, "create", { kind: row.kind });
  return shown(row, caller.tokenRole);
}

async function setMember(ground: Ground, access: Access, login: string, role: Role): Promise<Member | Denial> {
  const spaceId = spaceFor(access, "members");
  if (typeof spaceId !== "string") return spaceId;
  if (!isRole(role)) return denied("invalid", "A role is reader, writer or admin.");
  const { tables } = ground.database;
  const user = await tables.userByLogin(login);
  if (user === undefined)
    return denied("not-found", `There is no user ${JSON.stringify(login)}: the server's owner adds one with a token.`);
  const members = await tables.members(spaceId);
  if (members.some((member) => member.userId === user.userId && member.source === REPOSITORY))
    return denied("conflict", "The role of this member comes from the repository: change it there.");
  const others = members.filter(({ userId }) => userId !== user.userId);
  if (role !== "admin" && !others.some((member) => member.role === "admin"))
    return denied("conflict", "A space keeps one admin at least: make another member admin first.");
  await tables.setMember(spaceId, { userId: user.userId, role, source: "invite", at: ground.clock.now() });
  await record(ground, access, spaceId, "member", { login, role });
  return { userId: user.userId, login, role, source: "invite" };
}

async function removeMember(
  ground: Ground,
  access: Access,
  userId: string,
): Promise<{ readonly removed: string } | Denial> {
  const spaceId = spaceFor(access, "members");
  if (typeof spaceId !== "string") return spaceId;
  const outcome = await ground.database.tables.removeMember(spaceId, userId);
  if (outcome === "not-found") return denied("not-found", "The space has no such member.");
  if (outcome === "last-admin")
    return denied("conflict", "A space keeps one admin at least: make another member admin first.");
  await record(ground, access, spaceId, "member-removed", { userId });
  return { removed: userId };
}

async function receipts(ground: Ground, access: Access, lineage: string): Promise<Receipts | Denial> {
  const spaceId = spaceFor(access, "receipts");
  if (typeof spaceId !== "string") return spaceId;
  const { tables } = ground.database;
  const forget = await tables.forgetOf(spaceId, lineage);
  if (forget === undefined) return denied("not-found", "Nothing was forgotten under this lineage.");
  const replicas = await tables.replicas(spaceId);
  return {
    lineage,
    revision: forget.seq,
    forgottenAt: new Date(forget.at).toISOString(),
    devices: replicas.map(({ device, login, cursor, seenAt }) => ({
      device,
      user: login,
      done: cursor >= forget.seq,
      seenAt: new Date(seenAt).toISOString(),
    })),
  };
}

async function devices({ database }: Ground, access: Access, limit: number): Promise<SpaceDevices | Denial> {
  const spaceId = spaceFor(access, "receipts");
  if (typeof spaceId !== "string") return spaceId;
  const { tables } = database;
  const replicas = await tables.replicas(spaceId);
  const forgets = await tables.forgets(spaceId, Math.max(1, Math.min(limit, 1000)));
  return {
    head: (await tables.standing(spaceId, 0, 0))?.space.head ?? 0,
    devices: replicas.map(({ device, login, cursor, seenAt }) => ({
      device,
      user: login,
      revision: cursor,
      seenAt: new Date(seenAt).toISOString(),
    })),
    forgets: forgets.map(({ lineage, seq, at }) => ({
      lineage,
      revision: seq,
      forgottenAt: new Date(at).toISOString(),
    })),
  };
}
