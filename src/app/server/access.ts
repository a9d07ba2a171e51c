import { type Action, allowed, buckets, isToken, lesserRole, type Rate, tokenHash } from "../../core/server/roles.ts";
import type { AccessTables } from "../../core/server/tables.ts";
import type { Access } from "./audit.ts";
import type { RepositoryRoles } from "./repository-roles.ts";
import { type Denial, denied, NO_SPACE } from "./denial.ts";
import type { Clock } from "../../core/shared/clock.ts";

export interface RateLimits {
  readonly deviceReads: Rate;
  readonly deviceWrites: Rate;
  readonly spaceWrites: Rate;
  /** Of one address that sends no valid token. */
  readonly strangers: Rate;
}

export const USUAL_RATES: RateLimits = {
  deviceReads: { perMinute: 600 },
  deviceWrites: { perMinute: 60 },
  spaceWrites: { perMinute: 600 },
  strangers: { perMinute: 60 },
};

/** How often who may ask, in this process. Each gives 0, or the milliseconds to wait. */
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

/** Who sends a token; `spaceId` is the space that the request is about. */
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

/** The same caller in another space, which the request names in its body. */
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

/** The space of a request, once it is clear that the caller may do this there. */
export function spaceFor({ spaceId, role }: Access, action: Action): string | Denial {
  if (spaceId === undefined || role === undefined) return NO_SPACE;
  if (allowed(role, action)) return spaceId;
  return denied("forbidden", `Your role in this space is ${role}, which does not allow this.`);
}

/** Whether the token may look after the server: users, and tokens for others. */
export function looksAfterServer({ caller }: Access): boolean {
  return caller.owner && caller.tokenRole === "admin" && caller.tokenSpace === undefined;
}
