import { lesserRole, type Role } from "./roles.ts";

/** Someone, as a provider knows them. `id` stays when they change their name. */
export interface Identity {
  /** `github.com`, the host of a GitHub Enterprise, or that of an OIDC issuer. */
  readonly provider: string;
  readonly id: string;
  readonly login: string;
  /** Lets the server look up what they may do there; `undefined` where nothing is looked up. */
  readonly token: string | undefined;
}

/** What a person has to do: open the address and type the code. */
export interface LoginPrompt {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Milliseconds until the code is no longer good. */
  readonly expiresInMs: number;
}

export type LoginEnd =
  | { readonly outcome: "identity"; readonly identity: Identity }
  /** The person said no, the code ran out, or the provider does not let them in. */
  | { readonly outcome: "refused"; readonly message: string }
  | { readonly outcome: "unavailable"; readonly message: string };

export interface Repository {
  /** The host's own id of it: it stays when the repository is renamed or moved. */
  readonly id: string;
  /** What the person may do with it. */
  readonly role: Role;
}

export type RepositoryAnswer =
  | ({ readonly outcome: "repository" } & Repository)
  /** There is none, or not for this person; or the token is no longer good. */
  | { readonly outcome: "none" }
  | { readonly outcome: "unavailable" };

/** Who people are, and for a code host, what they may do in a repository. */
export interface IdentityProvider {
  /** As in `Identity`. */
  readonly host: string;
  readonly kind: "github" | "oidc";
  /** Begins a login. `end` settles when the person has answered, or the code ran out. */
  start(): Promise<{ readonly prompt: LoginPrompt; readonly end: Promise<LoginEnd> } | { readonly message: string }>;
  /** By `OWNER/NAME`, or by the host's id of it. */
  repository?(token: string, wanted: { readonly name: string } | { readonly id: string }): Promise<RepositoryAnswer>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How old a role from a repository may be: looked up again, read-only where that failed, and then no role at all. */
export const ROLE_AGE = { fresh: 15 * MINUTE_MS, stale: HOUR_MS, closed: 24 * HOUR_MS } as const;

/** What is left of a role that could not be looked up again for so long (ms). */
export function roleAfter(role: Role, ageMs: number): Role | undefined {
  if (ageMs <= ROLE_AGE.stale) return role;
  return ageMs <= ROLE_AGE.closed ? lesserRole(role, "reader") : undefined;
}

/** The identity of a team's space whose members come from a repository. */
export function repositoryIdentity(host: string, id: string): string {
  return `repository ${host} ${id}`;
}

export function repositoryOf(identity: string): { readonly host: string; readonly id: string } | undefined {
  const [, host, id] = /^repository (\S+) (\S+)$/u.exec(identity) ?? [];
  return host === undefined || id === undefined ? undefined : { host, id };
}

/** A name on this server that nobody of another provider, and nobody whom the owner added, can have. */
export function loginOf({ login, provider }: Pick<Identity, "login" | "provider">): string {
  const plain = login.replaceAll(/[^\w.-]+/gu, "-").slice(0, 60);
  return `${plain === "" ? "user" : plain}@${provider.replaceAll(/[^\w.-]+/gu, "-").slice(0, 39)}`;
}
