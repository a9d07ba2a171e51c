/**
 * What a store needs of a file system, one durable step a call, so that a test can fail or stop each.
 * Contents and names are durable apart: a name in a directory survives a power loss once `syncDirectory`
 * was called for the directory; a rename is durable as a whole or not at all.
 */
export interface FilePort {
  /** `undefined` when there is no such file. Follows links. */
  read(path: string): Uint8Array | undefined;
  /** Of the entry itself, links not followed; `undefined` when there is none. */
  stat(path: string): FileStat | undefined;
  /** Names in a directory; `undefined` when there is none. */
  list(path: string): readonly DirectoryEntry[] | undefined;
  /** Creates it and its parents, their names on disk before it returns; nothing happens when it is there. */
  makeDirectory(path: string): void;
  /** Writes a file that must not exist, content on disk before it returns; its name only after `syncDirectory`. */
  create(path: string, bytes: Uint8Array): void;
  /** Gives `to` the permissions of `from`, which may be missing; not a matter of content, so not made durable. */
  copyMode(from: string, to: string): void;
  /** Appends, content on disk before it returns; creates the file, whose name is then on disk only after `syncDirectory`. */
  append(path: string, bytes: Uint8Array): void;
  /** Appends without asking for it to be on disk: after a crash the end may be missing or torn. Creates the file. */
  jot(path: string, bytes: Uint8Array): void;
  /** Replaces a small file in place without asking for it to be on disk: after a crash it may be old, new, torn or empty. */
  note(path: string, bytes: Uint8Array): void;
  /** Replaces `to`. Both must be on one device. */
  rename(from: string, to: string): "renamed" | "absent" | "cross-device";
  /** A second name for a file; fails with `exists` rather than replacing. */
  link(from: string, to: string): "linked" | "exists" | "unsupported";
  /** Nothing happens when it is not there. */
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
