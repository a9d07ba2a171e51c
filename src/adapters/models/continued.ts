import type { ModelRequest, ParentRequest } from "../../core/models/model.ts";

/** An object without some of its members, the others in their order. */
export function without(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * A chat completion that continues another: its messages and tools as they were, ours behind them. Tools stay listed,
 * since they stand in what is cached, but may not be called; a schema would stand before the system text.
 */
export function continuedChat(
  { messages }: ModelRequest,
  { request }: ParentRequest,
): Readonly<Record<string, unknown>> {
  const kept = without(request, [
    "stream",
    "stream_options",
    "response_format",
    "n",
    "stop",
    "max_tokens",
    "max_completion_tokens",
  ]);
  const tools = listOf(request["tools"]).length > 0 ? { tool_choice: "none" } : {};
  return {
    ...kept,
    ...tools,
    messages: [...listOf(request["messages"]), ...messages.map(({ role, text }) => ({ role, content: text }))],
  };
}
