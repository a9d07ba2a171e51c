import type { Memory } from "../../app/memory.ts";
import type { Turn } from "../../core/transcripts/turn.ts";

/**
 * Memory for models of the OpenAI Agents SDK (`@openai/agents` 0.20): notes that help with a prompt are put before it,
 * and the user's words are captured when the model has answered. The runner keeps its own input, so a session's history
 * does not contain what is added here; `callModelInputFilter` would store it.
 *
 * ```ts
 * import { Agent, run } from "@openai/agents";
 * import { openMemory } from "memdir";
 * import { memoryModel } from "memdir/openai-agents";
 *
 * const memory = openMemory();
 * const agent = new Agent({ name: "helper", model: memoryModel(yourModel, { memory, session: "support-chat-17" }) });
 * ```
 */
export interface MemoryModelOptions {
  /** The caller closes it. */
  readonly memory: Pick<Memory, "recall" | "capture">;
  /** The conversation's id, for the evidence of captured notes. Default: a new one for each wrapped model. */
  readonly session?: string;
  /** `false`: nothing is captured. Default `true`: the mode decides, as for the clients' hooks. */
  readonly capture?: boolean;
  /** Called with each failure; the model is called anyway. Default: a process warning. */
  readonly onError?: (error: Error) => void;
}

/** The part of the SDK's `Model` that is wrapped. */
interface WrappedModel<Request, Response, Event> {
  getResponse(request: Request): Promise<Response>;
  getStreamedResponse(request: Request): AsyncIterable<Event>;
}

/** The part of a request that is used. */
interface Asked {
  input: string | object[];
}

/** The same model with memory. A failing memory never stops it. */
export function memoryModel<Request extends Asked, Response extends { output: readonly unknown[] }, Event>(
  model: WrappedModel<Request, Response, Event>,
  options: MemoryModelOptions,
): WrappedModel<Request, Response, Event> {
  const { memory, capture = true } = options;
  const session = options.session ?? `openai-agents-${crypto.randomUUID()}`;
  const fail = (error: unknown): void =>
    (options.onError ?? warn)(error instanceof Error ? error : new Error(String(error)));
  let last: { readonly prompt: string; readonly text: string } | undefined;
  const recalled = (prompt: string): string => {
    // The steps of one turn repeat the same prompt and get the same bytes, which providers cache.
    if (last?.prompt === prompt) return last.text;
    last = { prompt, text: "" };
    try {
      last = { prompt, text: memory.recall(prompt).text };
    } catch (error) {
      fail(error);
    }
    return last.text;
  };
  const keep = async (request: Request, output: readonly unknown[]): Promise<void> => {
    const isOver = !output.some((item) => field(item, "type") === "function_call");
    if (!capture || !isOver) return;
    const items = [...itemsOf(request.input), ...output];
    try {
      await memory.capture(
        {
          agent: "openai-agents",
          session,
          cwd: undefined,
          turns: items.flatMap(turnOf),
          toolTexts: items.flatMap(resultOf),
          problems: [],
        },
        { automatic: true },
      );
    } catch (error) {
      fail(error);
    }
  };
  return {
    async getResponse(request) {
      const answer = await model.getResponse(withRecall(request, recalled));
      await keep(request, answer.output);
      return answer;
    },
    async *getStreamedResponse(request) {
      for await (const event of model.getStreamedResponse(withRecall(request, recalled))) {
        const output = field(field(event, "response"), "output");
        if (field(event, "type") === "response_done" && Array.isArray(output)) await keep(request, output);
        yield event;
      }
    },
  };
}

/** The request with the recalled text as a separate message before the user's last one. */
function withRecall<Request extends Asked>(request: Request, recalled: (prompt: string) => string): Request {
  const items = itemsOf(request.input);
  const at = items.findLastIndex((item) => field(item, "role") === "user");
  const text = at < 0 ? "" : recalled(textOf(items[at]));
  if (text === "") return request;
  return { ...request, input: [...items.slice(0, at), { role: "user", content: text }, ...items.slice(at)] };
}

function itemsOf(input: Asked["input"]): readonly object[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

function turnOf(item: unknown, index: number): readonly Turn[] {
  const role = field(item, "role");
  const text = textOf(item);
  if ((role !== "user" && role !== "assistant") || text === "") return [];
  return [{ role, id: `m${index}`, text, time: undefined, toolCalls: [] }];
}

function resultOf(item: unknown): readonly string[] {
  if (field(item, "type") !== "function_call_result") return [];
  const output = field(item, "output");
  return [typeof output === "string" ? output : JSON.stringify(output)];
}

function textOf(item: unknown): string {
  const content = field(item, "content");
  if (typeof content === "string") return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .map((part) => field(part, "text"))
    .filter((text) => typeof text === "string")
    .join("\n");
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function warn(error: Error): void {
  process.emitWarning(`memory was left out: ${error.message}`, "MemdirWarning");
}
