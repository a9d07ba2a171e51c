/** Files above this are not read (Claude Code skips them too). */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export type FileRead =
  | { readonly state: "read"; readonly bytes: Uint8Array }
  | { readonly state: "absent" }
  /** There, and not readable: permission, a directory, a loop of links, too large. */
  | { readonly state: "unreadable"; readonly why: string };

export interface ListedEntry {
  readonly name: string;
  /** Of what the entry leads to: links are followed; `other` is a loop, a socket, a link to nothing. */
  readonly kind: "file" | "directory" | "other";
}

/** What instructions need of a file system: nothing that writes. Paths are absolute with `/`. */
export interface InstructionFiles {
  /** At most `MAX_FILE_BYTES`; never throws. */
  read(path: string): FileRead;
  /** Of the entry itself, links not followed; `undefined` when there is none. */
  kind(path: string): "file" | "directory" | "link" | "other" | undefined;
  /** The path with links resolved and letters as the disk spells them; `undefined` when it leads nowhere. */
  realPath(path: string): string | undefined;
  /** Whether the path is a symbolic link in a circle. */
  isLoop(path: string): boolean;
  /** In the order of the disk, which stays as long as the directory does; empty when there is no such directory or it cannot be read. */
  list(path: string): readonly ListedEntry[];
}

export interface GlobMatcher {
  /** Gitignore semantics, over paths relative to one base directory. */
  gitignore(patterns: readonly string[]): (relativePath: string) => boolean;
  /** Plain globs over absolute paths: `**` crosses directories, a leading dot needs no mention. */
  globs(patterns: readonly string[]): (path: string) => boolean;
}
