import { readFileSync } from "node:fs";

/**
 * Ends process groups that a killed memdir had started. An id may belong to somebody else by now, so only a group
 * whose first process carries memdir's marker is touched; where processes cannot be looked at, none is.
 */
export function endLeftBehind(groups: readonly number[]): void {
  for (const group of groups.filter(isNested)) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

function isNested(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes("MEMDIR_NESTED=1");
  } catch {
    return false; // gone, somebody else's, or no such place on this system
  }
}
