import {
  loginOf,
  type Identity,
  type IdentityProvider,
  type LoginEnd,
  type LoginPrompt,
} from "../../core/server/identity.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { denied, isDenial, type Denial } from "./denial.ts";
import type { Ground } from "./ports.ts";
import { NOBODY } from "./repository-roles.ts";
import { makeToken, type TokenLine } from "./tokens.ts";

/** A device gets a token of its own for so long; then its person logs in again. */
const DAYS = 90;
/** Logins under way at one time: each holds a place in memory until its code runs out. */
const MOST = 200;

export interface Way {
  readonly kind: IdentityProvider["kind"];
  readonly host: string;
}

export interface StartedLogin extends LoginPrompt {
  /** Asks for the token; told to the device alone. */
  readonly id: string;
}

export type FinishedLogin =
  | { readonly state: "waiting" }
  | ({ readonly state: "done"; readonly token: string } & TokenLine);

/** Logins by a provider: a person types a code there, and the device gets a token of this server. */
export interface Logins {
  ways(): { readonly ways: readonly Way[] };
  /** `host` where there are several ways. */
  start(wanted: { readonly host: string | undefined; readonly device: string }): Promise<StartedLogin | Denial>;
  /** The token is in one answer and nowhere else. */
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

/** What concerns the server and no space. */
function noteLogin({ database, clock }: Ground, userId: string, action: string, detail: object): Promise<void> {
  return database.tables.audit(NOBODY, { at: clock.now(), userId, deviceId: NOBODY, action, detail: { ...detail } });
}

/** Known by the provider's id alone: a name can be given up and taken by somebody else. */
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
