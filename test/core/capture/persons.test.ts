import { describe, expect, it } from "vitest";
import { isFirstPerson } from "../../../src/core/capture/draft.ts";

describe("isFirstPerson", () => {
  it.each([
    "I'm on call.",
    "Ask me first.",
    "when i deploy, nobody is there",
    "you know that i want tabs",
    "i've said tabs",
    "We use tabs.",
    "Our API is frozen.",
    "Ich nutze fish.",
    "Je préfère pnpm.",
    "Soy diseñadora.",
    "Я один в команде",
    "Jestem początkujący",
    "我是后端工程师",
    "私はデザイナーです",
    "저는 개발자입니다",
  ])("hears it in %j", (text) => {
    expect(isFirstPerson(text)).toBe(true);
  });

  it.each([
    "Never push to main.",
    "I/O is slow.",
    "The US region is primary.",
    "Say `I am done`.",
    'Print "we are live" first.',
    "Use i18n keys.",
    "the loop uses `i` and `i'm` here",
    "name the variable i and not x",
    "the index i is off by one",
    "i.e. the old one is gone",
    "testy i dokumentacja",
    "używaj pnpm i vitest",
  ])("does not hear it in %j", (text) => {
    expect(isFirstPerson(text)).toBe(false);
  });
});
