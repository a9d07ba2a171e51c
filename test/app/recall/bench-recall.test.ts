import { describe, expect, it } from "vitest";
import { readLabelled, writeLabelled, measureRecall, plainRanker } from "../../../src/app/recall/bench-recall.ts";

describe("measuring recall", () => {
  it("gives the figures of a small case that can be checked by hand", () => {
    const figures = measureRecall([
      { wanted: ["a"], ranked: ["a", "b"], shown: ["a"], pointed: [] },
      { wanted: ["b", "c"], ranked: ["x", "b"], shown: ["x"], pointed: ["c"] },
      { wanted: [], ranked: ["y"], shown: [], pointed: ["y"] },
      { wanted: [], ranked: ["y"], shown: ["y"], pointed: [] },
    ]);
    expect(figures).toEqual({
      prompts: 4,
      negatives: 2,
      first: 0.5,
      five: 0.75,
      reciprocalRank: 0.75,
      precision: 1 / 3,
      recall: 1 / 3,
      f1: 1 / 3,
      reach: 2 / 3,
      silent: 0.5,
    });
  });

  it("gives no figure where there was nothing to measure, and zero where all went wrong", () => {
    expect(measureRecall([{ wanted: [], ranked: [], shown: [], pointed: [] }])).toMatchObject({
      first: undefined,
      f1: undefined,
      reach: undefined,
      silent: 1,
    });
    expect(measureRecall([{ wanted: ["a"], ranked: [], shown: [], pointed: [] }])).toMatchObject({
      first: 0,
      reciprocalRank: 0,
      f1: 0,
      silent: undefined,
    });
  });

  it("ranks by plain BM25: rare words over common ones, short texts over long", () => {
    const rank = plainRanker(
      new Map([
        ["long", "boiler reset and many other words about the house"],
        ["short", "boiler reset"],
        ["other", "piano house"],
      ]),
    );
    expect(rank("how do we reset the boiler?")).toEqual(["short", "long"]);
    expect(rank("the of and")).toEqual([]);
  });
});

describe("labelled prompts", () => {
  it("reads what it writes, empty lines and line endings of any kind included", () => {
    const prompts = [
      { prompt: 'line one\nline two \u0007 "quoted"', notes: ["a.md"] },
      { prompt: "Jané Döe", notes: [] },
    ];
    const read = readLabelled(`\uFEFF${writeLabelled(prompts).replaceAll("\n", "\r\n\r\n")}`);
    expect(read).toMatchObject({ ok: true, prompts });
  });

  it.each([
    ["not json", 1, "not JSON"],
    ['{"prompt": "a", "notes": []}\n[1]', 2, "an object is needed"],
    ['{"prompt": "a", "notes": []}\n\n{"prompt": " ", "notes": []}', 3, '"prompt" is missing or empty'],
    ['{"prompt": "a"}', 1, '"notes" is missing'],
    ['{"prompt": "a", "notes": ["x", 5]}', 1, "not the name of a note"],
    ["", 1, "there is no prompt in it"],
  ])("names the line of %j and what is wrong with it", (text, line, message) => {
    expect(readLabelled(text)).toEqual({ ok: false, line, message: expect.stringContaining(message) });
  });
});
