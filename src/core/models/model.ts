import { MemoryError } from "../shared/errors.ts";

export interface EmbedRequest extends Pick<ModelRequest, "signal" | "timeoutMs"> {
  /** What it is for, as shown in the spending ledger. */
  readonly purpose: string;
  /** At least one, none empty. */
  readonly texts: readonly string[];
}

export type EmbedResult =
  /** One vector per text, in order, all of the same length. */
  | {
      readonly kind: "vectors";
      readonly vectors: readonly Float32Array[];
      readonly usage: TokenUsage;
      /** From request to answer. */ readonly ms: number;
    }
  | ModelFailure;

/** A model that maps texts to vectors; texts with similar meaning get similar vectors. */
export interface Embedder extends Pick<Model, "id" | "place"> {
  /** Never rejects because of a provider, a network or a caller; only a bug throws. */
  embed(request: EmbedRequest): Promise<EmbedResult>;
}

/** Provider names, as in `provider/model`. */
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

/** Providers that run the user's own agent in the background. */
export const AGENT_CLIS = ["claude-cli", "codex-cli", "gemini-cli"] as const satisfies readonly Provider[];

type AgentCli = (typeof AGENT_CLIS)[number];

export interface ModelName {
  readonly provider: Provider;
  /** The provider's name for it; may contain slashes. Empty means the provider's default. */
  readonly model: string;
}

/** Parses `PROVIDER[/MODEL]`. @throws MemoryError `invalid-input` for an unknown provider or odd characters. */
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

/** The subset of JSON Schema that every provider supports. */
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

/** One message. A loop with tools would add roles for calls and results, and a result kind in addition to `answer`. */
export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/**
 * An agent's own last request to its provider. A question appended to it reuses the provider's cache, at a tenth of the
 * cost.
 */
export interface ParentRequest {
  /** The API format: Anthropic's messages, or chat completions as of OpenAI and compatible servers. */
  readonly provider: "anthropic" | "openai";
  /** The body as sent: `model`, `tools`, `system`, `messages` and the rest. Sent again unchanged. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** One request for one structured answer. */
export interface ModelRequest {
  /** What it is for, as shown in the spending ledger: `recall`. */
  readonly purpose: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Shape of the answer; its name has letters and `_`. Not all providers enforce it, so the caller checks. */
  readonly schema: JsonSchema;
  readonly schemaName: string;
  readonly maxOutputTokens: number;
  /**
   * The system text and this many messages are the same in every request. If a provider needs cache marks, the mark is
   * set there; `undefined` sets none.
   */
  readonly cachePrefix?: number;
  /**
   * The request to continue: `messages` are appended to its own. `system` and `schema` are left out, since both would
   * change the cached part, so the messages must say what is wanted. Only for models that `continue` such requests.
   */
  readonly parent?: ParentRequest;
  readonly signal?: AbortSignal;
  /** In total, retries included. */
  readonly timeoutMs: number;
}

/** Usage of a request, as the provider counts it. */
export interface TokenUsage {
  /** Includes cached tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens read from the provider's cache. */
  readonly cachedTokens: number;
  /** Cost in US dollars, if the provider reports it. */
  readonly dollars?: number;
}

/** Why there is no answer; each kind is expected and handled by the caller. */
export type ModelFailureKind =
  /** The model or the provider's filter declined to answer. */
  | "refused"
  | "timeout"
  | "cancelled"
  | "rate-limited"
  /** The key is missing or invalid. */
  | "unauthorised"
  /** Not JSON, truncated, or endless. */
  | "invalid-answer"
  /** The day's budget is spent; nothing was sent. */
  | "over-budget"
  /** Not reachable, not installed, broken, or it rejects the request itself. */
  | "unavailable";

export interface ModelAnswer {
  readonly kind: "answer";
  /** Parsed JSON; the caller checks its shape. */
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
  /** Usage of a failed request, which may have been charged. */
  readonly usage?: TokenUsage;
  /** Set when a retry may help: shortest wait, 0 when the provider names none. */
  readonly retryAfterMs?: number;
}

export type ModelResult = ModelAnswer | ModelFailure;

/** A language model behind one call. */
export interface Model {
  /** `provider/model`, as in settings and the ledger. */
  readonly id: string;
  /** Whether requests leave this machine. */
  readonly place: "machine" | "network";
  /** The request format that it can continue, if any. */
  readonly continues?: ParentRequest["provider"];
  /** Never rejects because of a provider, a network or a caller; only a bug throws. */
  ask(request: ModelRequest): Promise<ModelResult>;
}

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** The usage of two requests together. */
export function addedUsage(a: TokenUsage, b = NO_USAGE): TokenUsage {
  const dollars = (a.dollars ?? 0) + (b.dollars ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    ...(dollars > 0 ? { dollars } : {}),
  };
}

/** A wrapper's properties: the same as those of the wrapped model. */
export function likeness({ id, place, continues }: Model): Omit<Model, "ask"> {
  return { id, place, ...(continues === undefined ? {} : { continues }) };
}
