import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findWords,
  passageOf,
  rankByWords,
  snippet,
  wordQuery,
  wordWeights,
} from "../../../src/core/transcripts/word-query.ts";

function has(text: string, query: string): readonly string[] {
  const asked = wordQuery(query);
  return [...new Set(findWords(text, asked).map(({ word }) => asked.words[word]?.word ?? ""))];
}

describe("words of a query", () => {
  it("are found apart, in any order, form and letter case", () => {
    expect(has("We must replay the topic after Kafka restarts", "Kafka replay")).toEqual(["replay", "Kafka"]);
    expect(has("KafkaReplayer failed", "replaying kafka")).toEqual(["kafka", "replaying"]);
    expect(has("caches were stale", "the cache")).toEqual(["cache"]);
  });

  it("leave out words of mere grammar, and short ones inside others", () => {
    expect(wordQuery("what did we say about the Kafka replay?").words.map(({ word }) => word)).not.toContain("the");
    expect(has("the building", "ui")).toEqual([]);
    expect(has("the UI here", "ui")).toEqual(["ui"]);
  });

  it("may be a phrase in quotation marks, a path, or Chinese", () => {
    expect(has("retry the job", '"the retry"')).toEqual([]);
    expect(has("see the retry", '"the retry"')).toEqual(["the retry"]);
    expect(has("open src/config/load.ts now", "src/config/load.ts")).toEqual(["src/config/load.ts"]);
    expect(has("我们用卡夫卡重放消息", "重放消息队列")).toEqual(["重放消息队列"]);
  });

  it("need something to look for", () => {
    expect(() => wordQuery("the of and")).toThrow(/nothing to search for/u);
    expect(() => wordQuery('""')).toThrow(/nothing to search for/u);
  });

  it("keep their positions where a small letter is longer than its capital", () => {
    const text = "İstanbul İİİ kafka";
    expect(findWords(text, wordQuery("kafka")).map(({ at }) => text.slice(at, at + 5))).toEqual(["kafka"]);
  });
});

describe("messages", () => {
  const match = (speaker: "you" | "agent" | "tool", timeMs: number, text: string, query: string) => ({
    speaker,
    timeMs,
    hits: findWords(text, wordQuery(query)),
    text,
  });

  it("are ranked by how much their words say, then by how close they stand, then by time", () => {
    const query = "kafka replay";
    const messages = [
      match("agent", 9, "kafka is up", query),
      match("agent", 8, "kafka is down", query),
      match("agent", 7, `kafka ${"x ".repeat(400)} replay`, query),
      match("agent", 2, "kafka replay", query),
      match("tool", 3, "kafka replay", query),
      match("agent", 4, "kafka replay", query),
    ];
    const weights = wordWeights(messages, wordQuery(query));
    expect(rankByWords(messages, weights).map(({ timeMs }) => timeMs)).toEqual([4, 2, 7, 3, 9, 8]);
  });

  it("are shown by the passage with the most words, whole words at its ends", () => {
    const text = `${"kafka alone here. ".repeat(60)}then the kafka replay began again ${"and more text ".repeat(60)}`;
    const query = wordQuery("kafka replay");
    const passage = passageOf(findWords(text, query), [1, 3]);
    const shown = snippet(text, passage, 200);
    expect(shown).toContain("kafka replay began");
    expect(shown.length).toBeLessThan(560);
    expect(shown).toMatch(/^…\S.*\S…$/su);
  });

  it("give a snippet that is part of the text, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.nat(400), fc.nat(300), (text, from, length) => {
        const start = Math.min(from, text.length);
        const shown = snippet(text, { from: start, to: Math.min(text.length, start + length) }, 100);
        expect(text).toContain(shown.replace(/^…|…$/gu, "").trim());
      }),
    );
  });
});
