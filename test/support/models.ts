import type { Model, ModelRequest, ModelResult } from "../../src/core/models/model.ts";

export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** A model that answers from a script; at its end the last answer is repeated. */
export function scriptedModel(
  answers: readonly (ModelResult | ((request: ModelRequest) => ModelResult | Promise<ModelResult>))[],
  place: Model["place"] = "network",
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: "anthropic/claude-haiku-4-5",
    place,
    requests,
    async ask(request) {
      requests.push(request);
      const next = answers[Math.min(requests.length, answers.length) - 1];
      if (next === undefined) throw new Error("the script has no answer");
      return typeof next === "function" ? next(request) : next;
    },
  };
}

export function answer(value: unknown): ModelResult {
  return { kind: "answer", value, usage: { inputTokens: 1000, outputTokens: 20, cachedTokens: 400 }, ms: 250 };
}

/** A model that never answers and ends only when cancelled. */
export function silentModel(): ScriptedModel {
  return scriptedModel([
    ({ signal }) =>
      new Promise((resolve) =>
        signal?.addEventListener("abort", () => resolve({ kind: "cancelled", reason: "cancelled", ms: 1 })),
      ),
  ]);
}
