import { describe, expect, it } from "vitest";
import { inferType, isOfThisProject } from "../../../src/core/notes/types/infer-type.ts";

describe("the type of a text that nobody typed", () => {
  it.each([
    ["I prefer short answers", "user"],
    ["I like long explanations", "user"],
    ["I prefer summaries with bullet points", "user"],
    ["I prefer short commits", "feedback"],
    ["Keep answers short", "feedback"],
    ["Nobody merges after 4 pm", "feedback"],
    ["No one deploys on a Friday afternoon", "feedback"],
    ["Niemand pusht nach 16 Uhr", "feedback"],
    ["Personne ne déploie le vendredi", "feedback"],
    ["没人在周五部署", "project"],
    ["Nobody knows why the tests fail", "project"],
    ["Nobody uses the old API any more", "project"],
    ["Nobody deploys by hand any more", "project"],
  ])("of %j is %s", (text, type) => {
    expect(inferType(text).type).toBe(type);
  });

  it.each([
    ["I work on this only on Mondays", true],
    ["I am working on this with Ana", true],
    ["Ich arbeite daran nur montags", true],
    ["I work on this kind of problem every day", false],
    ["I work at a bank", false],
    ["I prefer short answers", false],
  ])("%j speaks of this project: %s", (text, isHere) => {
    expect(isOfThisProject(text, undefined)).toBe(isHere);
  });
});
