import type { LockedMemories, MemoryTables, EntryRow, EntryState, SpaceRow } from "./memory-tables.ts";
import type { Role } from "./roles.ts";

export type { EntryRow, EntryState, SpaceRow };

/** One accepted change. */
export interface VersionRow {
  readonly seq: number;
  readonly key: string;
  readonly state: EntryState;
  readonly hash: string | undefined;
  readonly body: Uint8Array | undefined;
  readonly lineage: string;
  readonly base: number;
  readonly deviceId: string;
  readonly pushId: string;
  readonly actor: string;
  readonly reason: string;
  /** Milliseconds since the epoch; for people, never for order. */
  readonly at: number;
  readonly mark: string;
}

/** The result of a push, written as a whole or not at all. */
export interface PushWrite {
  readonly head: number;
  readonly mark: string;
  readonly liveEntries: number;
  readonly liveBytes: number;
  /** In ascending order of their numbers. */
  readonly versions: readonly (VersionRow & { readonly fold: string; readonly size: number })[];
  /** Names that leave no tombstone, since stores of the memory API are not synced. */
  readonly gone?: readonly string[];
  /** Lineages whose versions all lose their name, hash and body. */
  readonly forgotten: readonly { readonly lineage: string; readonly seq: number }[];
}

/** A space while its row is locked against other pushes. */
export interface LockedSpace extends LockedMemories {
  readonly space: SpaceRow;
  /** Versions accepted earlier under this id. */
  answered(pushId: string): Promise<readonly Pick<VersionRow, "key" | "seq" | "state" | "hash" | "lineage" | "base">[]>;
  /** Which of the lineages were forgotten, and the number of each forget. */
  forgotten(lineages: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Entries that match one of the names, folded names or lineages. */
  entries(by: {
    readonly keys: readonly string[];
    readonly folds: readonly string[];
    readonly lineages: readonly string[];
  }): Promise<readonly EntryRow[]>;
  write(write: PushWrite): Promise<void>;
}

/** The space, and the marks of the two versions that the client named. */
export interface Standing {
  readonly space: SpaceRow;
  readonly cursorMark: string | undefined;
  readonly topMark: string | undefined;
}

export type EntryWithBody = EntryRow &
  Pick<VersionRow, "body" | "actor" | "reason" | "deviceId" | "at" | "mark" | "base"> & {
    /** Of a removal: the hash of the text that was removed, while its version is kept. */
    readonly was?: string | undefined;
  };

/** The notes of the spaces. Every query is limited to one space, so that spaces may be on different machines. */
export interface NoteTables {
  /** Runs `work` in a transaction, retried if needed, with the space's row locked; `undefined` for an unknown space. */
  locked<T>(spaceId: string, work: (locked: LockedSpace) => Promise<T>): Promise<T | undefined>;
  standing(spaceId: string, cursor: number, top: number): Promise<Standing | undefined>;
  /** Sizes of the entries after `after` up to `upTo`, in order. */
  sizes(
    spaceId: string,
    after: number,
    upTo: number,
    limit: number,
  ): Promise<readonly { readonly seq: number; readonly size: number }[]>;
  changes(spaceId: string, after: number, upTo: number, limit: number): Promise<readonly EntryWithBody[]>;
  marks(spaceId: string, seqs: readonly number[]): Promise<ReadonlyMap<number, string>>;
  entry(spaceId: string, key: string): Promise<EntryWithBody | undefined>;
  versions(spaceId: string, key: string, limit: number): Promise<readonly Omit<VersionRow, "body">[]>;
  version(spaceId: string, seq: number): Promise<VersionRow | undefined>;
  forgetOf(spaceId: string, lineage: string): Promise<{ readonly seq: number; readonly at: number } | undefined>;
  /** Newest first. */
  forgets(spaceId: string, limit: number): Promise<readonly Forget[]>;
  seen(spaceId: string, deviceId: string, cursor: number, at: number): Promise<void>;
  replicas(spaceId: string): Promise<readonly Replica[]>;
  /** Drops old data: bodies of superseded versions, then rows and tombstones. @returns how many rows changed. */
  compact(spaceId: string, before: { readonly bodies: number; readonly rows: number }): Promise<number>;
}

export interface Forget {
  readonly lineage: string;
  readonly seq: number;
  readonly at: number;
}

export interface Replica {
  readonly deviceId: string;
  readonly device: string;
  readonly login: string;
  readonly cursor: number;
  readonly seenAt: number;
}

/** The sender of a request, according to its token. */
export interface Caller {
  readonly userId: string;
  readonly login: string;
  readonly deviceId: string;
  /** May create users and tokens and run the server; this gives no role in any space. */
  readonly owner: boolean;
  readonly tokenId: string;
  /** Highest role that the token grants. */
  readonly tokenRole: Role;
  /** The only space of the token; `undefined` for all. */
  readonly tokenSpace: string | undefined;
  readonly expiresAt: number | undefined;
}

export interface TokenRow extends Caller {
  readonly tokenHash: string;
  readonly device: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

export interface Member {
  readonly userId: string;
  readonly login: string;
  readonly role: Role;
  readonly source: string;
}

/** Origin of a role: `owner`, `invite`, or `repository`, which is looked up again. */
export interface Membership {
  readonly source: string;
  readonly checkedAt: number;
}

export interface AuditRow {
  readonly at: number;
  readonly userId: string;
  readonly deviceId: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Users, tokens, members and the audit. */
export interface AccessTables {
  /** The caller of a token that is neither revoked nor expired at `now`, and the caller's role in a space. */
  caller(
    tokenHash: string,
    spaceId: string | undefined,
    now: number,
  ): Promise<
    | { readonly caller: Caller; readonly role: Role | undefined; readonly membership: Membership | undefined }
    | undefined
  >;
  userByLogin(login: string): Promise<{ readonly userId: string; readonly owner: boolean } | undefined>;
  hasOwner(): Promise<boolean>;
  addUser(user: {
    readonly userId: string;
    readonly login: string;
    readonly owner: boolean;
    readonly at: number;
  }): Promise<void>;
  addToken(token: TokenRow): Promise<void>;
  /** Tokens of one user, or of all. */
  tokens(userId: string | undefined): Promise<readonly TokenRow[]>;
  /** @returns whether a token was revoked. With `userId`, only that user's tokens are. */
  revokeToken(tokenId: string, userId: string | undefined, at: number): Promise<boolean>;
  addSpace(
    space: SpaceRow,
    member: { readonly userId: string; readonly at: number; readonly role?: Role; readonly source?: string },
  ): Promise<void>;
  spacesOf(userId: string): Promise<readonly (SpaceRow & Membership & { readonly role: Role })[]>;
  allSpaces(): Promise<readonly SpaceRow[]>;
  members(spaceId: string): Promise<readonly Member[]>;
  setMember(
    spaceId: string,
    member: { readonly userId: string; readonly role: Role; readonly source: string; readonly at: number },
  ): Promise<void>;
  /** Refuses to remove a space's last admin. */
  removeMember(spaceId: string, userId: string): Promise<"removed" | "not-found" | "last-admin">;
  audit(spaceId: string, row: AuditRow): Promise<void>;
  auditRows(spaceId: string, limit: number): Promise<readonly (AuditRow & { readonly login: string | undefined })[]>;
  /** Writes a value and reads it back. */
  probe(at: number): Promise<void>;
}

/** Identities of users at their providers, and roles that come from a repository. */
export interface IdentityTables {
  userOf(
    provider: string,
    providerId: string,
  ): Promise<{ readonly userId: string; readonly login: string; readonly isDisabled: boolean } | undefined>;
  saveIdentity(identity: {
    readonly provider: string;
    readonly providerId: string;
    readonly userId: string;
    readonly sealedToken: string | undefined;
    readonly at: number;
  }): Promise<void>;
  sealedToken(userId: string, provider: string): Promise<string | undefined>;
  space(spaceId: string): Promise<SpaceRow | undefined>;
  membership(spaceId: string, userId: string): Promise<Membership | undefined>;
  /** Also removes the last admin, since the repository decides. */
  dropMember(spaceId: string, userId: string): Promise<void>;
}

export type Tables = NoteTables & AccessTables & IdentityTables & MemoryTables;
