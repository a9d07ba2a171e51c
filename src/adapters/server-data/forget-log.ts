import { open, readFile } from "node:fs/promises";
import { codeOf } from "../../core/shared/errors.ts";
import { parseJson, record } from "../../core/shared/json.ts";

interface Forget {
  readonly spaceId: string;
  readonly lineage: string;
}

/** Forgets as lines of a file, each on the disk before the client hears that it is done. */
export function forgetLog(path: string): {
  append(forgets: readonly Forget[]): Promise<void>;
  read(): Promise<readonly Forget[]>;
} {
  return {
    async append(forgets) {
      const file = await open(path, "a", 0o600);
      try {
        await file.appendFile(
          forgets.map(({ spaceId, lineage }) => `${JSON.stringify({ spaceId, lineage })}\n`).join(""),
        );
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
      return text.split("\n").flatMap((line) => {
        // A line that a power cut left half was never answered.
        const { spaceId, lineage } = record(parseJson(line));
        return typeof spaceId === "string" && typeof lineage === "string" ? [{ spaceId, lineage }] : [];
      });
    },
  };
}
