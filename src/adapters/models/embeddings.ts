import type { Embedder, EmbedResult } from "../../core/models/model.ts";
import { count, member, post } from "./http.ts";
import { isThisMachine } from "./openai-compatible.ts";

export interface EmbeddingsOptions {
  /** The name in `provider/model`. */
  readonly provider: string;
  readonly model: string;
  /** Empty if the server needs none. */
  readonly key: string;
  /** Up to and including `/v1`. */
  readonly baseUrl: string;
}

/** A hundred vectors of a few thousand numbers each, as text (bytes). */
const MOST_BYTES = 16 << 20;
/** Most numbers in a vector; no known embedder has more. */
const MOST_NUMBERS = 8192;

/** A server with an API like OpenAI's embeddings: OpenAI, Ollama, LM Studio, vLLM, llama.cpp and many gateways. */
export function createEmbedder({ provider, model, key, baseUrl }: EmbeddingsOptions): Embedder {
  const headers: Readonly<Record<string, string>> = key === "" ? {} : { authorization: `Bearer ${key}` };
  return {
    id: `${provider}/${model}`,
    place: isThisMachine(baseUrl) ? "machine" : "network",
    async embed({ texts, ...request }) {
      const reply = await post({
        url: `${baseUrl}/embeddings`,
        headers,
        key,
        body: { model, input: texts, encoding_format: "float" },
        request,
        mostBytes: MOST_BYTES,
      });
      return reply.kind === "reply" ? read(reply.json, texts.length, reply.ms) : reply;
    },
  };
}

/** Servers may answer in any order; `index` says which text a vector belongs to. */
function read(json: unknown, wanted: number, ms: number): EmbedResult {
  const data = member(json, "data");
  const usage = { inputTokens: count(member(json, "usage", "prompt_tokens")), outputTokens: 0, cachedTokens: 0 };
  const invalid = (reason: string): EmbedResult => ({ kind: "invalid-answer", reason, usage, ms });
  if (!Array.isArray(data) || data.length !== wanted) return invalid(`the answer has no ${wanted} vectors`);
  const vectors = new Map<number, Float32Array>();
  for (const [position, item] of data.entries()) {
    const index: unknown = member(item, "index") ?? position;
    const vector = vectorOf(member(item, "embedding"));
    if (typeof index !== "number" || vector === undefined)
      return invalid("a vector of the answer is not a list of numbers");
    vectors.set(index, vector);
  }
  const ordered = Array.from({ length: wanted }, (_, index) => vectors.get(index)).filter(
    (vector) => vector !== undefined,
  );
  if (ordered.length !== wanted || ordered.some(({ length }) => length !== ordered[0]?.length))
    return invalid("the vectors of the answer are not of one length, or not one for each text");
  return { kind: "vectors", vectors: ordered, usage, ms };
}

function vectorOf(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_NUMBERS) return undefined;
  const numbers = value.filter((one): one is number => typeof one === "number" && Number.isFinite(one));
  return numbers.length === value.length ? Float32Array.from(numbers) : undefined;
}
