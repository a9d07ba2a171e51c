import type { ModelMessage, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { parseJson } from "../../core/shared/json.ts";

/** What a model wrote, as a result. Servers without constrained output like to put a fence around JSON. */
export function structuredAnswer(text: string, usage: TokenUsage, ms: number): ModelResult {
  const value = parseJson(text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/u, "$1"));
  if (typeof value !== "object" || value === null)
    return {
      kind: "invalid-answer",
      reason: `the model did not answer with JSON: ${JSON.stringify(text.slice(0, 80))}`,
      ms,
      usage,
    };
  return { kind: "answer", value, usage, ms };
}

/** Neighbouring messages of one voice, joined: not every provider takes two in a row. */
export function turnsOf(
  messages: readonly ModelMessage[],
): { readonly role: ModelMessage["role"]; readonly texts: readonly string[] }[] {
  const turns: { role: ModelMessage["role"]; texts: string[] }[] = [];
  for (const { role, text } of messages) {
    const last = turns.at(-1);
    if (last?.role === role) last.texts.push(text);
    else turns.push({ role, texts: [text] });
  }
  return turns;
}
