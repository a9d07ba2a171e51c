import { describe, expect, it } from "vitest";
import { analyse } from "../../../src/core/notes/terms.ts";
import { DEVELOPER_VOCABULARY } from "../../../src/core/recall/developer-vocabulary.ts";
import { openVocabulary } from "../../../src/core/recall/vocabulary.ts";

const small = "\n# Baking\nbread loaf rolls\nrolls sheets\nbreadth width\n";

describe("a vocabulary", () => {
  it("relates each word of a line to the others, whatever form is asked", () => {
    const { related } = openVocabulary("", small);
    expect([related("bread"), related("loaf")]).toEqual([["loaf", "roll"], ["bread", "roll"]]);
    expect(related("roll").toSorted()).toEqual(["bread", "loaf", "sheet"]);
  });

  it("knows nothing of words that merely begin alike, of comments and of other words", () => {
    const { related } = openVocabulary("", small);
    expect([related("breadt"), related("baking"), related("zeppelin"), related("")]).toEqual([[], [], [], []]);
  });

  it("takes a user's own groups on top, and takes out what the user does not want", () => {
    const { related } = openVocabulary("# mine\nbread, kenyér # Hungarian\n- rolls\n", small);
    expect([related("bread").toSorted(), related("kenyer"), related("roll"), related("sheet")]).toEqual([["kenyer", "loaf"], ["bread"], [], []]);
  });

  it("survives any text", () => {
    const { related } = openVocabulary("-\n--\n,,,\n#\n- the\n\u0000 \uFFFD\none", small);
    expect(related("bread")).toEqual(["loaf", "roll"]);
  });

  it("that memdir brings holds plain terms, so that its lines are found without reading them all", () => {
    const { related } = openVocabulary();
    const words = DEVELOPER_VOCABULARY.split("\n").filter((line) => !line.startsWith("#")).join(" ").split(" ").filter(Boolean);
    const terms = words.flatMap((word) => analyse(word).at(-1) ?? []);
    expect(terms.length).toBeGreaterThan(300);
    expect(terms.filter((term) => related(term).length === 0)).toEqual([]);
    expect(related("ship")).toContain("deploy");
  });
});
