import { describe, expect, it } from "vitest";
import { capitaliseI, inThirdPerson, isFirstPerson } from "../../../src/core/capture/draft.ts";

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

describe("inThirdPerson", () => {
  it.each([
    ["I'm new to React.", "The user is new to React."],
    ["I am the only tester, but I'm new to Rust.", "The user is the only tester, but is new to Rust."],
    ["I'm slow when the queue is full and I'm away.", "The user is slow when the queue is full and they are away."],
    ["I prefer small commits and I use fish.", "The user prefers small commits and they use fish."],
    ["I usually work at night.", "The user usually works at night."],
    ["I never push on Fridays.", "The user never pushes on Fridays."],
    ["I've been writing Go for ten years.", "The user has been writing Go for ten years."],
    ["I have two monitors.", "The user has two monitors."],
    ["I'd rather see the diff.", "The user would rather see the diff."],
    ["I don't know Kotlin.", "The user does not know Kotlin."],
    ["I can't read red on green.", "The user can't read red on green."],
    ["My shell is fish.", "The user's shell is fish."],
    ["English is not my first language.", "English is not the user's first language."],
    ["Since I'm alone here, keep it simple.", "Since the user is alone here, keep it simple."],
    [
      "I want my commits signed when I'm away, so ask me.",
      "The user wants their commits signed when they are away, so ask them.",
    ],
  ])("%j becomes %j", (text, expected) => {
    expect(inThirdPerson(text)).toBe(expected);
  });

  it.each([
    "Never push to main.",
    "We use tabs.",
    "I grok monads.",
    "I'm alone and we ship weekly.",
    "I'm on call, and I grok pagers.",
    'When I say "go", deploy.',
    "I use `my` in Perl.",
    "Ich bin Entwicklerin.",
    "Part I must ship first.",
    "Ana and I use fish.",
    "Nor do I want stubs.",
  ])("leaves %j alone", (text) => {
    expect(inThirdPerson(text)).toBeUndefined();
  });
});
