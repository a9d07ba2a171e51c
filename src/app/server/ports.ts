import type { ServerDatabase } from "../../core/server/database.ts";
import type { IdentityProvider } from "../../core/server/identity.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { Role } from "../../core/server/roles.ts";
import type { Caller } from "../../core/server/tables.ts";

/** Unguessable random strings. */
export interface Random {
  uuid(): string;
  /** 96 bits, base64url. */
  mark(): string;
  /** 96 bits, hexadecimal. */
  lineage(): string;
  /** `mdt_` and 256 bits, base64url. */
  token(): string;
}

/** Forgets are logged outside the database, so that one restored from a backup can apply them again. */
export interface ForgetLog {
  append(forgets: readonly LoggedForget[]): Promise<void>;
  read(): Promise<readonly LoggedForget[]>;
}

export type LoggedForget =
  | { readonly spaceId: string; readonly lineage: string }
  /** One version; `mark` distinguishes it from another version with that number. */
  | { readonly spaceId: string; readonly seq: number; readonly mark: string };

/** What the server's operations depend on. */
export interface Ground {
  readonly database: ServerDatabase;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly forgets: ForgetLog | undefined;
  readonly limits: SpaceLimits;
  /** Where users may log in; if empty, only tokens are accepted. */
  readonly providers: readonly IdentityProvider[];
  /** Encrypts the providers' tokens. */
  readonly sealed: Sealing;
  /** Set until the embedded database and its archives are free of what was forgotten. */
  readonly purgeMark: PurgeMark | undefined;
  /** Activity since the server started; tells the upkeep what is due. */
  readonly activity: Activity;
}

export interface PurgeMark {
  /** The mark is on disk when the promise resolves. */
  set(): Promise<void>;
  isSet(): boolean;
  clear(): Promise<void>;
}

/** Encrypts texts, so that a copy of the database alone reveals none of them. */
export interface Sealing {
  seal(text: string): string;
  /** `undefined` if it was sealed with another key. */
  open(sealed: string): string | undefined;
}

export interface SpaceLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly spacesOfUser: number;
  /** Limit of a store made through the memory API. */
  readonly maxMemories: number;
  readonly memoryBytes: number;
}

export interface Activity {
  /** Time of the last accepted change (ms since the epoch). */
  lastWrite: number;
  writes: number;
  forgets: number;
  /** Number of forgets in progress. */
  forgetting: number;
}

/** A caller, and the caller's role in the space that the request names. */
export interface Access {
  readonly caller: Caller;
  readonly spaceId: string | undefined;
  readonly role: Role | undefined;
}

/** Records who did what in the audit log, never a text or the name of a note. */
export function record(
  { database, clock }: Ground,
  { caller }: Access,
  spaceId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { userId, deviceId } = caller;
  return database.tables.audit(spaceId, { at: clock.now(), userId, deviceId, action, detail });
}

/** Work that must purge data from disk. The mark is set first, so that a killed server purges at its next start. */
export async function forgetting<T>({ activity, purgeMark }: Ground, work: () => Promise<T>): Promise<T> {
  activity.forgetting += 1;
  try {
    await purgeMark?.set();
    return await work();
  } finally {
    activity.forgetting -= 1;
    activity.forgets += 1;
  }
}

/** Why the server refuses a request. */
export interface Denial {
  readonly kind: "denied";
  readonly reason:
    | "invalid"
    | "unauthorized"
    | "forbidden"
    | "not-found"
    | "conflict"
    | "precondition"
    | "path-conflict"
    | "stale"
    | "history-changed"
    | "compacted"
    | "too-large"
    | "quota"
    | "unavailable"
    | "secret";
  /** For the user: what, with which value, and what to do. */
  readonly message: string;
  /** For programs: the rule that found a secret, or the current revision. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

export function denied(reason: Denial["reason"], message: string, detail?: Denial["detail"]): Denial {
  return { kind: "denied", reason, message, ...(detail === undefined ? {} : { detail }) };
}

export function isDenial(value: object): value is Denial {
  return "kind" in value && value.kind === "denied";
}

/** The same answer for a missing space and a space of others, so that it does not reveal which spaces exist. */
export const NO_SPACE = denied("not-found", "There is no such space, or you are not a member of it.");
