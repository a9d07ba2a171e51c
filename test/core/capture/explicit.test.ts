import { describe, expect, it } from "vitest";
import { planCapture } from "../../../src/core/capture/plan-capture.ts";
import { deps, sessionOf } from "./session.ts";

const written = async (sentence: string): Promise<number> =>
  (await planCapture(sessionOf([sentence]), [], deps)).operations.length;

describe("what rules write unseen", () => {
  it.each([
    "Never commit the generated files of the parser.",
    "From now on squash the commits of a branch before merging.",
    "Remember that our API allows ten requests a second.",
    "Ask me before you push to the shared branch.",
    "Und merk dir: Commit-Nachrichten auf Englisch.",
    "I'm the only developer of this project.",
  ])("is a wish that says it lasts, or who somebody is: %s", async (sentence) => {
    expect(await written(sentence)).toBe(1);
  });

  it.each([
    "Ensure that temporary canvases are properly disposed of.",
    "The goal of this new feature is to deploy the code to a website.",
    "There is no need to stop after each subtask.",
    "Prefer `toolUseResult` over type: tool_result.",
    "Let's go with sessions.db.",
    "Never do that.",
  ])("is nothing that a judge should see first: %s", async (sentence) => {
    expect(await written(sentence)).toBe(0);
  });
});
