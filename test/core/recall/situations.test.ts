import { describe, expect, it } from "vitest";
import { analyse } from "../../../src/core/notes/terms.ts";
import { SITUATION_LINES } from "../../../src/core/recall/situation-lines.ts";
import { situationsOf } from "../../../src/core/recall/situations.ts";

const small = "\n# Baking\nbake oven -> temperature | mitten burns\nopen+oven oven+door -> steam burns\nbaker -> guild\nno arrow here\n";
const suggested = (prompt: string, lines = small): readonly string[] => situationsOf(analyse(prompt), lines).map(({ term }) => term);

describe("the situations of a prompt", () => {
  it("call for the words of notes that matter then, the surer first", () => {
    expect(situationsOf(["oven"], small)).toEqual([
      { term: "temperatur", share: 1, because: ["oven"] },
      { term: "mitten", share: 0.5, because: ["oven"] },
      { term: "burn", share: 0.5, because: ["oven"] },
    ]);
  });

  it("lead one way: the words of notes call for nothing", () => {
    expect(suggested("temperature of steam, no burns, no arrow")).toEqual([]);
  });

  it("are known from any form of a word, not from words that begin alike", () => {
    expect(suggested("Opened ovens")).toContain("temperatur");
    expect(suggested("bakery")).toEqual([]);
    expect(suggested("baker")).toEqual(["guild"]);
  });

  it("of two words need both, in any order", () => {
    expect(suggested("the door is green")).toEqual([]);
    expect(suggested("the door of the oven")).toContain("steam");
  });

  it("that call for one word together name every reason, and the greater share counts", () => {
    const burns = situationsOf(analyse("open the oven door"), small).find(({ term }) => term === "burn");
    expect(burns).toEqual({ term: "burn", share: 1, because: ["open", "oven", "door"] });
  });

  it("never call for what the prompt says itself", () => {
    expect(suggested("oven temperature")).not.toContain("temperatur");
  });

  it("are none of no words, of no lines and of odd ones", () => {
    expect([situationsOf([], small), situationsOf([""], small), situationsOf(["oven"], ""), situationsOf(["oven"], "oven ->\n-> oven\noven | oven\n+ -> +\n# oven -> steam")]).toEqual([[], [], [], []]);
  });
});

describe("the situations that memdir brings", () => {
  const written = SITUATION_LINES.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

  it.each(written)("are signs, an arrow and words, each a term of its own: %s", (line) => {
    const [signs = "", notes = "", ...rest] = line.split(" -> ");
    expect(rest).toEqual([]);
    const words = [...signs.split(/[ +]/u), ...notes.split(/ \| | /u)];
    expect(words.filter((word) => analyse(word).length === 0 || !/^[a-z0-9]+$/u.test(word))).toEqual([]);
    for (const sign of signs.split(" ")) expect(situationsOf(sign.split("+").flatMap((word) => analyse(word)))).not.toEqual([]);
  });

  it.each([
    ["write the importer's tests", "mock"],
    ["ship it", "freez"],
    ["commit this please", "trailer"],
    ["open a pull request", "descript"],
    ["page me the dashboard of the outage", "runbook"],
    ["train it on the GPU", "seed"],
  ])("lead from %j to notes of %s", (prompt, term) => {
    expect(situationsOf(analyse(prompt)).filter(({ share }) => share === 1).map((found) => found.term)).toContain(term);
  });
});
