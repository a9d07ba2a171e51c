import { nameHidden } from "../../core/shared/hidden.ts";

/** JSON objects from the wire: fields are unknown until checked. */
export type JsonObject = { readonly [key: string]: unknown };

export type RequestId = string | number;

export type Incoming =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  /** The answer to a request from this side. */
  | {
      readonly kind: "answer";
      readonly id: RequestId;
      readonly result: JsonObject | undefined;
      readonly error: string | undefined;
    }
  /** `isJson` is false if the text could not be parsed at all. */
  | { readonly kind: "invalid"; readonly id: RequestId | undefined; readonly reason: string; readonly isJson?: false };

/** An outgoing message. */
export type Outgoing = JsonObject & { readonly jsonrpc: "2.0" };

export const ERROR = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  notFound: -32_002,
} as const;

/** A request that cannot be answered; the client sees the code and the message. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Reads one message as far as possible; never throws. */
export function readMessage(value: unknown): Incoming {
  if (!isObject(value)) return { kind: "invalid", id: undefined, reason: "a message is a JSON object" };
  const id = idOf(value["id"]);
  if (value["jsonrpc"] !== "2.0") return { kind: "invalid", id, reason: 'a message carries "jsonrpc": "2.0"' };
  const { method } = value;
  if (typeof method !== "string") return answerOf(value, id);
  if (value["params"] !== undefined && !isObject(value["params"]))
    return { kind: "invalid", id, reason: "params are an object" };
  const params = objectOf(value["params"]);
  if (!("id" in value)) return { kind: "notification", method, params };
  return id === undefined
    ? { kind: "invalid", id, reason: "an id is a string or a whole number" }
    : { kind: "request", id, method, params };
}

function answerOf(value: JsonObject, id: RequestId | undefined): Incoming {
  if (id === undefined || !("result" in value || "error" in value))
    return { kind: "invalid", id, reason: "a message has a method, or an id with a result or an error" };
  const { error } = value;
  if (error === undefined) return { kind: "answer", id, result: objectOf(value["result"]), error: undefined };
  return {
    kind: "answer",
    id,
    result: undefined,
    error: textOf(objectOf(error)["message"]) ?? "the client gave no reason",
  };
}

function idOf(value: unknown): RequestId | undefined {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value)) ? value : undefined;
}

export function resultMessage(id: RequestId, result: JsonObject): Outgoing {
  return { jsonrpc: "2.0", id, result };
}

/** `id` is null if it could not be read from the request. */
export function errorMessage(id: RequestId | undefined, code: number, message: string): Outgoing {
  return { jsonrpc: "2.0", id: id ?? null, error: { code, message: nameHidden(message) } };
}

export function requestMessage(id: RequestId, method: string, params: JsonObject): Outgoing {
  return { jsonrpc: "2.0", id, method, params };
}

export function notificationMessage(method: string, params: JsonObject): Outgoing {
  return { jsonrpc: "2.0", method, params };
}
