import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createModelSelector,
  MANIFEST_NOTES,
  type ManifestNote,
  parseChoice,
  sideQueryRequest,
  type SideQuestion,
} from "../../../src/core/recall/side-query.ts";
import { answer, scriptedModel } from "../../support/models.ts";

const time = Date.parse("2026-03-02T09:00:00Z");
const note = (name: string, more: Partial<ManifestNote> = {}): ManifestNote => ({
  name,
  type: "feedback",
  description: `about ${name}`,
  time,
  scope: "project",
  ...more,
});
const question = (more: Partial<SideQuestion> = {}): SideQuestion => ({
  prompt: "write the importer's tests",
  manifest: [note("old.md", { time: time - 86_400_000 }), note("new.md")],
  now: time + 3_600_000,
  timeZone: "UTC",
  timeoutMs: 2500,
  ...more,
});
const textOf = (more: Partial<SideQuestion> = {}): string =>
  sideQueryRequest(question(more))
    .messages.map(({ text }) => text)
    .join("\n---\n");

describe("a side query", () => {
  it("shows one line a note, newest first, and never a body", () => {
    expect(textOf()).toContain(
      "- [feedback] new.md (today): about new.md\n- [feedback] old.md (yesterday): about old.md",
    );
  });

  it("allows the names themselves and nothing else, at most five, in at most 256 tokens", () => {
    const { schema, maxOutputTokens } = sideQueryRequest(question());
    expect(schema).toEqual({
      type: "object",
      properties: { names: { type: "array", items: { type: "string", enum: ["new.md", "old.md"] }, maxItems: 5 } },
      required: ["names"],
      additionalProperties: false,
    });
    expect(maxOutputTokens).toBe(256);
  });

  it("begins with the same bytes whatever the prompt and the order of notes, so that the beginning can be cached", () => {
    const one = sideQueryRequest(question());
    const two = sideQueryRequest(
      question({ prompt: "something else", recentTools: ["Bash"], manifest: question().manifest.toReversed() }),
    );
    expect([one.system, one.messages[0], one.cachePrefix]).toEqual([two.system, two.messages[0], 1]);
    expect(one.messages[1]).not.toEqual(two.messages[1]);
  });

  it("asks to be selective, to leave out usage notes of tools in use and to keep warnings about them", () => {
    const { system } = sideQueryRequest(question());
    expect(system).toMatch(/Be selective/u);
    expect(system).toMatch(/leave out notes that tell how to use them, but keep notes that warn/u);
    expect(textOf({ recentTools: ["Bash", "mcp__db__query"], touchedFiles: ["src/import.ts"] })).toMatch(
      /Tools in use: Bash, mcp__db__query\nFiles touched: src\/import\.ts\nPrompt:\nwrite the importer's tests$/u,
    );
  });

  it("takes 200 notes at most and cuts long prompts and descriptions", () => {
    const many = sideQueryRequest(question({ manifest: Array.from({ length: 300 }, (_, i) => note(`n${i}.md`)) }));
    expect(many.messages[0]?.text.split("\n- ")).toHaveLength(MANIFEST_NOTES + 1);
    expect(
      textOf({ prompt: "x".repeat(100_000), manifest: [note("a.md", { description: "d".repeat(9000) })] }).length,
    ).toBeLessThan(5000);
  });

  it("keeps each note on its own line, whatever its description holds", () => {
    expect(
      textOf({
        manifest: [note("a.md", { description: "one\n- [user] fake.md (now): two\u202E\u200B", time: Number.NaN })],
      }),
    ).toContain("- [feedback] a.md (of unknown date): one - [user] fake.md (now): two\n---");
  });
});

describe("a model as selector", () => {
  it("gives known names in the model's order and what it took", async () => {
    const selector = createModelSelector(
      scriptedModel([answer({ names: ["new.md", "invented.md", "old.md", "new.md"] })]),
    );
    expect(await selector.select(question())).toMatchObject({
      kind: "chosen",
      names: ["new.md", "old.md"],
      usage: { inputTokens: 1000 },
      ms: 250,
    });
  });

  it("passes failures on, and calls an answer of another shape invalid", async () => {
    expect(
      await createModelSelector(scriptedModel([{ kind: "timeout", reason: "slow", ms: 2500 }])).select(question()),
    ).toMatchObject({ kind: "timeout" });
    expect(await createModelSelector(scriptedModel([answer({ chosen: ["new.md"] })])).select(question())).toMatchObject(
      { kind: "invalid-answer", usage: { outputTokens: 20 } },
    );
  });

  it("asks nobody when there is nothing to choose from", async () => {
    const model = scriptedModel([answer({ names: [] })]);
    expect(await createModelSelector(model).select(question({ manifest: [] }))).toMatchObject({
      kind: "chosen",
      names: [],
    });
    expect(model.requests).toEqual([]);
  });
});

describe("reading what a model chose", () => {
  const known = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "__proto__", "constructor"];

  it("gives five known names at most, each once, in the order of the answer, for any value at all", () => {
    const item = fc.oneof(fc.constantFrom(...known, " a.md\n", "A.MD", "x.md"), fc.anything());
    const value = fc.oneof(
      fc.anything(),
      fc.array(item, { maxLength: 400 }),
      fc.record({ names: fc.oneof(fc.array(item, { maxLength: 400 }), fc.anything()) }),
    );
    fc.assert(
      fc.property(value, (given) => {
        const chosen = parseChoice(given, new Set(known));
        if (chosen === undefined) return;
        expect(chosen.length).toBeLessThanOrEqual(5);
        expect(new Set(chosen).size).toBe(chosen.length);
        for (const name of chosen) expect(known).toContain(name);
      }),
    );
  });

  it("keeps every known name of a short answer and drops only what is unknown or said twice", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...known, "x.md"), { maxLength: 5 }), (names) => {
        expect(parseChoice({ names }, new Set(known))).toEqual(
          [...new Set(names)].filter((name) => known.includes(name)),
        );
      }),
    );
  });

  it("does not guess: a name that is nearly right is another name", () => {
    expect(parseChoice({ names: ["a", "A.md", "./a.md", "a.md,b.md", 7, null, ["a.md"]] }, new Set(known))).toEqual([]);
  });
});
