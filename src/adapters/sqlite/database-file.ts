import { statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** `f_type` of file systems with locks or shared memory too unreliable for a write-ahead log (Linux, statfs(2)). */
const NETWORK_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE: sshfs, rclone and other remote mounts; local ones only lose a little speed
  0x01021997, // 9P: Windows drives inside WSL 2
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
]);

/** Whether a file at `path` would be on a network file system. Unknown file systems count as local. */
export function isNetworkPath(path: string, typeOf: (directory: string) => number = fileSystemType): boolean {
  if (/^[\\/]{2}[^\\/?.]/u.test(path)) return true; // UNC: \\server\share
  try {
    return NETWORK_TYPES.has(typeOf(dirname(path)) >>> 0);
  } catch (error) {
    // A missing directory, or a platform without statfs: opening the file will report any problem.
    if (error instanceof Error) return false;
    throw error;
  }
}

function fileSystemType(directory: string): number {
  return statfsSync(directory).type;
}

/** The part of a connection that is needed to pass it on. */
interface Connection {
  /** Whether a transaction was begun and not ended. */
  readonly inTransaction?: boolean;
  exec(sql: string): unknown;
  close(): unknown;
}

/** The open file of a connection, and how it is opened. */
export interface Place {
  readonly key: string;
  /** Changes with the file, its mode and the user: a user who lost access is not given an open connection. */
  readonly identity: string;
}

/** `undefined` for a database in memory or a missing file. */
export function placeOf(path: string, kind: string): Place | undefined {
  const stats = path === ":memory:" ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { dev, ino, mode, uid, gid } = stats;
  return {
    key: `${kind} ${resolve(path)}`,
    identity: [dev, ino, mode, uid, gid, process.geteuid?.() ?? ""].join(" "),
  };
}

/** The most connections kept waiting; beyond that the oldest is closed and left to the garbage collector. */
const MOST = 32;

/**
 * Connections kept for the next caller that opens the same file. libsql closes a file only when all statements prepared
 * on it are garbage-collected, perhaps never: a process that opens and closes stores would run out of files.
 */
export function createParking<C extends Connection>() {
  const waiting: (Place & { readonly connection: C })[] = [];
  return {
    take(wanted: Place | undefined): C | undefined {
      const at = waiting.findIndex(({ key, identity }) => key === wanted?.key && identity === wanted.identity);
      return at === -1 ? undefined : waiting.splice(at, 1)[0]?.connection;
    },
    park(connection: C, place: Place): void {
      if (connection.inTransaction === true) connection.exec("ROLLBACK");
      waiting.push({ ...place, connection });
      if (waiting.length > MOST) waiting.shift()?.connection.close();
    },
  };
}
