import {
  ERROR,
  type Incoming,
  type JsonObject,
  type Outgoing,
  type RequestId,
  requestMessage,
  RpcError,
} from "./json-rpc.ts";

/** Requests of the server to its client, and the answers that come back. */
export interface Asking {
  /** @throws RpcError when the client refuses, at the time limit, and when the signal fires. */
  request(send: (message: Outgoing) => void, asked: Asked): Promise<JsonObject>;
  take(answer: Extract<Incoming, { kind: "answer" }>): void;
  /** Nobody will answer any more. */
  close(): void;
}

export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface Waiting {
  resolve(result: JsonObject): void;
  reject(reason: string): void;
}

export function createAsking(): Asking {
  const waiting = new Map<RequestId, Waiting>();
  let count = 0;
  return {
    request(send, { method, params, timeoutMs, signal }) {
      const id = `memdir-${++count}`;
      return new Promise<JsonObject>((resolve, reject) => {
        const timer = setTimeout(() => give(`the client did not answer ${method} within ${timeoutMs} ms`), timeoutMs);
        const onAbort = (): void => give(`${method} was cancelled`);
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
          waiting.delete(id);
        };
        const give = (reason: string): void => {
          settle();
          reject(new RpcError(ERROR.internal, reason));
        };
        const take = (result: JsonObject): void => {
          settle();
          resolve(result);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        waiting.set(id, { resolve: take, reject: give });
        send(requestMessage(id, method, params));
      });
    },
    take({ id, result, error }) {
      if (result === undefined) waiting.get(id)?.reject(error ?? "the client gave no reason");
      else waiting.get(id)?.resolve(result);
    },
    close() {
      for (const { reject } of waiting.values()) reject("the conversation ended");
    },
  };
}
