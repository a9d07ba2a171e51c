import { describe, expect, it } from "vitest";
import { askedWords, openVocabulary } from "../../../src/core/recall/prompt.ts";

const vocabulary = openVocabulary("bread loaf\n");
const asked = (prompt: string): readonly string[] => askedWords(prompt, vocabulary).map(({ term }) => term);

describe("the words a prompt asks for", () => {
  it("are each one thing, with its stem and what stands for it", () => {
    expect(askedWords("loaves of breads", vocabulary)).toEqual([
      { term: "loaves", forms: ["loaves", "loav"], related: [] },
      { term: "breads", forms: ["breads", "bread"], related: ["loaf"] },
    ]);
  });

  it.each([
    [
      "French",
      "tu peux vérifier pourquoi le moulin est lent avec les ailes ?",
      ["verifier", "moulin", "lent", "ailes"],
    ],
    ["German", "warum ist die Mühle nicht schnell", ["die", "muhle", "schnell"]],
    ["Spanish", "por qué se para el molino", ["para", "molino"]],
    ["Chinese", "我们的风车怎么部署", ["风车", "车怎", "么部", "部署"]],
  ])("are not the function words of %s", (_language, prompt, words) => {
    expect(asked(prompt)).toEqual(words);
  });

  it("are the function words where there is nothing else", () => {
    expect(asked("pourquoi pas")).toEqual(["pourquoi", "pas"]);
  });

  it.each([
    ["a pattern", String.raw`what does ^\d+$ match`, ["match"]],
    ["a pattern alone", String.raw`^\d+$`, []],
    ["small numbers in words", "What is two plus two?", ["plus"]],
    ["digits that are more than one", "why port 8080", ["port", "8080"]],
    ["a name with a number in it", "two-factor login", ["twofactor", "factor", "login"]],
  ])("are neither single letters nor small numbers in words: %s", (_what, prompt, words) => {
    expect(asked(prompt)).toEqual(words);
  });
});
