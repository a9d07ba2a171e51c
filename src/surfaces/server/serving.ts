import type { Context } from "hono";
import type { Access } from "../../app/server/audit.ts";
import type { Rates } from "../../app/server/rates.ts";
import type { SyncServer } from "../../app/server/server.ts";
import type { Metrics } from "./metrics.ts";

/** One line of the log: what was asked and how it went; never a text, a name or a token. */
export interface LogLine {
  readonly level: "info" | "error";
  readonly event: string;
  readonly [field: string]: string | number | undefined;
}

export interface AppOptions {
  readonly server: SyncServer;
  readonly rates: Rates;
  readonly log: (line: LogLine) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The address that a request comes from. */
  readonly addressOf: (context: Context) => string;
}

export type Env = { Variables: { access: Access; requestId: string } };

export interface Serving extends AppOptions {
  readonly counts: Metrics;
}
