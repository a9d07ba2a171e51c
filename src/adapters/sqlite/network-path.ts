import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** `f_type` of file systems whose locks or shared memory cannot be trusted with a write-ahead log (Linux, statfs(2)). */
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

/** Whether a file at `path` would live on a network file system. Unknown counts as local. */
export function isNetworkPath(path: string, typeOf: (directory: string) => number = fileSystemType): boolean {
  if (/^[\\/]{2}[^\\/?.]/u.test(path)) return true; // UNC: \\server\share
  try {
    return NETWORK_TYPES.has(typeOf(dirname(path)) >>> 0);
  } catch (error) {
    // A missing directory or a platform without statfs: opening will say what is wrong, if anything is.
    if (error instanceof Error) return false;
    throw error;
  }
}

function fileSystemType(directory: string): number {
  return statfsSync(directory).type;
}
