import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../gates/tree.ts";
import { tortureWith } from "../support/torture.ts";

const BUILT = existsSync(join(PROJECT, "dist", "adapters", "files", "store.js"));

const lasting = (seconds: number): string[] => ["--processes", "6", "--seconds", String(seconds), "--seed", "6"];

// It runs what `npm run build` made; `npm test` builds first.
describe.skipIf(!BUILT).concurrent("the torture", () => {
  it("passes the store as it is", async () => {
    const { status, stdout } = await tortureWith("", lasting(5));
    expect(stdout).toMatch(/^lost +0$/mu);
    expect(status, stdout).toBe(0);
  }, 120_000);

  it("fails a store that overwrites without lock and comparison", async () => {
    // On a busy machine its writers may come to nothing in five seconds.
    const quick = await tortureWith("overwrite", lasting(5));
    const { status, stdout } = quick.status === 0 ? await tortureWith("overwrite", lasting(20)) : quick;
    // What goes wrong first depends on the moment: words are lost, or two processes spoil each other's files.
    expect(stdout).toMatch(/^violations +[1-9]/mu);
    expect(status).toBe(1);
  }, 120_000);
});
