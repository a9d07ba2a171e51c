import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";

const BUILT = existsSync(join(PROJECT, "dist", "memdir.cjs"));

function violations(fault: string) {
  const args = [join(PROJECT, "bench", "torture.mjs"), "--processes", "0", "--seconds", "2", "--seed", "6"];
  const env = { ...process.env, MEMDIR_TORTURE_FAULT: fault };
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  return Number(/^violations +(\d+)$/mu.exec(stdout)?.[1]);
}

describe.skipIf(!BUILT)("the torture of notes that move, are revised and are purged", () => {
  // What each fault breaks happens on purpose at the end, so that none has to be met by chance.
  it.each(["move-drops-lineage", "purge-keeps-history", "purge-in-one-store", "revise-ignores-version"])(
    "fails a product with %s",
    (fault) => expect(violations(fault)).toBeGreaterThan(0),
    300_000,
  );
});
