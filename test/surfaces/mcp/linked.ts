import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ClientCapabilities, JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type Conversation, openConversation } from "../../../src/surfaces/mcp/conversation.ts";
import { isObject, readMessage } from "../../../src/surfaces/mcp/json-rpc.ts";
import type { Offer } from "../../../src/surfaces/mcp/offer.ts";

/** The official client joined to a conversation without anything between them but a turn of the event loop. */
class Link implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #conversation: Conversation;

  constructor(offer: Offer) {
    this.#conversation = openConversation(offer, { send: (message) => this.#give(message) });
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    void this.#conversation.receive(readMessage(JSON.parse(JSON.stringify(message))), (out) => this.#give(out));
  }

  async close(): Promise<void> {
    this.#conversation.close();
    this.onclose?.();
  }

  #give(message: object): void {
    const copy: JSONRPCMessage = JSON.parse(JSON.stringify(message));
    setImmediate(() => this.onmessage?.(copy));
  }
}

export async function connectTo(
  offer: Offer,
  capabilities: ClientCapabilities = {},
  prepare?: (client: Client) => void,
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  prepare?.(client);
  await client.connect(new Link(offer));
  return client;
}

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Calls a tool; the official client also checks the fields against the tool's output schema. */
export async function callTool(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<Called> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const text = parts.map((part) => (isObject(part) ? String(part["text"]) : "")).join("\n");
  return { isError: isError === true, text, fields: isObject(structuredContent) ? structuredContent : {} };
}
