import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/ensure-build.mjs";
import { LIMIT_SECONDS, expectedSeconds, keptLongFiles, longFiles } from "../../scripts/long-files.mjs";

const HERE = { root: "/project", exists: () => true };

function report(...files: readonly (readonly [path: string, seconds: number])[]) {
  return {
    testResults: files.map(([path, seconds]) => ({
      name: `/project/${path}`,
      startTime: 5000,
      endTime: 5000 + seconds * 1000,
    })),
  };
}

describe("files of tests that the check leaves to npm test", () => {
  it("are those that took longer than the limit", () => {
    const reports = [report(["test/long.test.ts", LIMIT_SECONDS + 1], ["test/short.test.ts", LIMIT_SECONDS])];
    expect(longFiles({}, reports, HERE)).toEqual({ "test/long.test.ts": LIMIT_SECONDS + 1 });
  });

  it("return to the check when they became short, and stay when nobody measured them again", () => {
    const known = { "test/now-short.test.ts": 9, "test/not-measured.test.ts": 8 };
    const reports = [report(["test/now-short.test.ts", LIMIT_SECONDS / 2])];
    expect(longFiles(known, reports, HERE)).toEqual({ "test/not-measured.test.ts": 8 });
  });

  it("are not listed when their name says slow, or when they are gone", () => {
    const known = { "test/gone.test.ts": 9, "test/here.slow.test.ts": 9, "test/here.test.ts": 9 };
    const exists = (path: string): boolean => !path.includes("gone");
    expect(longFiles(known, [], { ...HERE, exists })).toEqual({ "test/here.test.ts": 9 });
  });

  it("are begun before the others, those named slow too", () => {
    const known = { "test/long.test.ts": 40, "test/known.slow.test.ts": 3 };
    const paths = ["test/short.test.ts", "test/known.slow.test.ts", "test/new.slow.test.ts", "test/long.test.ts"];
    expect(paths.toSorted((one, other) => expectedSeconds(other, known) - expectedSeconds(one, known))).toEqual([
      "test/long.test.ts",
      "test/new.slow.test.ts",
      "test/known.slow.test.ts",
      "test/short.test.ts",
    ]);
  });

  it("are all there, each above the limit", () => {
    const kept = Object.entries(keptLongFiles());
    expect(kept.filter(([path]) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(kept.filter(([, seconds]) => seconds <= LIMIT_SECONDS)).toEqual([]);
  });
});
