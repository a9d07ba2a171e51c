import { nameHidden } from "../../core/shared/hidden.ts";
import type { Readable, Writable } from "node:stream";
import type { Environment } from "../../app/workspace/locations.ts";
import { isMemoryError, MemoryError } from "../../core/shared/errors.ts";
import { ArgumentError, readArguments, type ServerOptions } from "./arguments.ts";
import { type Conversation, openConversation, type Send } from "./conversation.ts";
import { memoryOffer } from "./memory-offer.ts";
import { openProjectMemory, type ProjectMemory } from "./project-memory.ts";
import { rehearseRecall } from "./tools/recall.ts";
import { ERROR, errorMessage, readMessage } from "./json-rpc.ts";

/** Longer messages (characters) are refused: no tool accepts that much. */
const MAX_MESSAGE = 8_000_000;

/**
 * Runs a conversation over lines of JSON until the input ends, the output closes, or the signal fires; resolves when
 * all requests have been answered or cancelled.
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
  // Requests from before the input ended are answered; a question to a client that is gone is abandoned.
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
    // The line is garbage: the client is told, and the next line is read.
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
    // The client went away without closing our input.
    output.once("error", end).once("close", end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}

/** The lines of a test or the build, instead of the process's. */
export interface Lines {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves until the client leaves or a signal arrives; resolves to the exit code. Bundled with cached compiled code. */
export async function serveMcp(argv: readonly string[], environment: Environment, lines?: Lines): Promise<number> {
  const control = new AbortController();
  const stop = (): void => control.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const options = readArguments(argv);
    if (options.http === undefined)
      await serveStandardInput(
        options,
        environment,
        control.signal,
        lines ?? { input: process.stdin, output: process.stdout },
      );
    else
      await (
        await import("./http/serve.ts")
      ).serveHttp({ tools: options.tools, dir: options.dir, http: options.http, environment, signal: control.signal });
    return 0;
  } catch (error) {
    if (!(error instanceof ArgumentError) && !isMemoryError(error)) throw error;
    process.stderr.write(
      nameHidden(
        `memdir: ${error.message}\n${error instanceof ArgumentError ? "`memdir mcp --help` shows how it is used\n" : ""}`,
      ),
    );
    return error instanceof ArgumentError || error.code === "invalid-input" ? 2 : 1;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    // Anything left pending must not keep the process alive.
    if (lines === undefined) setTimeout(() => process.exit(), EXIT_MS).unref();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const EXIT_MS = 1000;

async function serveStandardInput(
  { tools, dir }: ServerOptions,
  environment: Environment,
  signal: AbortSignal,
  { input, output }: Lines,
): Promise<void> {
  const memory = openProjectMemory({ environment, ...(dir !== undefined && { dir }) });
  const open = (send: Send): Conversation => {
    const conversation = openConversation(memoryOffer(memory, tools), { send });
    let isWarm = false;
    return {
      get protocol() {
        return conversation.protocol;
      },
      get busy() {
        return conversation.busy;
      },
      async receive(message, reply) {
        await conversation.receive(message, reply);
        if (isWarm || message.kind !== "request") return;
        isWarm = true;
        // The client is still starting, so a recall is rehearsed now: the first real one then finds everything ready.
        setImmediate(() => warm(memory));
      },
      close: () => conversation.close(),
    };
  };
  await serveLines(input, output, open, signal);
}

function warm(memory: ProjectMemory): void {
  try {
    if (memory.locations.mode !== "off") rehearseRecall(memory.workspace());
  } catch (error) {
    // The first recall meets the same error and reports it.
    if (!(error instanceof MemoryError)) throw error;
  }
}
