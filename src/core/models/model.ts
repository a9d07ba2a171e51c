import { MemoryError } from "../shared/errors.ts";

export interface EmbedRequest extends Pick<ModelRequest, "signal" | "timeoutMs"> {
  /** What it is for, as the ledger of spending shows it. */
  readonly purpose: string;
  /** At least one, none of them empty. */
  readonly texts: readonly string[];
}

export type EmbedResult =
  /** A vector for each text, in the order asked, all of one length. */
  | {
      readonly kind: "vectors";
      readonly vectors: readonly Float32Array[];
      readonly usage: TokenUsage;
      /** From request to answer. */ readonly ms: number;
    }
  | ModelFailure;

/** A model that gives texts places in a space where near ones mean the same. */
export interface Embedder extends Pick<Model, "id" | "place"> {
  /** Never rejects for what a provider, a network or a caller does; only a bug throws. */
  embed(request: EmbedRequest): Promise<EmbedResult>;
}

/** Providers by the name they have in `provider/model`. */
export const PROVIDERS = [
  "anthropic",
  "openai",
  "google",
  "ollama",
  "lmstudio",
  "vllm",
  "compatible",
  "claude-cli",
  "codex-cli",
  "gemini-cli",
] as const;

export type Provider = (typeof PROVIDERS)[number];

/** Providers that run the person's own agent without a screen. */
export const AGENT_CLIS = ["claude-cli", "codex-cli", "gemini-cli"] as const satisfies readonly Provider[];

type AgentCli = (typeof AGENT_CLIS)[number];

export interface ModelName {
  readonly provider: Provider;
  /** As the provider calls it; may itself contain slashes. Empty leaves it to the provider's default. */
  readonly model: string;
}

/** Reads `provider/model`, or a provider alone. @throws MemoryError `invalid-input` for an unknown provider or odd characters. */
export function parseModelName(text: string): ModelName {
  const [, provider = "", model = ""] = /^([^/]*)\/?(.*)$/su.exec(text.trim()) ?? [];
  const known = PROVIDERS.find((one) => one === provider.toLowerCase());
  if (known === undefined)
    throw new MemoryError(
      "invalid-input",
      `"${text}" names no provider; write PROVIDER/MODEL with one of ${PROVIDERS.join(", ")}`,
    );
  if (!/^[\w.:/@+-]*$/u.test(model) || model.startsWith("-"))
    throw new MemoryError(
      "invalid-input",
      `"${model}" cannot be the name of a model; letters, digits and . : / @ + - _ are allowed`,
    );
  return { provider: known, model };
}

export function isAgentCli(provider: Provider): provider is AgentCli {
  return AGENT_CLIS.some((one) => one === provider);
}

export function shownModel({ provider, model }: ModelName): string {
  return model === "" ? provider : `${provider}/${model}`;
}

/** JSON Schema, as far as every provider agrees on it. */
export type JsonSchema =
  | {
      readonly type: "object";
      readonly properties: Readonly<Record<string, JsonSchema>>;
      readonly required: readonly string[];
      readonly additionalProperties: false;
    }
  | { readonly type: "array"; readonly items: JsonSchema; readonly maxItems?: number }
  | { readonly type: "string"; readonly enum?: readonly string[] }
  | { readonly type: "boolean" | "integer" | "number" };

/** One voice of a request. A loop with tools would add roles for calls and results here, and a kind of result beside `answer`. */
export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/**
 * An agent's own last request to its provider, which a question can be appended to: what stands there already is in
 * the provider's cache and costs a tenth.
 */
export interface ParentRequest {
  /** Whose interface it speaks: Anthropic's messages, or chat completions as of OpenAI and servers like it. */
  readonly provider: "anthropic" | "openai";
  /** The body as it was sent: `model`, `tools`, `system`, `messages` and the rest. Sent again unchanged. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** One request for one structured answer. */
export interface ModelRequest {
  /** What it is for, as the ledger of spending shows it: `recall`. */
  readonly purpose: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** The shape of the answer, with a name of letters and `_`. Not every provider enforces it: whoever asks checks the value. */
  readonly schema: JsonSchema;
  readonly schemaName: string;
  readonly maxOutputTokens: number;
  /**
   * The system text and this many messages stay the same from request to request: where a provider caches
   * only what is marked, the mark is set there. `undefined` marks nothing.
   */
  readonly cachePrefix?: number;
  /**
   * Continues this request: `messages` come after its own, `system` and `schema` are left out (both would change what
   * is cached), so the messages themselves must say what is wanted. Only where the model `continues` such requests.
   */
  readonly parent?: ParentRequest;
  readonly signal?: AbortSignal;
  /** For all of it, repeated attempts included. */
  readonly timeoutMs: number;
}

/** What a request took, as the provider counts it. */
export interface TokenUsage {
  /** Cached ones included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input read from the provider's cache. */
  readonly cachedTokens: number;
  /** Where the provider itself says what it cost (US dollars). */
  readonly dollars?: number;
}

/** Why there is no answer; each is expected and is for the caller to handle. */
export type ModelFailureKind =
  /** The model, or the provider's filter, would not answer. */
  | "refused"
  | "timeout"
  | "cancelled"
  | "rate-limited"
  /** No key, or not a valid one. */
  | "unauthorised"
  /** Not JSON, cut off, or without end. */
  | "invalid-answer"
  /** The day's budget is spent; nothing was sent. */
  | "over-budget"
  /** Not reachable, not installed, broken, or it rejects the request itself. */
  | "unavailable";

export interface ModelAnswer {
  readonly kind: "answer";
  /** Parsed JSON; whether it has the asked shape is for the caller to check. */
  readonly value: unknown;
  readonly usage: TokenUsage;
  /** From request to answer. */
  readonly ms: number;
}

export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** For people; never contains a key. */
  readonly reason: string;
  readonly ms: number;
  /** A failed request may have been charged for. */
  readonly usage?: TokenUsage;
  /** Set when asking again may help: the least time to wait, 0 when the provider names none. */
  readonly retryAfterMs?: number;
}

export type ModelResult = ModelAnswer | ModelFailure;

/** A language model behind one call. */
export interface Model {
  /** `provider/model`, as in settings and the ledger. */
  readonly id: string;
  /** Whether what is sent leaves this machine. */
  readonly place: "machine" | "network";
  /** Whose requests it can continue; none where it is not set. */
  readonly continues?: ParentRequest["provider"];
  /** Never rejects for what a provider, a network or a caller does; only a bug throws. */
  ask(request: ModelRequest): Promise<ModelResult>;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** What a wrapper says of itself: the same as the model inside. */
export function likeness({ id, place, continues }: Model): Omit<Model, "ask"> {
  return { id, place, ...(continues === undefined ? {} : { continues }) };
}
