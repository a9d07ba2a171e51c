import type { IncomingMessage } from "node:http";

/** The parts of `fetch` and its answer that sync needs. */
export type Ask = (
  address: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly redirect: "error";
    readonly signal: AbortSignal;
  },
) => Promise<Answer>;

export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * One request with Node's own client: loading `fetch` costs a cold process about 200 ms of processor time (Node 20.20).
 * It follows no redirect and rejects as `fetch` does: with the signal's reason or the connection's error.
 */
export const request: Ask = (address, { method, headers, body, signal }) => {
  const { request: send } = process.getBuiltinModule(address.startsWith("https:") ? "node:https" : "node:http");
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(signal.aborted ? signal.reason : told(error));
    const sent = send(address, { method, headers: { ...headers, ...lengthOf(body) }, signal }, (answer) =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: { get: (name) => headerOf(answer, name) },
        body: partsOf(answer, signal),
      }),
    );
    sent.on("error", fail);
    sent.end(body);
  });
};

function lengthOf(body: string | undefined): Readonly<Record<string, number>> {
  return body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

async function* partsOf(answer: IncomingMessage, signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    for await (const part of answer) if (part instanceof Uint8Array) yield part;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** A name with several addresses gives one error per address, and the combined error has no message of its own. */
function told(error: Error): Error {
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first : error;
}
