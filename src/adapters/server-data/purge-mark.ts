import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that stands while the disk may hold what was forgotten: it outlives a kill, which takes the counts with it. */
export function purgeMark(path: string): { set(): Promise<void>; isSet(): boolean; clear(): Promise<void> } {
  return {
    async set() {
      if (existsSync(path)) return;
      await sync(path, "a");
      await sync(dirname(path), "r");
    },
    isSet: () => existsSync(path),
    clear: () => rm(path, { force: true }),
  };
}

async function sync(path: string, flags: "a" | "r"): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
