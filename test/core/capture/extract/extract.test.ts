import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractMemories, type ExtractDeps } from "../../../../src/core/capture/extract/extract.ts";
import { type Look, parseStep } from "../../../../src/core/capture/extract/proposal.ts";
import type { Model, ModelRequest, ModelResult } from "../../../../src/core/models/model.ts";
import { deps, MARKED_SECRET, sessionOf } from "../session.ts";

const USAGE = { inputTokens: 100, outputTokens: 10, cachedTokens: 50 };
const answer = (value: unknown): ModelResult => ({ kind: "answer", value, usage: USAGE, ms: 1 });
const look = (argument: string): ModelResult => answer({ look: [{ tool: "note", argument }], operations: [] });
const nothing = answer({ look: [], operations: [] });
const found = answer({
  look: [],
  operations: [
    {
      action: "create",
      note: "",
      type: "feedback",
      name: "squash",
      description: "Squash merges",
      rule: "Use squash merges.",
      why: "",
      how: "",
      message: "u1",
      quote: "from now on squash every merge",
    },
  ],
});

/** Answers in order, the last one for ever. */
function scripted(...answers: readonly ModelResult[]): { readonly model: Model; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = {
    id: "scripted/one",
    place: "machine",
    ask: async (request) => {
      requests.push({ ...request, messages: [...request.messages] });
      return answers[Math.min(requests.length, answers.length) - 1] ?? nothing;
    },
  };
  return { model, requests };
}

function depsWith(model: Model, shown = "shown"): { readonly deps: ExtractDeps; readonly looks: Look[] } {
  const looks: Look[] = [];
  return {
    looks,
    deps: {
      ...deps,
      model,
      now: () => Date.parse("2026-03-10T10:00:00Z"),
      tools: { look: async (one) => (looks.push(one), shown) },
    },
  };
}

const transcript = sessionOf(["Please from now on squash every merge."]);
const input = {
  transcript,
  turns: transcript.turns,
  existing: [
    {
      file: "project:old.md",
      type: "project" as const,
      name: "old",
      description: "The old runner",
      body: "The old runner",
    },
  ],
  instructions: "Use tabs.",
};

describe("extracting with a model", () => {
  it("answers in one step with operations that passed the gates", async () => {
    const { model, requests } = scripted(found);
    const result = await extractMemories(input, depsWith(model).deps);
    expect(result).toMatchObject({ kind: "plan", steps: 1, usage: USAGE, plan: { operations: [{ kind: "create" }] } });
    expect(requests[0]?.messages[0]?.text).toContain("- project:old.md [project] The old runner");
    expect(requests[0]?.messages[0]?.text).toContain("Use tabs.");
    expect(requests[0]?.messages[0]?.text).toContain("[u1 2026-03-10]\nPlease from now on squash every merge.");
  });

  it("lets it look first, and keeps the earlier messages byte for byte", async () => {
    const { model, requests } = scripted(look("project:old.md"), found);
    const { deps: one, looks } = depsWith(model, `runner 7, key ${MARKED_SECRET}`);
    expect(await extractMemories(input, one)).toMatchObject({
      kind: "plan",
      steps: 2,
      usage: { inputTokens: 200, cachedTokens: 100 },
    });
    expect(looks).toEqual([{ tool: "note", argument: "project:old.md" }]);
    expect(requests[1]?.system).toBe(requests[0]?.system);
    expect(requests[1]?.messages[0]).toEqual(requests[0]?.messages[0]);
    expect(requests[1]?.messages[2]?.text).toContain("runner 7, key [secret]");
  });

  it("stops after five steps when the model never answers", async () => {
    const { model, requests } = scripted(look("project:old.md"));
    expect(await extractMemories(input, depsWith(model).deps)).toMatchObject({
      kind: "failed",
      reason: "no-end",
      steps: 5,
    });
    expect(requests).toHaveLength(5);
  });

  it.each([
    ["a number", 7],
    ["null", null],
    ["prose", "I would remember…"],
    ["another object", { notes: [] }],
  ])("calls %s no answer", async (_name, value) => {
    expect(await extractMemories(input, depsWith(scripted(answer(value)).model).deps)).toMatchObject({
      kind: "failed",
      reason: "invalid-answer",
    });
  });

  it("says why when the model fails", async () => {
    const { model } = scripted({ kind: "timeout", reason: "no answer in 60 s", ms: 60_000 });
    expect(await extractMemories(input, depsWith(model).deps)).toMatchObject({
      kind: "failed",
      reason: "timeout",
      message: "no answer in 60 s",
    });
  });

  it("takes nothing of ten thousand operations", async () => {
    const operations = Array.from({ length: 10_000 }, (_, index) => ({
      action: "create",
      note: "",
      type: "project",
      name: `n${index}`,
      description: `d${index}`,
      rule: `rule ${index}`,
      why: "",
      how: "",
      message: "u1",
      quote: "from now on squash every merge",
    }));
    expect(await extractMemories(input, depsWith(scripted(answer({ look: [], operations })).model).deps)).toMatchObject(
      { kind: "failed", reason: "invalid-answer", message: expect.stringContaining("10000") },
    );
  });

  it("sends no secret that was typed, and the newest words when not all fit", async () => {
    const { model, requests } = scripted(nothing);
    const prompts = [
      `my token: ${MARKED_SECRET}`,
      ...Array.from({ length: 60 }, (_, index) => `message ${index} ${"x".repeat(3_900)}`),
    ];
    const long = sessionOf(prompts);
    await extractMemories({ ...input, transcript: long, turns: long.turns }, depsWith(model).deps);
    const text = requests[0]?.messages[0]?.text ?? "";
    expect(text).not.toContain(MARKED_SECRET);
    expect(text).toContain("message 59");
    expect(text).toMatch(/\[\d+ earlier messages are left out for space\]/u);
    expect(text.length).toBeLessThan(90_000);
  });
});

describe("parsing a step", () => {
  it("never throws, and takes only what has the asked shape", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const step = parseStep(value);
        for (const proposal of step?.proposals ?? [])
          expect(["create", "revise", "supersede", "retire"]).toContain(proposal.action);
        expect((step?.looks ?? []).length).toBeLessThanOrEqual(8);
      }),
    );
    expect(
      parseStep({
        look: [{ tool: "rm", argument: "x" }],
        operations: [{ action: "drop" }, { action: "revise", note: "" }],
      }),
    ).toEqual({ looks: [], proposals: [] });
  });
});
