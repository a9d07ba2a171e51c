import type { Memory } from "../../app/memory.ts";
import type { Turn } from "../../core/transcripts/turn.ts";

/** The part of an SDK message that memory uses. */
interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** The user's or the model's words in a message, without files, calls and results. */
function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content
        .map((part) => (field(part, "type") === "text" ? String(field(part, "text")) : ""))
        .filter((text) => text !== "")
        .join("\n")
    : "";
}

/** The conversation as turns, without messages that memory added. */
function turnsOf(prompt: readonly Message[]): readonly Turn[] {
  return prompt.flatMap((message, index): Turn[] => {
    const { role } = message;
    const text = textOf(message);
    if ((role !== "user" && role !== "assistant") || text.trim() === "" || /^(?:<|&lt;)memdir-context/u.test(text))
      return [];
    return [{ role, id: `m${index}`, text, time: undefined, toolCalls: [] }];
  });
}

/** The text of an answer, whole or in pieces; empty while the model still calls tools, since the turn is not over. */
function answerText(parts: readonly { readonly type: string }[]): string {
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

/**
 * Memory for models of the Vercel AI SDK (`ai` 6 and 7): notes that help with a prompt are put before it, and the
 * user's words are captured when the model has answered.
 *
 * ```ts
 * import { wrapLanguageModel } from "ai";
 * import { openMemory } from "memdir";
 * import { memoryMiddleware } from "memdir/ai-sdk";
 *
 * const memory = openMemory();
 * const model = wrapLanguageModel({ model: yourModel, middleware: memoryMiddleware({ memory, session: "support-chat-17" }) });
 * ```
 */
export interface MemoryMiddlewareOptions {
  /** The caller closes it. */
  readonly memory: Pick<Memory, "recall" | "capture">;
  /** The conversation's id, for the evidence of captured notes. Default: a new one for each middleware. */
  readonly session?: string;
  /** `user` (default): a separate message before the user's last one. `system`: after the leading system messages. */
  readonly place?: "user" | "system";
  /** `false`: nothing is captured. Default `true`: the mode decides, as for the clients' hooks. */
  readonly capture?: boolean;
  /** Called with each failure; the model is called anyway. Default: a process warning. */
  readonly onError?: (error: Error) => void;
}

interface Prompted {
  readonly prompt: readonly Message[];
}

/** A message in the SDK's own form. */
type Added = { role: "system"; content: string } | { role: "user"; content: { type: "text"; text: string }[] };

export interface MemoryMiddleware {
  readonly specificationVersion: "v3";
  transformParams<Params extends Prompted>(asked: {
    readonly params: Params;
  }): Promise<Params & { prompt: (Params["prompt"][number] | Added)[] }>;
  wrapGenerate<Result extends { readonly content: readonly { readonly type: string }[] }>(asked: {
    doGenerate(): PromiseLike<Result>;
    readonly params: Prompted;
  }): Promise<Result>;
  wrapStream<Part extends { readonly type: string }, Result extends { readonly stream: ReadableStream<Part> }>(asked: {
    doStream(): PromiseLike<Result & { readonly stream: ReadableStream<Part> }>;
    readonly params: Prompted;
  }): Promise<Result & { stream: ReadableStream<Part> }>;
}

/** For `wrapLanguageModel`. A failing memory never stops the model. */
export function memoryMiddleware(options: MemoryMiddlewareOptions): MemoryMiddleware {
  const { memory, place = "user", capture = true } = options;
  const session = options.session ?? `ai-sdk-${crypto.randomUUID()}`;
  const fail = (error: unknown): void =>
    (options.onError ?? warn)(error instanceof Error ? error : new Error(String(error)));
  let last: { readonly prompt: string; readonly text: string } | undefined;

  const recalled = (prompt: string): string => {
    // The steps of one turn repeat the same prompt and get the same bytes, which providers cache.
    if (last?.prompt === prompt) return last.text;
    try {
      last = { prompt, text: memory.recall(prompt).text };
    } catch (error) {
      fail(error);
      last = { prompt, text: "" };
    }
    return last.text;
  };

  const keep = async (prompt: readonly Message[], answer: string): Promise<void> => {
    if (!capture || answer.trim() === "") return;
    const said: Turn = { role: "assistant", id: `m${prompt.length}`, text: answer, time: undefined, toolCalls: [] };
    try {
      await memory.capture(
        {
          agent: "ai-sdk",
          session,
          cwd: undefined,
          turns: [...turnsOf(prompt), said],
          toolTexts: [],
          problems: [],
        },
        { automatic: true },
      );
    } catch (error) {
      fail(error);
    }
  };

  return {
    specificationVersion: "v3",
    async transformParams({ params }) {
      const { prompt } = params;
      const asked = prompt.findLast(({ role }) => role === "user");
      const text = asked === undefined ? "" : recalled(textOf(asked));
      return { ...params, prompt: text === "" ? [...prompt] : withRecall(prompt, text, place) };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      await keep(params.prompt, answerText(result.content));
      return result;
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const listening = listener<{ readonly type: string }>((parts) => keep(params.prompt, answerText(parts)));
      return { ...result, stream: result.stream.pipeThrough(listening) };
    },
  };
}

/** Passes every part on, and gives all of them to `heard` at the end. */
function listener<Part>(heard: (parts: readonly Part[]) => Promise<void>) {
  const parts: Part[] = [];
  return new TransformStream<Part, Part>({
    transform(part, control) {
      parts.push(part);
      control.enqueue(part);
    },
    flush: () => heard(parts),
  });
}

/** Inserts the recalled text before the last user message, or after the system messages. */
function withRecall<Prompt extends readonly Message[]>(prompt: Prompt, text: string, place: "user" | "system") {
  const before =
    place === "user"
      ? prompt.findLastIndex(({ role }) => role === "user")
      : prompt.findIndex(({ role }) => role !== "system");
  const added: Added =
    place === "user" ? { role: "user", content: [{ type: "text", text }] } : { role: "system", content: text };
  return [...prompt.slice(0, before), added, ...prompt.slice(before)];
}

function warn(error: Error): void {
  process.emitWarning(`memory was left out: ${error.message}`, "MemdirWarning");
}
