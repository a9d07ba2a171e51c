/** A space in the server's database. */
export interface SpaceRow {
  readonly spaceId: string;
  readonly kind: string;
  readonly name: string;
  /** Identifies the project without revealing it; empty if the space has none. */
  readonly identity: string;
  /** The clients encrypt: names and hashes are opaque, and the server cannot scan for secrets. */
  readonly sealed: boolean;
  readonly head: number;
  readonly mark: string;
  /** A cursor below this cannot be served, since tombstones were dropped. */
  readonly floor: number;
  readonly liveEntries: number;
  readonly liveBytes: number;
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Set by applications of the memory API. */
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** Last change of name, description or metadata; changes of notes do not count. */
  readonly updatedAt: number;
  /** From this time on only deletions are written. */
  readonly archivedAt: number | undefined;
}

export type EntryState = "live" | "deleted" | "forgotten";

/** The current state of one name in a space. */
export interface EntryRow {
  readonly key: string;
  /** Equal for names that differ only in case or Unicode form. */
  readonly fold: string;
  readonly seq: number;
  readonly state: EntryState;
  readonly hash: string | undefined;
  readonly lineage: string;
  /** Bytes of the live body. */
  readonly size: number;
}

/** A live entry as a memory. */
export interface MemoryRow {
  readonly key: string;
  readonly seq: number;
  readonly lineage: string;
  readonly hash: string;
  readonly size: number;
  /** Only if requested. */
  readonly body: Uint8Array | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type Operation = "created" | "modified" | "deleted";

/** One change of a memory, while its text is kept. */
export interface MemoryVersionRow {
  readonly seq: number;
  readonly lineage: string;
  readonly operation: Operation;
  readonly at: number;
  readonly deviceId: string;
  /** Data that a redacted version no longer has. */
  readonly held:
    | {
        readonly key: string;
        readonly hash: string | undefined;
        readonly size: number | undefined;
        readonly body: Uint8Array | undefined;
      }
    | undefined;
  readonly redacted: { readonly at: number; readonly by: string } | undefined;
}

export interface ItemsFrom {
  /** Only names with this prefix. */
  readonly prefix: string;
  /** Names in a directory below the prefix are listed as that directory, with a trailing slash. */
  readonly grouped: boolean;
  /** Last item of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface VersionsFrom {
  readonly lineage?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly deviceId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only numbers below this. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A locked space, with what the memory API needs in addition to a push. */
export interface LockedMemories {
  /** A live entry of another lineage with this name, or above or below it. */
  overlapping(key: string, except: string | undefined): Promise<EntryRow | undefined>;
  body(seq: number): Promise<Uint8Array | undefined>;
  /** Number of versions of a lineage that still have text. */
  speaking(lineage: string): Promise<number>;
  /** Removes text, hash and name of one version. */
  redact(seq: number, by: { readonly deviceId: string; readonly at: number }): Promise<void>;
  /** Whether these versions still have their text: none was redacted, forgotten or dropped. */
  stillSay(seqs: readonly number[]): Promise<boolean>;
  describe(words: Pick<SpaceRow, "name" | "description" | "metadata" | "updatedAt" | "archivedAt">): Promise<void>;
  /** Deletes the space with everything in it; its audit stays. */
  erase(): Promise<void>;
}

/** Queries of the memory API. */
export interface MemoryTables {
  space(spaceId: string): Promise<SpaceRow | undefined>;
  items(spaceId: string, from: ItemsFrom): Promise<readonly string[]>;
  memories(
    spaceId: string,
    by: { readonly keys: readonly string[] } | { readonly lineage: string },
    full: boolean,
  ): Promise<readonly MemoryRow[]>;
  /** Newest first. */
  memoryVersions(spaceId: string, from: VersionsFrom, full: boolean): Promise<readonly MemoryVersionRow[]>;
  memoryVersion(spaceId: string, seq: number, full: boolean): Promise<MemoryVersionRow | undefined>;
}
