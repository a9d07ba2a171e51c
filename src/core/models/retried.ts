import type { Clock } from "../shared/clock.ts";
import { likeness, type Model, type ModelRequest, type ModelResult } from "./model.ts";

export interface RetryOptions {
  readonly clock: Pick<Clock, "now">;
  /** Waits, or returns early when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  /** Most requests for one question. Default 3. */
  readonly attempts?: number;
  /** The first wait before asking again; each further one is twice as long. Default 250. */
  readonly firstWaitMs?: number;
}

/** Asks again where that may help, as long as there is time: never past the request's own timeout. */
export function withRetries(model: Model, options: RetryOptions): Model {
  return { ...likeness(model), ask: (request) => askAgain(model, request, options) };
}

async function askAgain(
  model: Model,
  request: ModelRequest,
  { clock, wait, random, attempts = 3, firstWaitMs = 250 }: RetryOptions,
): Promise<ModelResult> {
  const started = clock.now();
  for (let attempt = 1; ; attempt++) {
    const result = await model.ask({ ...request, timeoutMs: request.timeoutMs - (clock.now() - started) });
    const spentMs = clock.now() - started;
    const total = { ...result, ms: Math.max(result.ms, spentMs) };
    if (result.kind === "answer" || result.retryAfterMs === undefined || attempt >= attempts) return total;
    // Many processes that were turned away at one moment must not come back at one moment.
    const waitMs = Math.max(result.retryAfterMs, firstWaitMs * 2 ** (attempt - 1) * (0.5 + random() / 2));
    if (spentMs + waitMs >= request.timeoutMs) return total;
    await wait(waitMs, request.signal);
    if (request.signal?.aborted === true)
      return { kind: "cancelled", reason: "cancelled while waiting to ask again", ms: clock.now() - started };
  }
}
