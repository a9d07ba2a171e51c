import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";

const BUILT = existsSync(join(PROJECT, "dist", "memdir.cjs"));

function violations(fault: string, seconds: number) {
  const args = [join(PROJECT, "bench", "torture.mjs"), "--processes", "0", "--seconds", String(seconds), "--seed", "6"];
  const env = { ...process.env, MEMDIR_TORTURE_FAULT: fault };
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  return Number(/^violations +(\d+)$/mu.exec(stdout)?.[1]);
}

describe.skipIf(!BUILT)("the torture of notes that move, are revised and are purged", () => {
  // On a busy machine little happens in thirty seconds.
  it.each(["move-drops-lineage", "purge-keeps-history", "purge-in-one-store", "revise-ignores-version"])(
    "fails a product with %s",
    (fault) => {
      const quick = violations(fault, 30);
      expect(quick === 0 ? violations(fault, 90) : quick).toBeGreaterThan(0);
    },
    300_000,
  );
});
