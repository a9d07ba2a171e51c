/** A space as the server keeps it. */
export interface SpaceRow {
  readonly spaceId: string;
  readonly kind: string;
  readonly name: string;
  /** Names the project without telling it; empty where a space has none. */
  readonly identity: string;
  /** The clients encrypt: names and hashes are opaque, and the server cannot scan. */
  readonly sealed: boolean;
  readonly head: number;
  readonly mark: string;
  /** A cursor below it cannot be served any more: tombstones have been dropped. */
  readonly floor: number;
  readonly liveEntries: number;
  readonly liveBytes: number;
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** What applications of the memory API say of the space. */
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** Of name, description and metadata; changes of notes do not count. */
  readonly updatedAt: number;
  /** From then on nothing is written but deletions. */
  readonly archivedAt: number | undefined;
}

export type EntryState = "live" | "deleted" | "forgotten";

/** The latest state of one name in a space. */
export interface EntryRow {
  readonly key: string;
  /** Names that differ only in case or Unicode form have the same. */
  readonly fold: string;
  readonly seq: number;
  readonly state: EntryState;
  readonly hash: string | undefined;
  readonly lineage: string;
  /** Bytes of the body while it is live. */
  readonly size: number;
}

/** A live entry as a memory. */
export interface MemoryRow {
  readonly key: string;
  readonly seq: number;
  readonly lineage: string;
  readonly hash: string;
  readonly size: number;
  /** Only where it was asked for. */
  readonly body: Uint8Array | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type Operation = "created" | "modified" | "deleted";

/** One change of a memory, as long as its text is kept. */
export interface MemoryVersionRow {
  readonly seq: number;
  readonly lineage: string;
  readonly operation: Operation;
  readonly at: number;
  readonly deviceId: string;
  /** What a redacted version has no more. */
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
  /** Only names that begin with it. */
  readonly prefix: string;
  /** Names below a directory under the prefix come as that directory, with a slash at its end. */
  readonly grouped: boolean;
  /** The last item of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface VersionsFrom {
  readonly lineage?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly deviceId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only numbers below it. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A space while its row is locked, as far as the memory API asks more of it than a push. */
export interface LockedMemories {
  /** A live entry of another lineage that has this name, lies above it or below it. */
  overlapping(key: string, except: string | undefined): Promise<EntryRow | undefined>;
  body(seq: number): Promise<Uint8Array | undefined>;
  /** How many versions of a lineage still say something. */
  speaking(lineage: string): Promise<number>;
  /** Takes text, hash and name from one version. */
  redact(seq: number, by: { readonly deviceId: string; readonly at: number }): Promise<void>;
  /** Whether these versions still say what they said: none was redacted, forgotten or dropped. */
  stillSay(seqs: readonly number[]): Promise<boolean>;
  describe(words: Pick<SpaceRow, "name" | "description" | "metadata" | "updatedAt" | "archivedAt">): Promise<void>;
  /** Takes the space away with everything in it; what was done to it stays in the audit. */
  erase(): Promise<void>;
}

/** What applications ask of the spaces through the memory API. */
export interface MemoryTables {
  space(spaceId: string): Promise<SpaceRow | undefined>;
  items(spaceId: string, from: ItemsFrom): Promise<readonly string[]>;
  memories(
    spaceId: string,
    by: { readonly keys: readonly string[] } | { readonly lineage: string },
    full: boolean,
  ): Promise<readonly MemoryRow[]>;
  /** The newest first. */
  memoryVersions(spaceId: string, from: VersionsFrom, full: boolean): Promise<readonly MemoryVersionRow[]>;
  memoryVersion(spaceId: string, seq: number, full: boolean): Promise<MemoryVersionRow | undefined>;
}
