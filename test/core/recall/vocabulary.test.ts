import { describe, expect, it } from "vitest";
import { openVocabulary } from "../../../src/core/recall/prompt.ts";

const OWN = "# Baking\nbread loaf rolls\nrolls, sheets\nbread, kenyér # Hungarian\n";

describe("a vocabulary", () => {
  it("relates each word of a line to the others, whatever form is asked", () => {
    const { related } = openVocabulary(OWN);
    expect([related("loaf"), related("kenyer")]).toEqual([["bread", "roll"], ["bread"]]);
    expect(related("bread").toSorted()).toEqual(["kenyer", "loaf", "roll"]);
    expect(related("roll").toSorted()).toEqual(["bread", "loaf", "sheet"]);
  });

  it("knows nothing of comments, of words alone on a line and of other words", () => {
    const { related } = openVocabulary(`${OWN}alone\n`);
    expect(["breadt", "baking", "hungarian", "alone", "zeppelin", ""].flatMap(related)).toEqual([]);
  });

  it("is empty without the user's words", () => {
    expect(openVocabulary().related("deploy")).toEqual([]);
  });

  it("passes over what cannot be a term and lines that once took words out", () => {
    const { related } = openVocabulary(`-\n--\n,,,\n#\n- bread loaf\n\u0000 \uFFFD\none\n${OWN}`);
    expect(related("loaf")).toEqual(["bread", "roll"]);
  });
});
