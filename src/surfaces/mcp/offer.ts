import type { JsonObject } from "./json-rpc.ts";
import type { ObjectSchema } from "./schema.ts";

/** What the code here needs to know about a client, from initialize. */
export interface ClientFacts {
  readonly name: string;
  readonly canElicit: boolean;
  readonly canSample: boolean;
  readonly hasRoots: boolean;
}

/** What a request may ask of the client while it is being answered. */
export interface Call {
  readonly client: ClientFacts;
  /** The `_meta` that the client sent with the call. */
  readonly meta: JsonObject;
  /** Aborted when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Reports progress if the client requested it; progress only grows. */
  progress(done: number, total: number, message?: string): void;
  notify(method: string, params: JsonObject): void;
  /** @throws RpcError if the client refuses, or after the timeout. */
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
  /** The full schema of its arguments, if `spec` shows a model less. */
  readonly accepts?: ObjectSchema;
  run(input: JsonObject, call: Call): Promise<ToolResult>;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The start of the next page; `undefined` after the last. */
  readonly next: string | undefined;
}

export interface Resources {
  list(cursor: string | undefined): Page<JsonObject>;
  readonly templates: readonly JsonObject[];
  /** `undefined` if there is no such resource. */
  read(uri: string): readonly JsonObject[] | undefined;
}

export interface Prompt {
  readonly spec: JsonObject & { readonly name: string };
  get(given: Readonly<Record<string, string>>): {
    readonly description: string;
    readonly messages: readonly JsonObject[];
  };
}

/** Everything that one server offers to one client. Asking for anything else is an error. */
export interface Offer {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  instructions(): string;
  tools(): readonly Tool[];
  readonly resources?: Resources;
  readonly prompts?: readonly Prompt[];
  /** Values that complete an argument of a prompt or a resource template. */
  complete?(reference: JsonObject, argument: { readonly name: string; readonly value: string }): readonly string[];
  /** Log messages can be requested with `logging/setLevel`. */
  readonly logging?: boolean;
  /** Called once the client is ready, and when its roots change. Never rejects. */
  rootsKnown?(roots: readonly string[]): void;
  close(): void;
}
