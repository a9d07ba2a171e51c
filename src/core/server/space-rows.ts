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
