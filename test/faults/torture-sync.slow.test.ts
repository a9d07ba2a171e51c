import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";

const BUILT = existsSync(join(PROJECT, "dist", "memdir.cjs"));

/** What each fault breaks happens on purpose at the end, so a second of life is enough. */
function said(fault: string): string {
  const args = ["--sync", "--processes", "3", "--seconds", "1", "--operations", "20", "--seed", "1"];
  const env = { ...process.env, MEMDIR_TORTURE_FAULT: fault };
  return spawnSync(process.execPath, [join(PROJECT, "bench", "torture.mjs"), ...args], { encoding: "utf8", env })
    .stdout;
}

describe.skipIf(!BUILT)("the torture of sync", () => {
  it.each([
    ["sync-no-base-check", "LOST"],
    ["sync-dead-accepted", "RESURRECTED"],
    ["sync-forget-not-carried", "NOT FORGOTTEN"],
  ])(
    "fails a product with %s, by what that loses or leaves",
    (fault, finding) => expect(said(fault)).toContain(finding),
    600_000,
  );
});
