import type { ServerDatabase } from "../../core/server/database.ts";
import type { IdentityProvider } from "../../core/server/identity.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { Role } from "../../core/server/roles.ts";
import type { Caller } from "../../core/server/tables.ts";

/** What nobody can guess. */
export interface Random {
  uuid(): string;
  /** 96 bits, base64url. */
  mark(): string;
  /** 96 bits, hexadecimal. */
  lineage(): string;
  /** `mdt_` and 256 bits, base64url. */
  token(): string;
}

/** Forgets, written outside the database: one that is restored from a backup learns them again. */
export interface ForgetLog {
  append(forgets: readonly LoggedForget[]): Promise<void>;
  read(): Promise<readonly LoggedForget[]>;
}

export type LoggedForget =
  | { readonly spaceId: string; readonly lineage: string }
  /** One version; `mark` tells it from another one of that number. */
  | { readonly spaceId: string; readonly seq: number; readonly mark: string };

/** What the operations of the server stand on. */
export interface Ground {
  readonly database: ServerDatabase;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly forgets: ForgetLog | undefined;
  readonly limits: SpaceLimits;
  /** Where people may log in; none: only tokens are taken. */
  readonly providers: readonly IdentityProvider[];
  /** Keeps the tokens of providers. */
  readonly sealed: Sealing;
  /** Stands until the embedded database and its archives are free of what was forgotten. */
  readonly purgeMark: PurgeMark | undefined;
  /** Since the server started; tells the upkeep what there is to do. */
  readonly activity: Activity;
}

export interface PurgeMark {
  /** On the disk when it returns. */
  set(): Promise<void>;
  isSet(): boolean;
  clear(): Promise<void>;
}

/** Seals texts, so that a copy of the database alone tells none of them. */
export interface Sealing {
  seal(text: string): string;
  /** `undefined` where another key sealed it. */
  open(sealed: string): string | undefined;
}

export interface SpaceLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly spacesOfUser: number;
  /** Of a store made through the memory API. */
  readonly maxMemories: number;
  readonly memoryBytes: number;
}

export interface Activity {
  /** Milliseconds since the epoch of the last accepted change. */
  lastWrite: number;
  writes: number;
  forgets: number;
  /** How many forgets are under way. */
  forgetting: number;
}

/** A caller, and what the caller may do in the space that the request names. */
export interface Access {
  readonly caller: Caller;
  readonly spaceId: string | undefined;
  readonly role: Role | undefined;
}

/** Writes down who did what; never a text, and never the name of a note. */
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

/** What is to leave the disk. It is marked before the work, so that a server that is killed finds it at its next start. */
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

/** Why the server does not do what was asked. */
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
  /** For a person: what, with which value, and what to do. */
  readonly message: string;
  /** For the program: the rule of a secret, the present revision. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

export function denied(reason: Denial["reason"], message: string, detail?: Denial["detail"]): Denial {
  return { kind: "denied", reason, message, ...(detail === undefined ? {} : { detail }) };
}

export function isDenial(value: object): value is Denial {
  return "kind" in value && value.kind === "denied";
}

/** The same words for a space that is not there and for one of others: the answer tells nobody which spaces exist. */
export const NO_SPACE = denied("not-found", "There is no such space, or you are not a member of it.");
