import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { tidyStores } from "../../../src/app/workspace/open-store.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import type { ScopedStore } from "../../../src/app/workspace/workspace.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;

beforeEach(async () => {
  root = scratch();
  fs.mkdirSync(`${root}/project`);
  await memdir("remember", "Builds run on the runner in Brno.", "--name", "runner");
});

const place = (): { cwd: string; environment: Record<string, string | undefined> } => ({
  cwd: `${root}/project`,
  environment: emptyHome(root),
});
const memdir = (...argv: readonly string[]): Promise<CliResult> => cli(argv, place());
const log = (): string => `${locate(place()).stores[0]?.state ?? ""}/usage.jsonl`;

/** More than a year of uses, each on a line. Answers how large it is. */
function grow(): number {
  const line = (n: number): string =>
    JSON.stringify({
      time: new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString(),
      files: ["project_runner.md"],
    });
  fs.writeFileSync(log(), Array.from({ length: 5_000 }, (_, n) => `${line(n)}\n`).join(""));
  return fs.statSync(log()).size;
}

describe("state that grew is made smaller without any capture", () => {
  it("by a command that writes, and by none that reads", async () => {
    const before = grow();
    await memdir("list");
    expect(fs.statSync(log()).size).toBe(before);
    await memdir("remember", "Releases are on Tuesdays.");
    expect(fs.statSync(log()).size).toBeLessThan(before / 2);
  });

  it("when a client of the server ends, and at nothing where it only reads", () => {
    for (const [mode, shrinks] of [
      ["recall-only", false],
      ["auto", true],
    ] as const) {
      const before = grow();
      const { cwd, environment } = place();
      const memory = openProjectMemory({ cwd, environment: { ...environment, MEMDIR_MODE: mode } });
      memory.workspace().open("project");
      memory.close();
      expect(fs.statSync(log()).size < before / 2).toBe(shrinks);
    }
  });

  it("in the stores that are open, and in no other", () => {
    const before = grow();
    const workspace = openWorkspace(locate(place()));
    workspace.tidy(Date.now() + 5_000);
    expect(fs.statSync(log()).size).toBe(before);
    workspace.open("project");
    workspace.tidy(Date.now() + 5_000);
    workspace.close();
    expect(fs.statSync(log()).size).toBeLessThan(before / 2);
  });
});

describe("stores that are tidied", () => {
  it("get what time is left, at most twenty seconds, and none when there is none", () => {
    const workspace = openWorkspace(locate(place()));
    const scoped = workspace.open("project");
    if (scoped === undefined) throw new Error("no project scope");
    const given: number[] = [];
    const failing = (error: Error | undefined): ScopedStore => ({
      ...scoped,
      store: {
        ...scoped.store,
        tidy: (ms) => {
          given.push(ms);
          if (error !== undefined) throw error;
        },
      },
    });
    tidyStores([failing(new MemoryError("disk-full", "full")), failing(undefined)], Date.now() + 60_000);
    expect(given).toEqual([20_000, 20_000]);
    tidyStores([failing(undefined)], Date.now() + 900);
    expect(given[2]).toBeGreaterThan(0);
    expect(given[2]).toBeLessThanOrEqual(900);
    tidyStores([failing(undefined)], Date.now() - 1);
    expect(given).toHaveLength(3);
    expect(() => tidyStores([failing(new TypeError("a fault"))], Date.now() + 900)).toThrow("a fault");
    workspace.close();
  });
});
