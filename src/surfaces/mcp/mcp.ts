import { nameHidden } from "../../core/shared/hidden.ts";
import type { Readable, Writable } from "node:stream";
import type { Environment } from "../../app/workspace/locations.ts";
import { isMemoryError, MemoryError } from "../../core/shared/errors.ts";
import { ArgumentError, readArguments, type ServerOptions } from "./arguments.ts";
import { type Conversation, openConversation, type Send } from "./conversation.ts";
import { memoryOffer } from "./memory-offer.ts";
import { openProjectMemory, type ProjectMemory } from "./project-memory.ts";
import { serveLines } from "./stdio.ts";
import { rehearseRecall } from "./tools/recall.ts";

/** A test's or the build's own lines instead of the process's. */
export interface Lines {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves until the client goes away or a signal comes; resolves to the exit code. Bundled into one file whose compiled code is kept. */
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
    // Whatever is left in the air must not keep the process.
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
        // The client is still busy with its own start: a recall is rehearsed meanwhile, so that the first one finds all of it ready.
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
    // The first recall meets the same and tells it to who asked.
    if (!(error instanceof MemoryError)) throw error;
  }
}
