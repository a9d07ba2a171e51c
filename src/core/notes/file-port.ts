/**
 * What a store needs from a file system: one durable step per call, so that a test can fail or stop each.
 * Contents and names become durable separately: a name survives a power loss once `syncDirectory` was
 * called for its directory; a rename is durable as a whole or not at all.
 */
export interface FilePort {
  /** `undefined` if there is no such file. Follows links. */
  read(path: string): Uint8Array | undefined;
  /** Describes the entry itself, without following links; `undefined` if there is none. */
  stat(path: string): FileStat | undefined;
  /** Names in a directory; `undefined` if there is no directory. */
  list(path: string): readonly DirectoryEntry[] | undefined;
  /** Creates a directory and its parents, their names on disk on return. Does nothing if it exists. */
  makeDirectory(path: string): void;
  /** Writes a file that must not exist. Its content is on disk on return, its name only after `syncDirectory`. */
  create(path: string, bytes: Uint8Array): void;
  /** Gives `to` the permissions of `from`, which may be missing. Not made durable, as it is not content. */
  copyMode(from: string, to: string): void;
  /** Appends, content on disk on return. Creates a missing file, whose name is on disk only after `syncDirectory`. */
  append(path: string, bytes: Uint8Array): void;
  /** Appends without syncing: after a crash the end may be missing or torn. Creates a missing file. */
  jot(path: string, bytes: Uint8Array): void;
  /** Replaces a small file in place without syncing: after a crash it may be old, new, torn or empty. */
  note(path: string, bytes: Uint8Array): void;
  /** Replaces `to`. Both must be on one device. */
  rename(from: string, to: string): "renamed" | "absent" | "cross-device";
  /** Adds a second name for a file; returns `exists` instead of replacing. */
  link(from: string, to: string): "linked" | "exists" | "unsupported";
  /** Does nothing if there is no such file. */
  remove(path: string): void;
  removeTree(path: string): void;
  /** Makes creations, renames, links and removals of names in a directory durable. */
  syncDirectory(path: string): void;
}

export interface FileStat {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat["kind"];
}
