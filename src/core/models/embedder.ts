import type { Model, ModelFailure, ModelRequest, TokenUsage } from "./model.ts";

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
