import { describe, expect, it } from "vitest";
import { nameNote } from "../../../src/core/capture/note-name.ts";

describe("nameNote", () => {
  it.each([
    // negations stay
    ["Don't stub the clock.", "dont-stub-the-clock"],
    ["Never squash a release branch.", "never-squash-a-release-branch"],
    ["We won't support Safari 15.", "we-wont-support-safari-15"],
    ["We're using yarn, not npm.", "were-using-yarn-not-npm"],
    // lead-ins go
    ["One more thing before I forget: the code freeze starts Monday.", "the-code-freeze-starts-monday"],
    ["Please always run the linter before every commit, thanks", "always-run-the-linter-before-every-commit-thanks"],
    ["When I say release, bump the version.", "when-i-say-release-bump-the-version"],
    // a long text gives way to its main clause
    ["We moved from Jest to Vitest last month, so vitest run from now on.", "we-moved-from-jest-to-vitest-last-month"],
    ["以后提交信息请用英文写，正文也一样。", "以后提交信息请用英文写-正文也一样"],
  ])("%j is %j", (text, name) => {
    expect(nameNote(text, "feedback")).toBe(name);
  });

  it("never ends where a negation would lose its object or the sentence its negation", () => {
    for (const text of [
      "The jobs of the archive cluster that the night shift started should never overlap with the exports.",
      "Always keep the generated clients of the payment gateway in the tree, not in the cache of the build.",
      "Push to the release branch of the desktop application only after sales has said yes, never before that.",
    ])
      expect(nameNote(text, "feedback")).not.toMatch(/-(?:not|never|no|should|only|in|of|the|and)$/u);
  });

  it("falls back to the type where no word is left", () => {
    expect(nameNote("…", "project")).toBe("project-note");
  });

  it("is short and made of letters and digits, whatever the words", () => {
    for (const text of [
      "a ".repeat(400),
      "x".repeat(500),
      "🙂 🙂",
      "'' -- ''",
      "Never " + "word-with-hyphens-".repeat(20),
      "Всегда запускай линтер перед каждым коммитом в основную ветку",
    ]) {
      const name = nameNote(text, "feedback");
      expect(name.length).toBeLessThanOrEqual(60);
      expect(name).toMatch(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u);
    }
  });
});
