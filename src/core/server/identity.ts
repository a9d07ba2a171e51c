import { lesserRole, type Role } from "./roles.ts";

/** A person as known to a provider. `id` stays the same when the login changes. */
export interface Identity {
  /** `github.com`, or the host of a GitHub Enterprise or an OIDC issuer. */
  readonly provider: string;
  readonly id: string;
  readonly login: string;
  /** Token to look up the person's permissions; `undefined` when none are looked up. */
  readonly token: string | undefined;
}

/** What the user must do: open the address and enter the code. */
export interface LoginPrompt {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Milliseconds until the code expires. */
  readonly expiresInMs: number;
}

export type LoginEnd =
  | { readonly outcome: "identity"; readonly identity: Identity }
  /** The user declined, the code expired, or the provider denied access. */
  | { readonly outcome: "refused"; readonly message: string }
  | { readonly outcome: "unavailable"; readonly message: string };

export interface Repository {
  /** The host's id, which stays when the repository is renamed or moved. */
  readonly id: string;
  /** The person's role in it. */
  readonly role: Role;
}

export type RepositoryAnswer =
  | ({ readonly outcome: "repository" } & Repository)
  /** It does not exist or is not visible to this person, or the token is invalid. */
  | { readonly outcome: "none" }
  | { readonly outcome: "unavailable" };

/** Identifies people; a code host also tells their role in a repository. */
export interface IdentityProvider {
  /** As in `Identity`. */
  readonly host: string;
  readonly kind: "github" | "oidc";
  /** Begins a login. `end` settles when the user has responded or the code has expired. */
  start(): Promise<{ readonly prompt: LoginPrompt; readonly end: Promise<LoginEnd> } | { readonly message: string }>;
  /** By `OWNER/NAME`, or by the host's id. */
  repository?(token: string, wanted: { readonly name: string } | { readonly id: string }): Promise<RepositoryAnswer>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Age of a repository role: looked up after `fresh`; if that fails, read-only after `stale`, none after `closed`. */
export const ROLE_AGE = { fresh: 15 * MINUTE_MS, stale: HOUR_MS, closed: 24 * HOUR_MS } as const;

/** The role that remains when it could not be looked up for this long (ms). */
export function roleAfter(role: Role, ageMs: number): Role | undefined {
  if (ageMs <= ROLE_AGE.stale) return role;
  return ageMs <= ROLE_AGE.closed ? lesserRole(role, "reader") : undefined;
}

/** Identity of a team's space whose members come from a repository. */
export function repositoryIdentity(host: string, id: string): string {
  return `repository ${host} ${id}`;
}

export function repositoryOf(identity: string): { readonly host: string; readonly id: string } | undefined {
  const [, host, id] = /^repository (\S+) (\S+)$/u.exec(identity) ?? [];
  return host === undefined || id === undefined ? undefined : { host, id };
}

/** A name on this server that cannot collide with users of other providers or users the owner added. */
export function loginOf({ login, provider }: Pick<Identity, "login" | "provider">): string {
  const plain = login.replaceAll(/[^\w.-]+/gu, "-").slice(0, 60);
  return `${plain === "" ? "user" : plain}@${provider.replaceAll(/[^\w.-]+/gu, "-").slice(0, 39)}`;
}
