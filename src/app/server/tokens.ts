import { apiKeyId } from "../../core/server/memory-names.ts";
import { lesserRole, ROLES, type Role, tokenHash, tokenId } from "../../core/server/roles.ts";
import type { SpaceRow, TokenRow } from "../../core/server/tables.ts";
import { looksAfterServer } from "./access.ts";
import { type Access, record } from "./audit.ts";
import { denied, NO_SPACE, type Denial } from "./denial.ts";
import type { Ground } from "./ports.ts";

const DAY_MS = 86_400_000;
export const TOKEN_DAYS = { usual: 365, most: 3650 } as const;

export interface NewToken {
  /** Login of the user that the token is for; `undefined` for the caller. */
  readonly user: string | undefined;
  /** The one space that the token is for. */
  readonly space: string | undefined;
  readonly role: Role;
  readonly days: number;
  readonly device: string;
}

/** A token as it is listed: what it may do, never what it is. */
export interface TokenLine {
  readonly id: string;
  readonly user: string;
  readonly device: string;
  /** What `created_by` of the memory API says of what was written with it. */
  readonly apiKeyId: string;
  readonly role: Role;
  readonly space: string | undefined;
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  readonly revoked: boolean;
}

export interface Tokens {
  me(access: Access): Me;
  /** The caller's own; all of them for the server's owner. */
  list(access: Access): Promise<{ readonly tokens: readonly TokenLine[] }>;
  /** The token itself is in this answer and nowhere else. */
  add(access: Access, wanted: NewToken): Promise<(TokenLine & { readonly token: string }) | Denial>;
  revoke(access: Access, id: string): Promise<{ readonly revoked: string } | Denial>;
}

export interface Me {
  readonly user: string;
  readonly owner: boolean;
  readonly device: string;
  readonly role: Role;
  readonly space: string | undefined;
  readonly expiresAt: string | undefined;
}

export function tokensOf(ground: Ground): Tokens {
  const { tables } = ground.database;
  return {
    me: ({ caller }) => ({
      user: caller.login,
      owner: caller.owner,
      device: caller.deviceId,
      role: caller.tokenRole,
      space: caller.tokenSpace,
      expiresAt: moment(caller.expiresAt),
    }),
    async list(access) {
      const rows = await tables.tokens(looksAfterServer(access) ? undefined : access.caller.userId);
      return { tokens: rows.map(tokenLine) };
    },
    add: (access, wanted) => addToken(ground, access, wanted),
    async revoke(access, id) {
      const userId = looksAfterServer(access) ? undefined : access.caller.userId;
      if (!(await tables.revokeToken(id, userId, ground.clock.now())))
        return denied("not-found", "You have no such token, or it is revoked already.");
      return { revoked: id };
    },
  };
}

function moment(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function tokenLine(row: TokenRow): TokenLine {
  return {
    id: row.tokenId,
    user: row.login,
    device: row.device,
    apiKeyId: apiKeyId(row.deviceId),
    role: row.tokenRole,
    space: row.tokenSpace,
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: moment(row.expiresAt),
    revoked: row.revokedAt !== undefined,
  };
}

/** Makes a token without asking who may: for the first start and for whoever has the database itself. */
export async function makeToken(
  { database, random, clock }: Pick<Ground, "database" | "random" | "clock">,
  user: { readonly userId: string; readonly login: string; readonly owner: boolean },
  wanted: Pick<NewToken, "space" | "role" | "days" | "device">,
  latest?: number,
): Promise<TokenLine & { readonly token: string }> {
  const token = random.token();
  const hash = tokenHash(token);
  const createdAt = clock.now();
  const row: TokenRow = {
    ...user,
    tokenHash: hash,
    tokenId: tokenId(hash),
    deviceId: random.uuid(),
    device: wanted.device,
    tokenRole: wanted.role,
    tokenSpace: wanted.space,
    createdAt,
    expiresAt: Math.min(createdAt + wanted.days * DAY_MS, latest ?? Infinity),
    revokedAt: undefined,
  };
  await database.tables.addToken(row);
  return { ...tokenLine(row), token };
}

async function addToken(
  ground: Ground,
  access: Access,
  wanted: NewToken,
): Promise<(TokenLine & { readonly token: string }) | Denial> {
  const { caller } = access;
  if (wanted.user !== undefined && wanted.user !== caller.login)
    return addForOther(ground, access, wanted, wanted.user);
  if (lesserRole(wanted.role, caller.tokenRole) !== wanted.role)
    return denied("forbidden", `Your own token gives ${caller.tokenRole}, and a new one cannot give more.`);
  const mine = await ground.database.tables.spacesOf(caller.userId);
  const space = wanted.space === undefined ? caller.tokenSpace : spaceNamed(mine, wanted.space);
  if (wanted.space !== undefined && space === undefined) return NO_SPACE;
  if (caller.tokenSpace !== undefined && space !== caller.tokenSpace)
    return denied("forbidden", "Your own token is for one space, and a new one cannot reach another.");
  const { userId, login, owner } = caller;
  return makeToken(ground, { userId, login, owner }, { ...wanted, space }, caller.expiresAt);
}

/** The server's owner makes users by making their first token; with a space, the user becomes a member of it. */
async function addForOther(
  ground: Ground,
  access: Access,
  wanted: NewToken,
  login: string,
): Promise<(TokenLine & { readonly token: string }) | Denial> {
  if (!looksAfterServer(access)) return denied("forbidden", "Only the server's owner makes tokens for other users.");
  const { tables } = ground.database;
  const { clock, random } = ground;
  const { role } = wanted;
  const space = wanted.space === undefined ? undefined : spaceNamed(await tables.allSpaces(), wanted.space);
  if (space === undefined && wanted.space !== undefined)
    return denied("not-found", "There is no such space, or several have this name: give its id.");
  const known = await tables.userByLogin(login);
  const user = { login, userId: known?.userId ?? random.uuid(), owner: known?.owner ?? false };
  if (known === undefined) await tables.addUser({ ...user, at: clock.now() });
  if (space !== undefined) {
    const members = await tables.members(space);
    const before = members.find(({ userId }) => userId === user.userId)?.role;
    if (before === undefined || ROLES.indexOf(before) < ROLES.indexOf(role)) {
      await tables.setMember(space, { userId: user.userId, role, source: "invite", at: clock.now() });
      await record(ground, access, space, "member", { login, role });
    }
  }
  return makeToken(ground, user, { ...wanted, space });
}

/** By id, or by `KIND:NAME` where one space alone has it. */
function spaceNamed(spaces: readonly SpaceRow[], text: string): string | undefined {
  const [found, another] = spaces.filter(({ spaceId, kind, name }) => spaceId === text || `${kind}:${name}` === text);
  return another === undefined ? found?.spaceId : undefined;
}
