import { describe, expect, it } from "vitest";
import { lastingPart } from "../../../src/core/capture/lead-ins.ts";

describe("the lasting part of a sentence", () => {
  it.each([
    ["You can tag it v1.1 and we'll use your numbering going forward.", "We'll use your numbering going forward."],
    ["Commit this now, and from now on always sign your commits.", "From now on always sign your commits."],
    ["A bit of all that would be nice, but remember this is only an experiment.", "This is only an experiment."],
    ["Rename the file, and keep in mind that the api has to stay stable.", "The api has to stay stable."],
  ])("leaves the task at hand out: %s", (text, part) => {
    expect(lastingPart(text)).toBe(part);
  });

  it.each([
    "When you add a route, use the generator going forward.",
    "Never squash, and always sign the commits going forward.",
    "Use tabs from now on.",
    "Remember the api has to stay stable.",
  ])("is the whole where all of it lasts: %s", (text) => {
    expect(lastingPart(text)).toBe(text);
  });
});
