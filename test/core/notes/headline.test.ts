import { describe, expect, it } from "vitest";
import { headline } from "../../../src/core/notes/title.ts";

describe("headline", () => {
  it.each([
    ["Short ones stay whole, commas and all.", "Short ones stay whole, commas and all."],
    [
      "Sign every tag. The release job refuses unsigned ones and nobody notices.",
      "Sign every tag. The release job refuses unsigned ones and nobody notices.",
    ],
    [
      "The release job refuses unsigned tags on every branch. Nobody notices until the customers of the mirror complain.",
      "The release job refuses unsigned tags on every branch.",
    ],
    [
      "Run the release job from a clean checkout because a stale cache has shipped the wrong assets twice already.",
      "Run the release job from a clean checkout.",
    ],
    [
      "The staging cluster is rebuilt every night, so do not keep anything there that somebody will want to see again.",
      "The staging cluster is rebuilt every night.",
    ],
    [
      "The staging cluster is rebuilt every night - and then the fixtures are loaded from the archive of last month.",
      "The staging cluster is rebuilt every night.",
    ],
    // a condition in front belongs to the clause after it
    [
      "When the staging cluster is rebuilt, load the fixtures by hand, because the nightly job only knows the old archive.",
      "When the staging cluster is rebuilt, load the fixtures by hand.",
    ],
    // what would turn the sense around, lists and quotations are no place to stop
    [
      "The fixtures of the billing service belong to the archive of the finance team, not to the repository of the shop.",
      "The fixtures of the billing service belong to the archive of the finance team, not to the…",
    ],
    [
      "Always deploy the billing service with eslint, prettier, vitest and knip having passed on the very same commit.",
      "Always deploy the billing service with eslint, prettier, vitest and knip having passed on the very…",
    ],
    [
      'Never answer with "I would do that, because it is the simplest thing that could possibly work here" or the like.',
      'Never answer with "I would do that, because it is the simplest thing that could possibly work here"…',
    ],
  ])("shortens %j to %j", (text, expected) => {
    expect(headline(text, 100)).toBe(expected);
    expect(headline(text, 100).length).toBeLessThanOrEqual(100);
  });

  it("ends a Chinese clause with its own full stop", () => {
    expect(
      headline(`${"发布之前请先确认所有的测试都已经通过并且没有警告".repeat(1)}，${"然后再打标签".repeat(3)}。`, 36),
    ).toBe("发布之前请先确认所有的测试都已经通过并且没有警告。");
  });
});
