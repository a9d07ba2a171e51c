import type { JsonObject } from "./json-rpc.ts";
import type { ObjectSchema } from "./schema.ts";

/** What a client says of itself at initialize, as far as anything here depends on it. */
export interface ClientFacts {
  readonly name: string;
  readonly canElicit: boolean;
  readonly canSample: boolean;
  readonly hasRoots: boolean;
}

/** What a request may do towards the client while it is being answered. */
export interface Call {
  readonly client: ClientFacts;
  /** What the client tells with the call: `_meta`. */
  readonly meta: JsonObject;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is, when it asked to be told; progress only grows. */
  progress(done: number, total: number, message?: string): void;
  notify(method: string, params: JsonObject): void;
  /** @throws RpcError when the client refuses, and at the time limit. */
  request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject>;
}

export type Content = JsonObject & { readonly type: string };

export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

export interface ToolSpec {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: JsonObject;
  readonly annotations?: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface Tool {
  readonly spec: ToolSpec;
  /** What its arguments must fit, where `spec` shows a model less than that. */
  readonly accepts?: ObjectSchema;
  run(input: JsonObject, call: Call): Promise<ToolResult>;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; `undefined` after the last. */
  readonly next: string | undefined;
}

export interface Resources {
  list(cursor: string | undefined): Page<JsonObject>;
  readonly templates: readonly JsonObject[];
  /** `undefined` when there is no such resource. */
  read(uri: string): readonly JsonObject[] | undefined;
}

export interface Prompt {
  readonly spec: JsonObject & { readonly name: string };
  get(given: Readonly<Record<string, string>>): {
    readonly description: string;
    readonly messages: readonly JsonObject[];
  };
}

/** Everything one server gives to one client. What is left out is not offered, and asking for it is an error. */
export interface Offer {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  instructions(): string;
  tools(): readonly Tool[];
  readonly resources?: Resources;
  readonly prompts?: readonly Prompt[];
  /** Values that complete an argument of a prompt or a resource template. */
  complete?(reference: JsonObject, argument: { readonly name: string; readonly value: string }): readonly string[];
  /** Log messages can be asked for with `logging/setLevel`. */
  readonly logging?: boolean;
  /** Called once the client has said that it is ready, and when its roots change. Never rejects. */
  rootsKnown?(roots: readonly string[]): void;
  close(): void;
}
