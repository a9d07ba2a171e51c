import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";
import { tortureWith } from "../support/torture.ts";

const BUILT = existsSync(join(PROJECT, "dist", "memdir.cjs"));

/** What each fault breaks happens on purpose at the end, so a second of life is enough. */
const LIFE = ["--sync", "--processes", "3", "--seconds", "1", "--operations", "20", "--seed", "1"];

// They wait more than they work, so they run at once.
describe.skipIf(!BUILT).concurrent("the torture of sync", () => {
  it.each([
    ["sync-no-base-check", "LOST"],
    ["sync-dead-accepted", "RESURRECTED"],
    ["sync-forget-not-carried", "NOT FORGOTTEN"],
  ])(
    "fails a product with %s, by what that loses or leaves",
    async (fault, finding) => expect((await tortureWith(fault, LIFE)).stdout).toContain(finding),
    600_000,
  );
});
