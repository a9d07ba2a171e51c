import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";

const BUILT = existsSync(join(PROJECT, "dist", "adapters", "files", "store.js"));

function torture(fault: string, seconds = 5) {
  const args = [join(PROJECT, "bench", "torture.mjs"), "--processes", "6", "--seconds", String(seconds), "--seed", "6"];
  return spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, MEMDIR_TORTURE_FAULT: fault } });
}

// It runs what `npm run build` made; `npm test` builds first.
describe.skipIf(!BUILT)("the torture", () => {
  it("passes the store as it is", () => {
    const { status, stdout } = torture("");
    expect(stdout).toMatch(/^lost +0$/mu);
    expect(status, stdout).toBe(0);
  }, 120_000);

  it("fails a store that overwrites without lock and comparison", () => {
    // On a busy machine its writers may come to nothing in five seconds.
    const quick = torture("overwrite");
    const { status, stdout } = quick.status === 0 ? torture("overwrite", 20) : quick;
    // What goes wrong first depends on the moment: words are lost, or two processes spoil each other's files.
    expect(stdout).toMatch(/^violations +[1-9]/mu);
    expect(status).toBe(1);
  }, 120_000);
});
