import type { Readable, Writable } from "node:stream";
import { type Conversation, type Send } from "./conversation.ts";
import { ERROR, errorMessage, readMessage } from "./json-rpc.ts";

/** A message longer than this (characters) is refused: no tool takes as much. */
const MAX_MESSAGE = 8_000_000;

/**
 * Carries a conversation over lines of JSON until the input ends, the output is closed, or the signal fires; resolves
 * when what was under way has been answered, or cancelled.
 */
export async function serveLines(
  input: Readable,
  output: Writable,
  open: (send: Send) => Conversation,
  signal: AbortSignal,
): Promise<void> {
  const send: Send = (message) => {
    if (output.writable) output.write(`${JSON.stringify(message)}\n`);
  };
  const conversation = open(send);
  const underWay = new Set<Promise<void>>();
  const take = (line: string): void => {
    if (line.trim() === "") return;
    for (const message of messagesIn(line, conversation)) {
      const done = conversation.receive(message, send).finally(() => underWay.delete(done));
      underWay.add(done);
    }
  };
  await readLines(
    input,
    output,
    take,
    () => send(errorMessage(undefined, ERROR.invalidRequest, `a message has at most ${MAX_MESSAGE} characters`)),
    signal,
  );
  // What was asked before the input ended is answered; a question to a client that is gone is not waited for.
  if (!signal.aborted)
    await Promise.race([Promise.all(underWay), new Promise((resolve) => setTimeout(resolve, LINGER_MS).unref())]);
  conversation.close();
}

const LINGER_MS = 2000;

function messagesIn(line: string, { protocol }: Conversation): readonly ReturnType<typeof readMessage>[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Garbage on the line: said to the client in the one way there is, and the next line is read.
    return [{ kind: "invalid", id: undefined, reason: "the line is not JSON", isJson: false }];
  }
  // Versions before 2025-06-18 allow several messages in one line.
  return Array.isArray(value) && value.length > 0 && (protocol === undefined || protocol < "2025-06-18")
    ? value.map(readMessage)
    : [readMessage(value)];
}

function readLines(
  input: Readable,
  output: Writable,
  take: (line: string) => void,
  tooLong: () => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let parts: string[] = [];
    let length = 0;
    let skipping = false;
    const end = (): void => {
      signal.removeEventListener("abort", end);
      input.removeAllListeners("data");
      input.destroy();
      resolve();
    };
    const add = (part: string): void => {
      if (skipping) return;
      length += part.length;
      if (length <= MAX_MESSAGE) {
        parts.push(part);
        return;
      }
      skipping = true;
      parts = [];
      tooLong();
    };
    const finish = (): void => {
      const line = parts.join("");
      const wasSkipped = skipping;
      [parts, length, skipping] = [[], 0, false];
      if (!wasSkipped) take(line);
    };
    input.setEncoding("utf8");
    input.on("data", (chunk: string) => {
      const pieces = chunk.split("\n");
      for (const [index, piece] of pieces.entries()) {
        add(piece);
        if (index < pieces.length - 1) finish();
      }
    });
    input.once("end", () => {
      finish();
      end();
    });
    input.once("error", end).once("close", end);
    // A client that went away without closing our input.
    output.once("error", end).once("close", end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
