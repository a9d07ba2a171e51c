import type { ServerDatabase } from "../../core/server/database.ts";
import type { IdentityProvider } from "../../core/server/identity.ts";
import type { Clock } from "../../core/shared/clock.ts";

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
