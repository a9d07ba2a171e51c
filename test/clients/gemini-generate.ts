import { type Protocol, sendEvents, sendJson, type ToolCall } from "./fake-model.ts";
import { field, list, text } from "./json.ts";

function partsOf(body: unknown): readonly unknown[] {
  return list(field(body, "contents")).flatMap((content) => list(field(content, "parts")));
}

function answerOf(call: ToolCall | undefined, tokens: number): object {
  const part = call === undefined ? { text: "OK" } : { functionCall: { name: call.tool, args: call.input } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 5, totalTokenCount: tokens + 5 },
    modelVersion: "none",
  };
}

/** Google's generateContent endpoints, streaming or not. */
export const geminiGenerate: Protocol = {
  matches: (method, path) => method === "POST" && /:(?:streamGenerateContent|generateContent)$/u.test(path),
  turnsTaken: (body) => partsOf(body).filter((part) => field(part, "functionResponse") !== undefined).length,
  answer: (body, scripted, response, { path, tokens }) => {
    const answer = answerOf(list(field(body, "tools")).length === 0 ? undefined : scripted, tokens);
    if (path.endsWith(":streamGenerateContent")) sendEvents(response, [[undefined, answer]]);
    else sendJson(response, answer);
  },
};

/** The system instruction, the user's texts and the outputs of tools, each in order. */
export function geminiTexts(body: unknown): {
  readonly system: readonly string[];
  readonly user: readonly string[];
  readonly tools: readonly string[];
} {
  const parts = partsOf(body);
  return {
    system: list(field(field(body, "systemInstruction"), "parts")).map((part) => text(field(part, "text"))),
    user: parts.map((part) => text(field(part, "text"))),
    tools: parts.map((part) => text(field(field(field(part, "functionResponse"), "response"), "output"))),
  };
}
