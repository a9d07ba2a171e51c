import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Whether this user may mount a small disk of its own. */
export const mayMount = ((): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const place = fs.mkdtempSync(path.join(tmpdir(), "memdir-mount-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "memdir-test", place]);
  if (status === 0) execFileSync("umount", [place]);
  fs.rmdirSync(place);
  return status === 0;
})();

/** Mounts an empty disk of a size such as `8m` on an existing directory. */
export function mountSmallDisk(directory: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "memdir-test", directory]);
}

/** Files that a process still has open disappear when it ends. */
export function unmount(directory: string): void {
  execFileSync("umount", ["--lazy", directory]);
}
