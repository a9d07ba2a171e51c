import { apiKeyId } from "../../core/server/memory-names.ts";
import { lesserRole, ROLES, type Role, tokenHash, tokenId } from "../../core/server/roles.ts";
import type { SpaceRow, TokenRow } from "../../core/server/tables.ts";
import { looksAfterServer, NOBODY } from "./access.ts";
import { type Access, record, denied, NO_SPACE, type Denial, type Ground, isDenial } from "./ports.ts";
import {
  loginOf,
  type Identity,
  type IdentityProvider,
  type LoginEnd,
  type LoginPrompt,
} from "../../core/server/identity.ts";
import { sha256 } from "../../core/shared/hash.ts";

const DAY_MS = 86_400_000;
export const TOKEN_DAYS = { usual: 365, most: 3650 } as const;

export interface NewToken {
  /** Login of the user that the token is for; `undefined` for the caller. */
  readonly user: string | undefined;
  /** The one space that the token may access. */
  readonly space: string | undefined;
  readonly role: Role;
  readonly days: number;
  readonly device: string;
}

/** A token as listed: its rights, never its value. */
export interface TokenLine {
  readonly id: string;
  readonly user: string;
  readonly device: string;
  /** The `created_by` that the memory API shows for writes with this token. */
  readonly apiKeyId: string;
  readonly role: Role;
  readonly space: string | undefined;
  /** `KIND:NAME` of that space, in lists. */
  readonly spaceName?: string | undefined;
  readonly createdAt: string;
  readonly expiresAt: string | undefined;
  readonly revoked: boolean;
}

export interface Tokens {
  me(access: Access): Me;
  /** The caller's own tokens; for the server's owner, all tokens. */
  list(access: Access): Promise<{ readonly tokens: readonly TokenLine[] }>;
  /** Only this answer contains the token itself. */
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
      const isLimited = rows.some(({ tokenSpace }) => tokenSpace !== undefined);
      const spaces = isLimited ? await tables.allSpaces() : [];
      const names = new Map(spaces.map(({ spaceId, kind, name }) => [spaceId, `${kind}:${name}`]));
      return { tokens: rows.map((row) => ({ ...tokenLine(row), spaceName: names.get(row.tokenSpace ?? "") })) };
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

/** Makes a token without checking rights: for the first start and for users with direct access to the database. */
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

/** The server's owner creates users by making their first token. With a space, the user becomes its member. */
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

/** By id, or by `KIND:NAME` if only one space has it. */
function spaceNamed(spaces: readonly SpaceRow[], text: string): string | undefined {
  const [found, another] = spaces.filter(({ spaceId, kind, name }) => spaceId === text || `${kind}:${name}` === text);
  return another === undefined ? found?.spaceId : undefined;
}

/** Lifetime of a device's token (days); after that the user logs in again. */
const DAYS = 90;
/** Most logins in progress; each takes memory until its code expires. */
const MOST = 200;

export interface Way {
  readonly kind: IdentityProvider["kind"];
  readonly host: string;
}

export interface StartedLogin extends LoginPrompt {
  /** Requests the token with it; only the device knows it. */
  readonly id: string;
}

export type FinishedLogin =
  | { readonly state: "waiting" }
  | ({ readonly state: "done"; readonly token: string } & TokenLine);

/** Logins through a provider: the user types a code there, and the device gets a token of this server. */
export interface Logins {
  ways(): { readonly ways: readonly Way[] };
  /** `host` is needed if there are several ways. */
  start(wanted: { readonly host: string | undefined; readonly device: string }): Promise<StartedLogin | Denial>;
  /** Only one answer contains the token. */
  finish(id: string): Promise<FinishedLogin | Denial>;
}

interface Pending {
  readonly device: string;
  readonly until: number;
  ended: LoginEnd | undefined;
}

export function loginsOf(ground: Ground): Logins {
  const pending = new Map<string, Pending>();
  const { clock, random, providers } = ground;
  const sweep = (): void => {
    for (const [id, { until }] of pending) if (until < clock.now()) pending.delete(id);
  };
  return {
    ways: () => ({ ways: providers.map(({ kind, host }) => ({ kind, host })) }),
    async start({ host, device }) {
      const provider = providers.find((one) => host === undefined || one.host === host);
      if (provider === undefined) return denied("not-found", "This server has no such login: its owner makes tokens.");
      sweep();
      if (pending.size >= MOST)
        return denied("unavailable", "Too many logins are under way. Try again in a few minutes.");
      const started = await provider.start();
      if ("message" in started) return denied("unavailable", started.message);
      const id = random.token();
      const { prompt, end } = started;
      const login: Pending = { device, until: clock.now() + prompt.expiresInMs, ended: undefined };
      pending.set(id, login);
      void end.then((ended) => {
        login.ended = ended;
      });
      return { id, ...prompt };
    },
    async finish(id) {
      sweep();
      const login = pending.get(id);
      if (login === undefined) return denied("not-found", "There is no such login, or its code ran out. Start again.");
      if (login.ended === undefined) return { state: "waiting" };
      pending.delete(id);
      return outcomeOf(ground, login.ended, login.device);
    },
  };
}

async function outcomeOf(ground: Ground, end: LoginEnd, device: string): Promise<FinishedLogin | Denial> {
  if (end.outcome === "unavailable") return denied("unavailable", `${end.message}. Start again.`);
  if (end.outcome === "refused") {
    await noteLogin(ground, NOBODY, "login-refused", {});
    return denied("forbidden", `${end.message.charAt(0).toUpperCase()}${end.message.slice(1)}.`);
  }
  const user = await userOf(ground, end.identity);
  if (isDenial(user)) return user;
  const token = await makeToken(
    ground,
    { ...user, owner: false },
    { space: undefined, role: "admin", days: DAYS, device },
  );
  await noteLogin(ground, user.userId, "login", { provider: end.identity.provider, device });
  return { state: "done", ...token };
}

/** Audits events of the server that belong to no space. */
function noteLogin({ database, clock }: Ground, userId: string, action: string, detail: object): Promise<void> {
  return database.tables.audit(NOBODY, { at: clock.now(), userId, deviceId: NOBODY, action, detail: { ...detail } });
}

/** Identified only by the provider's id: a name can be given up and taken by someone else. */
async function userOf(
  { database, random, clock, sealed }: Ground,
  identity: Identity,
): Promise<{ readonly userId: string; readonly login: string } | Denial> {
  const { tables } = database;
  const { provider, id: providerId, token } = identity;
  const known = await tables.userOf(provider, providerId);
  if (known?.isDisabled === true) return denied("forbidden", "This user was disabled.");
  const user = known ?? { userId: random.uuid(), login: await freeLogin(tables, identity) };
  const at = clock.now();
  if (known === undefined) await tables.addUser({ ...user, owner: false, at });
  const sealedToken = token === undefined ? undefined : sealed.seal(token);
  await tables.saveIdentity({ provider, providerId, userId: user.userId, sealedToken, at });
  return user;
}

async function freeLogin(tables: Ground["database"]["tables"], identity: Identity): Promise<string> {
  const login = loginOf(identity);
  if ((await tables.userByLogin(login)) === undefined) return login;
  return login.replace("@", `-${sha256(`${identity.provider} ${identity.id}`).slice(0, 8)}@`);
}
