import { describe, expect, it } from "vitest";
import { type WeighedWord, weighWords, scoring } from "../../../src/core/recall/score.ts";
import { candidateOf } from "./candidates.ts";

const asked = (...terms: readonly string[]): readonly WeighedWord[] =>
  weighWords(
    terms.map((term) => ({ term, forms: [term], related: [] })),
    { documents: 30, documentFrequency: new Map(terms.map((term) => [term, 2])) },
  );
const averages = { name: 1, description: 0, body: 4 };

function scoresOf(
  texts: Readonly<Record<string, string>>,
  words: readonly WeighedWord[],
  prompt = "",
): Record<string, number> {
  const candidates = Object.entries(texts).map(([file, body]) => candidateOf(file, { body }));
  const scoreOf = scoring({ candidates, averages }, words, prompt);
  return Object.fromEntries(candidates.map((candidate) => [candidate.entry.file, scoreOf(candidate)]));
}

describe("the score of an entry of a log", () => {
  it("counts what stands next to it: an answer does not repeat the question", () => {
    const scores = scoresOf(
      { "day.md#1": "which harbour has the ferry", "day.md#2": "the northern one", "day.md#9": "the northern one" },
      asked("harbour", "ferry"),
    );
    expect(scores["day.md#2"]).toBeGreaterThan(0);
    expect(scores["day.md#2"]).toBeLessThan(scores["day.md#1"] ?? 0);
    expect(scores["day.md#9"]).toBe(0);
  });

  it("never crosses from one day's file to another, and leaves notes as they are", () => {
    const scores = scoresOf(
      { "one.md#1": "harbour", "two.md#2": "nothing of it", "one.md": "nothing of it", "harbour.md": "harbour" },
      asked("harbour"),
    );
    expect([scores["two.md#2"], scores["one.md"]]).toEqual([0, 0]);
    expect(scores["harbour.md"]).toBe(scoresOf({ "harbour.md": "harbour" }, asked("harbour"))["harbour.md"]);
  });

  it("is higher on a day that the prompt names, where it has anything of the prompt at all", () => {
    const logs = {
      "2026/05/2026-05-03.md#1": "harbour",
      "2026/06/2026-06-03.md#1": "harbour",
      "2026/05/2026-05-09.md#1": "nothing of it",
    };
    const scores = scoresOf(logs, asked("harbour"), "harbour in May 2026");
    expect(scores["2026/05/2026-05-03.md#1"]).toBeGreaterThan(scores["2026/06/2026-06-03.md#1"] ?? 1);
    expect(scores["2026/05/2026-05-09.md#1"]).toBe(0);
  });

  it("stays below 1", () => {
    const scores = scoresOf(
      { "day.md#1": "harbour ".repeat(500), "day.md#2": "harbour ".repeat(500), "day.md#3": "harbour ".repeat(500) },
      asked("harbour"),
    );
    for (const score of Object.values(scores)) expect(score).toBeLessThan(1);
  });
});
