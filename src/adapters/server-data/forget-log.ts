import { open, readFile, rm } from "node:fs/promises";
import { codeOf } from "../../core/shared/errors.ts";
import { parseJson, record } from "../../core/shared/json.ts";
import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** A file that exists while the disk may still hold forgotten text. It survives a kill, unlike the counts in memory. */
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

type Forget =
  | { readonly spaceId: string; readonly lineage: string }
  | { readonly spaceId: string; readonly seq: number; readonly mark: string };

/** Forgets as lines of a file. Each is on disk before the client is told that it is done. */
export function forgetLog(path: string): {
  append(forgets: readonly Forget[]): Promise<void>;
  read(): Promise<readonly Forget[]>;
} {
  return {
    async append(forgets) {
      const file = await open(path, "a", 0o600);
      try {
        await file.appendFile(forgets.map((forget) => `${JSON.stringify(forget)}\n`).join(""));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    async read() {
      let text: string;
      try {
        text = await readFile(path, "utf8");
      } catch (error) {
        if (codeOf(error) === "ENOENT") return [];
        throw error;
      }
      return text.split("\n").flatMap((line): readonly Forget[] => {
        // A line cut off by a power failure was never confirmed to a client.
        const { spaceId, lineage, seq, mark } = record(parseJson(line));
        if (typeof spaceId !== "string") return [];
        if (typeof lineage === "string") return [{ spaceId, lineage }];
        return typeof seq === "number" && typeof mark === "string" ? [{ spaceId, seq, mark }] : [];
      });
    },
  };
}
