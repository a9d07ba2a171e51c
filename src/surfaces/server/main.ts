import { writeSync } from "node:fs";
import { homedir } from "node:os";
import path, { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MEMORY_BYTES_MOST, openServer, type OpenServer, type ServerPlace } from "../../app/server/open-server.ts";
import { ratesOf, USUAL_RATES, type RateLimits } from "../../app/server/access.ts";
import { processEnvironment } from "../../app/background/hook-process.ts";
import { requireAskable } from "../../app/models/models.ts";
import { version } from "../../app/workspace/version.ts";
import { systemClock } from "../../core/shared/clock.ts";
import { MemoryError, codeOf } from "../../core/shared/errors.ts";
import { createApp } from "./app.ts";
import {
  checkAddress,
  HELP,
  loginsIn,
  numberOf,
  readCommandLine,
  tlsIn,
  type Options,
  type LogLine,
  type Env,
  type Tls,
} from "./options.ts";
import { tokenCommand } from "./token-command.ts";
import { createServer } from "node:https";
import { createServer as createNetServer, type AddressInfo } from "node:net";
import { serve, type HttpBindings, type ServerType } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { isRecord } from "../../core/shared/json.ts";

export interface Listening {
  readonly url: string;
  /** Accepts no new requests, waits for those in progress, and closes what is still open after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls | undefined;
}

const KEEP_ALIVE_MS = 30_000;

/** Starts to listen. @throws MemoryError if the address is unavailable. */
export async function listen(app: Hono<Env>, options: ListenOptions): Promise<Listening> {
  const { host, port, tls } = options;
  const secure = tls === undefined ? {} : { createServer, serverOptions: tls };
  const { server, address } = await new Promise<{ server: ServerType; address: AddressInfo }>((resolve, reject) => {
    const started = serve({ fetch: app.fetch, hostname: host, port, ...secure }, (info) =>
      resolve({ server: started, address: info }),
    );
    started.once("error", (error) => reject(unheard(error, options)));
    // A busy device may pause between two requests of one run.
    if ("keepAliveTimeout" in started) started.keepAliveTimeout = KEEP_ALIVE_MS;
  });
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${address.port}`,
    stop: (graceMs) => stop(server, graceMs),
  };
}

/** Checks that the address is free before creating anything that only a listening server needs. @throws MemoryError */
async function checkAddressIsFree({ host, port }: ListenOptions): Promise<void> {
  const probe = createNetServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", (error) => reject(unheard(error, { host, port })));
      probe.listen({ host, port }, resolve);
    });
  } finally {
    probe.close();
  }
}

function unheard(error: Error, { host, port }: ListenOptions): Error {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return new MemoryError("unavailable", `Another program listens on ${host}, port ${port}. Choose another --port.`);
    case "EACCES":
      return new MemoryError("permission", `This user may not listen on port ${port}. Choose another --port.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new MemoryError("invalid-input", `This machine has no address ${host}. Choose another --host.`);
    default:
      return error;
  }
}

function stop(server: ServerType, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      if ("closeAllConnections" in server) server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  });
}

/** The other end of the connection. */
export function addressOf(context: Context): string {
  const bindings: unknown = context.env;
  return isRecord(bindings) && isBound(bindings) ? (bindings.incoming.socket.remoteAddress ?? "") : "";
}

function isBound(bindings: object): bindings is HttpBindings {
  return "incoming" in bindings;
}

const GRACE_MS = 5_000;
const TICK_MS = 1_000;

/** The command `memdir-server`. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = readCommandLine(argv);
    if (values.help) return print(HELP);
    if (values.version) return print(`${version()}\n`);
    const [command, ...rest] = positionals;
    if (command === "token") return print(await tokenCommand(placeOf(values), rest, values));
    const [directory] = rest;
    if (command === "dream-job" && directory !== undefined) return await dreamJob(directory);
    if (command !== undefined)
      throw new MemoryError("invalid-input", `There is no command ${JSON.stringify(command)}. See --help.`);
    return await run(values);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    writeSync(2, `memdir-server: ${error.message}\n`);
    return error.code === "invalid-input" || error.code === "refused" ? 2 : 1;
  }
}

/** The process that the server starts for each dream; it ends with the server. */
async function dreamJob(directory: string): Promise<number> {
  process.stdin.once("end", () => process.exit(1)).resume();
  const { runDreamJob } = await import("../../app/server/dream-job.ts");
  await runDreamJob(directory, processEnvironment());
  process.stdin.destroy();
  return 0;
}

function print(text: string): number {
  writeSync(1, text);
  return 0;
}

function placeOf(options: Options): ServerPlace {
  const maxEntries = numberOf("max-entries", options, 10_000_000);
  const maxBytes = numberOf("max-bytes", options, 1e12);
  const maxMemories = numberOf("max-memories", options, 10_000_000);
  const memoryBytes = numberOf("max-memory-bytes", options, MEMORY_BYTES_MOST);
  return {
    directory: path.resolve(options.data ?? join(homedir(), ".memdir", "server")),
    databaseUrl: options.database,
    dreams: { model: options["dream-model"] },
    receipts: options.receipts,
    logins: loginsIn(options),
    limits: {
      ...(maxEntries === undefined ? {} : { maxEntries }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(maxMemories === undefined ? {} : { maxMemories }),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    },
  };
}

function ratesIn(options: Options): RateLimits {
  const most = 1_000_000;
  const writes = numberOf("writes-per-minute", options, most);
  const reads = numberOf("reads-per-minute", options, most);
  return {
    ...USUAL_RATES,
    ...(writes === undefined ? {} : { deviceWrites: { perMinute: writes }, spaceWrites: { perMinute: writes * 10 } }),
    ...(reads === undefined ? {} : { deviceReads: { perMinute: reads } }),
  };
}

async function run(options: Options): Promise<number> {
  checkAddress(options);
  const port = numberOf("port", options, 65_535) ?? 0;
  const tls = tlsIn(options);
  const model = options["dream-model"];
  if (model !== undefined) requireAskable(model, processEnvironment());
  const log = (line: LogLine): void => {
    if (options.quiet && line.level === "info") return;
    writeSync(2, `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  };
  // The owner's token is shown only once, so nothing is created if it could not be used.
  await checkAddressIsFree({ host: options.host, port });
  const open = await openServer(placeOf(options));
  try {
    if (open.replayed > 0) log({ level: "info", event: "forgets-replayed", count: open.replayed });
    const rates = ratesOf(ratesIn(options), systemClock);
    const app = createApp({ server: open.server, rates, log, now: () => Date.now(), addressOf });
    const listening = await listen(app, { host: options.host, port, tls });
    open.tell(listening.url);
    // A reader of the ready line may stop the server at once.
    const stopped = untilStopped();
    print(readyLine(listening.url, open.ownerToken, options.json));
    const care = lookAfter(open, log);
    await stopped;
    log({ level: "info", event: "stopping" });
    await listening.stop(GRACE_MS);
    await care.stop();
  } finally {
    await open.close();
  }
  return 0;
}

function readyLine(url: string, token: string | undefined, json: boolean): string {
  if (json) return `${JSON.stringify({ url, token: token ?? null })}\n`;
  const first = token === undefined ? "" : `The owner's token, shown this once:\n  ${token}\n`;
  const next = token === undefined ? "" : `On each device: memdir sync setup --remote ${url} --token-file FILE\n`;
  return `memdir-server listens on ${url}\n${first}${next}`;
}

/** Runs due work, one item after another, until stopped. */
function lookAfter({ upkeep, dreams }: OpenServer, log: (line: LogLine) => void): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const loop = async (): Promise<void> => {
    for (;;) {
      await sleep(TICK_MS, undefined, { signal: stopped.signal });
      try {
        await dreams.tick();
        for (const done of await upkeep.tick()) log({ level: "info", event: done });
      } catch (error) {
        // A full disk or an unreachable database: logged, and retried at the next tick.
        log({ level: "error", event: "upkeep", name: error instanceof Error ? error.name : "unknown" });
      }
    }
  };
  const running = loop().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return {
    stop() {
      stopped.abort();
      return running;
    },
  };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
