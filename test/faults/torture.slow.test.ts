import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";
import { tortureWith } from "../support/torture.ts";

const BUILT = existsSync(join(PROJECT, "dist", "memdir.cjs"));

async function violations(fault: string): Promise<number> {
  const { stdout } = await tortureWith(fault, ["--processes", "0", "--seconds", "2", "--seed", "6"]);
  return Number(/^violations +(\d+)$/mu.exec(stdout)?.[1]);
}

// They wait more than they work, so they run at once.
describe.skipIf(!BUILT).concurrent("the torture of notes that move, are revised and are purged", () => {
  // What each fault breaks happens on purpose at the end, so that none has to be met by chance.
  it.each(["move-drops-lineage", "purge-keeps-history", "purge-in-one-store", "revise-ignores-version"])(
    "fails a product with %s",
    async (fault) => expect(await violations(fault)).toBeGreaterThan(0),
    300_000,
  );
});
