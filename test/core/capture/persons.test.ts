import { describe, expect, it } from "vitest";
import { capitaliseI, isFirstPerson } from "../../../src/core/capture/draft.ts";

describe("capitaliseI", () => {
  it.each([
    ["when i deploy, i'm alone", "when I deploy, I'm alone"],
    ["i've said that i want tabs", "I've said that I want tabs"],
    // code, loop variables, other languages
    ["the loop uses `i` and `i'm` here", "the loop uses `i` and `i'm` here"],
    ["name the variable i and not x", "name the variable i and not x"],
    ["the index i is off by one", "the index i is off by one"],
    ["i.e. the old one is gone", "i.e. the old one is gone"],
    ["testy i dokumentacja", "testy i dokumentacja"],
    ["używaj pnpm i vitest", "używaj pnpm i vitest"],
  ])("%j reads %j", (text, expected) => {
    expect(capitaliseI(text)).toBe(expected);
  });
});

describe("isFirstPerson", () => {
  it.each([
    "I'm on call.",
    "Ask me first.",
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
  ])("does not hear it in %j", (text) => {
    expect(isFirstPerson(text)).toBe(false);
  });
});
