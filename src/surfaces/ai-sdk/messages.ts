import type { Turn } from "../../core/transcripts/turn.ts";

/** A message of the SDK, as far as memory looks at it. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What a person or a model said in a message, without files, calls and results. */
export function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content
        .map((part) => (field(part, "type") === "text" ? String(field(part, "text")) : ""))
        .filter((text) => text !== "")
        .join("\n")
    : "";
}

/** The conversation as turns; what memory itself put there is nobody's words. */
export function turnsOf(prompt: readonly Message[]): readonly Turn[] {
  return prompt.flatMap((message, index): Turn[] => {
    const { role } = message;
    const text = textOf(message);
    if ((role !== "user" && role !== "assistant") || text.trim() === "" || /^(?:<|&lt;)memdir-context/u.test(text))
      return [];
    return [{ role, id: `m${index}`, text, time: undefined, toolCalls: [] }];
  });
}

/** The text of an answer, whole or in pieces; empty while the model still calls tools: the turn is not over. */
export function answerText(parts: readonly { readonly type: string }[]): string {
  if (parts.some(({ type }) => type === "tool-call")) return "";
  return parts
    .map((part) =>
      part.type === "text"
        ? String(field(part, "text"))
        : part.type === "text-delta"
          ? String(field(part, "delta"))
          : "",
    )
    .join("");
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
