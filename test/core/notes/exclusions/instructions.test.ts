import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { excludedBy } from "../../../../src/core/notes/exclusions/exclusion.ts";

const FILE = `# Shop

## Workflow
- Package manager is pnpm. Do not use npm or yarn.
- A pull request may be merged only after two reviewers approved it.
- Feature flags: LaunchDarkly
- Run \`ruff check .\` (the linter) before each commit.
- Kein direkter Push auf main; alles läuft über Merge Requests.
`;

describe("what an instruction file says already", () => {
  it.each([
    "Don't forget: we use pnpm here, not npm or yarn.",
    "our feature flags are handled in LaunchDarkly",
    "Please always run the linter before committing.",
    "Auf main wird nie direkt gepusht.",
  ])("is not kept once more in other words: %s", (text) => {
    expect(excludedBy(text, FILE)?.reason).toBe("instructions");
  });

  it.each([
    "Use yarn instead of pnpm from now on.",
    "A pull request that touches the billing code needs an approval from Dana as well.",
    "Feature flags of the mobile app are handled in ConfigCat.",
    "Tests run with pytest -n 4 before each push.",
  ])("does not stand in the way of what it does not say: %s", (text) => {
    expect(excludedBy(text, FILE)).toBeUndefined();
  });

  it("is recognised in most cases of the labelled ones, and nothing else is refused for it", () => {
    const folder = new URL("../../../../bench/facts/unmet/", import.meta.url);
    const cases = ["aspen", "balsa", "robin", "swift"]
      .flatMap((name) =>
        fs
          .readFileSync(new URL(`exclusions-${name}.jsonl`, folder), "utf8")
          .trim()
          .split("\n"),
      )
      .map((line) => JSON.parse(line))
      .filter((one) => one.instructions !== undefined);
    const isTold = (one: { text: string; instructions: string }): boolean =>
      excludedBy(one.text, one.instructions)?.reason === "instructions";
    const refused = cases.filter(({ expect: label }) => label === "refused");
    expect(refused.filter(isTold).length / refused.length).toBeGreaterThan(0.5);
    expect(cases.filter((one) => one.expect === "saved" && isTold(one))).toEqual([]);
  });
});
