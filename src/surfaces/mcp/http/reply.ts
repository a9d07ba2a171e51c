import type { ServerResponse } from "node:http";
import type { Outgoing } from "../json-rpc.ts";

/** What answers one POST: a single JSON body when the answer is all there is, else a stream of events. */
export interface Reply {
  send(message: Outgoing): void;
  /** Everything about the request was sent. */
  finish(): void;
}

/** A question to a person may take minutes; a line now and then keeps what lies between from closing the stream (ms). */
const ALIVE_MS = 15_000;

export function openReply(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  expected: number,
): Reply {
  let first: Outgoing | undefined;
  let alive: NodeJS.Timeout | undefined;
  const event = (message: Outgoing): void => {
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const stream = (): void => {
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
    });
    alive = setInterval(() => response.write(": alive\n\n"), ALIVE_MS).unref();
    response.once("close", () => clearInterval(alive));
  };
  return {
    send(message) {
      if (alive !== undefined) return event(message);
      if (expected === 1 && first === undefined && !("method" in message)) {
        first = message;
        return;
      }
      stream();
      event(message);
    },
    finish() {
      clearInterval(alive);
      if (alive !== undefined) response.end();
      else if (first !== undefined) sendJson(response, 200, first, headers);
      // The request was cancelled: there is nothing to say.
      else response.writeHead(202, headers).end();
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { ...headers, "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}
