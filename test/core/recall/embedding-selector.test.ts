import { describe, expect, it } from "vitest";
import type { Embedder, EmbedRequest, EmbedResult } from "../../../src/core/models/model.ts";
import { createEmbeddingSelector, type VectorCache } from "../../../src/core/recall/embedding-selector.ts";
import type { ManifestNote } from "../../../src/core/recall/side-query.ts";

const TOPICS = ["database", "colour", "release", "holiday"];
const usage = { inputTokens: 5, outputTokens: 0, cachedTokens: 0 };

/** Places a text by the topics it speaks of, and a little by its letters. */
function place(text: string): Float32Array {
  const letters = Array.from(
    { length: 6 },
    (_, index) =>
      0.3 + 0.05 * Math.sin([...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, index)),
  );
  return Float32Array.from([...TOPICS.map((topic) => (text.includes(topic) ? 2 : 0)), ...letters]);
}

function placing(fail?: (call: number) => EmbedResult | undefined): Embedder & { readonly requests: EmbedRequest[] } {
  const requests: EmbedRequest[] = [];
  return {
    id: "ollama/embed",
    place: "machine",
    requests,
    embed: async (request) => {
      requests.push(request);
      return fail?.(requests.length) ?? { kind: "vectors", vectors: request.texts.map(place), usage, ms: 1 };
    },
  };
}

function cache(): VectorCache & { readonly kept: Map<string, Float32Array> } {
  const kept = new Map<string, Float32Array>();
  return {
    kept,
    get: (text) => kept.get(text),
    keep: (more) => {
      for (const [text, vector] of more) kept.set(text, vector);
    },
  };
}

const notes = (count: number): ManifestNote[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `feedback_${index}.md`,
    type: "feedback",
    time: 0,
    scope: index % 2 === 0 ? "project" : "user",
    description: index === 5 ? "the database is real in tests" : `about matter ${index}`,
  }));
const ask = (manifest: readonly ManifestNote[], prompt = "which database do the importers need") => ({
  prompt,
  manifest,
  now: 0,
  timeZone: "UTC",
  timeoutMs: 1000,
});

describe("choosing notes by nearness", () => {
  it("names the note whose description lies near the prompt, as one that is shown in a line", async () => {
    const selector = createEmbeddingSelector(placing(), () => cache());
    expect(await selector.select(ask(notes(30)))).toMatchObject({
      kind: "chosen",
      names: ["feedback_5.md"],
      usage: { inputTokens: 5 },
    });
    expect([selector.grade, selector.id, selector.place]).toEqual(["line", "ollama/embed", "machine"]);
  });

  it("names none where none is nearer than the others", async () => {
    expect(
      await createEmbeddingSelector(placing(), () => cache()).select(ask(notes(30), "plan the holiday")),
    ).toMatchObject({ kind: "chosen", names: [] });
  });

  it("asks for each description once: the second prompt costs one text, and no prompt is kept", async () => {
    const embedder = placing();
    const one = cache();
    const selector = createEmbeddingSelector(embedder, () => one);
    await selector.select(ask(notes(30)));
    await selector.select(ask(notes(30), "another prompt"));
    expect(embedder.requests.map(({ texts }) => texts.length)).toEqual([31, 1]);
    expect([...one.kept.keys()].some((text) => text.includes("prompt") || text.includes("importers"))).toBe(false);
    expect(one.kept.size).toBe(30);
  });

  it("keeps each vector with the store of its note", async () => {
    const stores = new Map([
      ["project", cache()],
      ["user", cache()],
    ]);
    await createEmbeddingSelector(placing(), (scope) => stores.get(scope) ?? cache()).select(ask(notes(30)));
    expect([...stores.values()].map(({ kept }) => kept.size)).toEqual([15, 15]);
    expect([...(stores.get("user")?.kept.keys() ?? [])].some((text) => text.includes("database"))).toBe(true);
  });

  it("keeps what came before a failure, so that the next prompt asks for the rest", async () => {
    const embedder = placing((call) => (call === 2 ? { kind: "timeout", reason: "too slow", ms: 900 } : undefined));
    const one = cache();
    const selector = createEmbeddingSelector(embedder, () => one);
    expect(await selector.select(ask(notes(100)))).toMatchObject({ kind: "timeout", reason: "too slow" });
    expect(one.kept.size).toBe(63);
    expect(await selector.select(ask(notes(100)))).toMatchObject({ kind: "chosen", names: ["feedback_5.md"] });
    expect(embedder.requests.map(({ texts }) => texts.length)).toEqual([64, 37, 38]);
  });
});
