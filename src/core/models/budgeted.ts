import type { Clock } from "../shared/clock.ts";
import { MemoryError } from "../shared/errors.ts";
import {
  type Embedder,
  type EmbedResult,
  likeness,
  type Model,
  type ModelFailure,
  type ModelRequest,
  type ModelResult,
  NO_USAGE,
} from "./model.ts";
import {
  dollarsOf,
  type Price,
  type Budget,
  exceededLimit,
  type SpendEntry,
  type SpendLedger,
  spentToday,
} from "./spend.ts";

interface RetryOptions {
  readonly clock: Pick<Clock, "now">;
  /** Waits; returns early when the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Random number, 0 to 1. */
  readonly random: () => number;
  /** Most requests per question. Default 3. */
  readonly attempts?: number;
  /** Wait before the first retry, doubled for each further one. Default 250. */
  readonly firstWaitMs?: number;
}

/** Retries when that may help, within the request's own timeout. */
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
    // Random, so that processes rejected at the same moment do not all retry at the same moment.
    const waitMs = Math.max(result.retryAfterMs, firstWaitMs * 2 ** (attempt - 1) * (0.5 + random() / 2));
    if (spentMs + waitMs >= request.timeoutMs) return total;
    await wait(waitMs, request.signal);
    if (request.signal?.aborted === true)
      return { kind: "cancelled", reason: "cancelled while waiting to ask again", ms: clock.now() - started };
  }
}

export interface BudgetOptions {
  readonly ledger: SpendLedger;
  readonly budget: Budget;
  readonly price: Price;
  readonly clock: Clock;
  /** Returns a new id for each request, unique across processes. */
  readonly newId: () => string;
}

/**
 * Asks only while the day's budget has room, and records the usage of each request. The budget is checked before each
 * request: processes that ask at the same moment may each exceed it by one request.
 */
export function withBudget(model: Model, options: BudgetOptions): Model {
  return { ...likeness(model), ask: (request) => spend(model.id, request.purpose, options, () => model.ask(request)) };
}

/** The same for an embedder; both share one budget. */
export function withEmbedBudget(embedder: Embedder, options: BudgetOptions): Embedder {
  const { id, place } = embedder;
  return { id, place, embed: (request) => spend(id, request.purpose, options, () => embedder.embed(request)) };
}

async function spend<T extends ModelResult | EmbedResult>(
  model: string,
  purpose: string,
  options: BudgetOptions,
  ask: () => Promise<T>,
): Promise<T | ModelFailure> {
  const { ledger, clock } = options;
  const begun: SpendEntry = {
    ...NO_USAGE,
    id: options.newId(),
    time: clock.now(),
    model,
    purpose,
    state: "begun",
    ms: 0,
    dollars: 0,
  };
  const refusal = refusalOf(begun, options);
  if (refusal !== undefined) return refusal;
  const result = await ask();
  const usage = result.usage ?? NO_USAGE;
  try {
    ledger.append({
      ...begun,
      ...usage,
      time: clock.now(),
      state: result.kind === "vectors" ? "answer" : result.kind,
      ms: result.ms,
      dollars: dollarsOf(usage, options.price),
    });
  } catch (error) {
    // The answer is here and paid for, and the ledger already has the request's beginning.
    if (!(error instanceof MemoryError)) throw error;
  }
  return result;
}

/** A request that cannot be recorded is not made. */
function refusalOf(begun: SpendEntry, { ledger, budget, clock }: BudgetOptions): ModelFailure | undefined {
  try {
    const spent = spentToday(ledger, begun.time, clock.timeZone);
    const limit = exceededLimit(spent, budget);
    if (limit !== undefined)
      return {
        kind: "over-budget",
        reason: `today's budget of ${budget[limit]} ${limit} is spent; it starts again tomorrow, and \`memdir models\` shows it`,
        ms: 0,
      };
    ledger.append(begun);
    return undefined;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { kind: "over-budget", reason: `what a request costs cannot be written down: ${error.message}`, ms: 0 };
  }
}
