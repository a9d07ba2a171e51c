import type { Memory } from "../../app/memory.ts";
import type { Turn } from "../../core/transcripts/turn.ts";

/**
 * Memory for models of the OpenAI Agents SDK (`@openai/agents` 0.20): what helps with a prompt is put before it, and
 * what the person said is captured when the model has answered. The runner keeps what it was given, so that a session's
 * history holds nothing of what is added here; `callModelInputFilter` would store it.
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
  /** Yours to close. */
  readonly memory: Pick<Memory, "recall" | "capture">;
  /** The conversation, for the evidence of captured notes. Default: a new one for each wrapped model. */
  readonly session?: string;
  /** `false`: nothing is captured. Default `true`: the mode decides, as for the hooks of clients. */
  readonly capture?: boolean;
  /** Told what went wrong; the model is asked all the same. Default: a warning of the process. */
  readonly onError?: (error: Error) => void;
}

/** What of the SDK's `Model` this wraps. */
interface WrappedModel<Request, Response, Event> {
  getResponse(request: Request): Promise<Response>;
  getStreamedResponse(request: Request): AsyncIterable<Event>;
}

/** Of a request and its answer only this is looked at. */
interface Asked {
  input: string | object[];
}

/** The same model, with a memory. A memory that fails never stops it. */
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
    // The steps of one turn ask with the same words: they get the same bytes, which providers cache.
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

/** The request with what was recalled as a message of its own before the last one of the person's. */
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
