import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { isDenial } from "../../src/app/server/ports.ts";
import { openServer, type OpenServer, type ServerPlace } from "../../src/app/server/open-server.ts";
import { ratesOf } from "../../src/app/server/access.ts";
import type { Role } from "../../src/core/server/roles.ts";
import { createApp } from "../../src/surfaces/server/app.ts";
import { giveCluster } from "./embedded-cluster.ts";
import { addressOf, listen, type Listening } from "../../src/surfaces/server/main.ts";

const MANY = { perMinute: 1_000_000 };

/** A server on loopback, with the official client of the memory API for any user. */
export class MemoryServer {
  offsetMs = 0;
  readonly #log: string[] = [];
  #open: OpenServer | undefined;
  #listening: Listening | undefined;

  async start(place: ServerPlace): Promise<void> {
    const clock = { now: () => Date.now() + this.offsetMs, timeZone: "UTC" };
    if (place.databaseUrl === undefined) await giveCluster(place.directory);
    this.#open = await openServer({ ...place, clock });
    const rates = ratesOf({ deviceReads: MANY, deviceWrites: MANY, spaceWrites: MANY, strangers: MANY }, clock);
    const log = (line: object): void => void this.#log.push(JSON.stringify(line));
    const app = createApp({ server: this.open.server, rates, log, now: clock.now, addressOf });
    this.#listening = await listen(app, { host: "127.0.0.1", port: 0 });
  }

  async stop(): Promise<void> {
    await this.#listening?.stop(1000);
    await this.#open?.close();
  }

  get open(): OpenServer {
    if (this.#open === undefined) throw new Error("the server is not open");
    return this.#open;
  }

  get url(): string {
    return this.#listening?.url ?? "";
  }

  get log(): string {
    return this.#log.join("\n");
  }

  /** A token of a user, who is created with it. `space` is an id of the sync protocol. */
  async token(user: string, role: Role = "admin", space?: string): Promise<string> {
    const owner = await this.open.server.access(this.open.localToken, undefined);
    if (isDenial(owner)) throw new Error(owner.message);
    const made = await this.open.server.tokens.add(owner, { user, space, role, days: 30, device: "test" });
    if (isDenial(made)) throw new Error(made.message);
    return made.token;
  }

  /** The unmodified client, configured only with the server's address and a token. */
  async client(user: string, role: Role = "admin", space?: string): Promise<Anthropic> {
    return new Anthropic({ baseURL: this.url, apiKey: await this.token(user, role, space), maxRetries: 0 });
  }
}

/** The error of a failed call, which must be the client's own class. */
export async function failure(call: Promise<unknown>): Promise<APIError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}
