import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/ensure-build.mjs";
import { scratch } from "../support/scratch.ts";

/** Each of three files tells the process it ran in; two workers share them. */
function processesOf(limit: number): readonly string[] {
  const told = join(scratch(), "processes");
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const config = join(ROOT, "test", "fixtures", "workers", "vitest.config.ts");
  execFileSync(process.execPath, [vitest, "run", "--config", config, "--root", join(config, "..")], {
    env: { ...process.env, MEMDIR_PROCESSES: told, MEMDIR_LIMIT: String(limit) },
    stdio: "pipe",
  });
  return readFileSync(told, "utf8").trim().split("\n");
}

describe("a worker of the tests", () => {
  it("serves the next file while it holds little", () => {
    const processes = processesOf(1024 ** 4);
    expect(processes).toHaveLength(3);
    expect(new Set(processes).size).toBeLessThanOrEqual(2);
  });

  it("is replaced once it holds more than the limit", () => {
    expect(new Set(processesOf(1)).size).toBe(3);
  });
});
