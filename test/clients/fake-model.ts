import http from "node:http";
import { field, list } from "./json.ts";

/** What the model does, one step a turn; after the last step it says `OK` and ends its turn. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where a client groups the tools of a server under a name of their own. */
  readonly namespace?: string;
}

/** One vendor's way of asking a model, as far as a client needs it to finish a turn. */
export interface Protocol {
  /** Whether a request to this method and path (no query) speaks this protocol. */
  matches(method: string, path: string): boolean;
  /** Tool results in the request that answer calls made here: how far the script has come. */
  turnsTaken(body: unknown): number;
  /** Sends a whole answer: a call of a tool, or, with `undefined`, the end of the turn. */
  answer(body: unknown, call: ToolCall | undefined, response: http.ServerResponse, at: AnswerContext): void;
}

export interface AnswerContext {
  readonly path: string;
  /** How many tokens the request is said to have had. */
  readonly tokens: number;
}

const FEW_TOKENS = 100;

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface FakeModel {
  readonly url: string;
  /** Requests that spoke a known protocol, in order of arrival. */
  readonly asked: readonly RecordedRequest[];
  /** Everything else that was asked for, answered with an empty object. */
  readonly others: readonly RecordedRequest[];
  close(): Promise<void>;
}

async function readBody(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    // Not JSON: no protocol here would know it, so it is kept as text for whoever reads the record.
    return text;
  }
}

/**
 * A model on the loopback interface, at a port of its own, that follows a script and remembers what it was asked.
 * `firstTokens`: how many it says that the first request of the agent had; very many make a client compact its session.
 */
export async function startFakeModel(
  protocols: readonly Protocol[],
  script: readonly ToolCall[] = [],
  firstTokens = FEW_TOKENS,
): Promise<FakeModel> {
  const asked: RecordedRequest[] = [];
  const others: RecordedRequest[] = [];
  let turns = 0;
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const method = request.method ?? "";
    const { pathname } = new URL(request.url ?? "/", "http://model.invalid");
    const body = await readBody(request);
    const protocol = protocols.find((candidate) => candidate.matches(method, pathname));
    (protocol === undefined ? others : asked).push({ method, path: pathname, body });
    if (protocol === undefined) sendJson(response, {});
    else {
      // What has no tools asks for a title, a route or a summary.
      const isTurn = list(field(body, "tools")).length > 0;
      const tokens = isTurn && turns++ === 0 ? firstTokens : FEW_TOKENS;
      protocol.answer(body, script[protocol.turnsTaken(body)], response, { path: pathname, tokens });
    }
  };
  const server = http.createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that hangs up is its own affair; anything else shows in the client's own error message.
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error(`the fake model listens on ${String(address)}, not on a port`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    others,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export function sendJson(response: http.ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Server-sent events, each with its name where the protocol has names. */
export function sendEvents(
  response: http.ServerResponse,
  events: readonly (readonly [name: string | undefined, data: unknown])[],
): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const [name, data] of events) {
    response.write(
      `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
    );
  }
  response.end();
}
