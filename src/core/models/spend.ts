import { dayIn } from "../shared/clock.ts";
import { type ModelResult, type TokenUsage, isAgentCli, parseModelName, type Provider } from "./model.ts";

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input read from the provider's cache. */
  readonly cached: number;
}

/** List prices at the time of writing, by name prefix; the longest match counts. Settings override them. */
const LIST_PRICES: Readonly<Record<string, Price>> = {
  "anthropic/claude-haiku-4-5": { input: 1, output: 5, cached: 0.1 },
  "anthropic/claude-sonnet-4": { input: 3, output: 15, cached: 0.3 },
  "anthropic/claude-opus-4-5": { input: 5, output: 25, cached: 0.5 },
  "openai/gpt-4.1-nano": { input: 0.1, output: 0.4, cached: 0.025 },
  "openai/gpt-4.1-mini": { input: 0.4, output: 1.6, cached: 0.1 },
  "openai/gpt-4.1": { input: 2, output: 8, cached: 0.5 },
  "openai/gpt-4o-mini": { input: 0.15, output: 0.6, cached: 0.075 },
  "openai/gpt-5-nano": { input: 0.05, output: 0.4, cached: 0.005 },
  "openai/gpt-5-mini": { input: 0.25, output: 2, cached: 0.025 },
  "openai/text-embedding-3-small": { input: 0.02, output: 0, cached: 0.02 },
  "openai/text-embedding-3-large": { input: 0.13, output: 0, cached: 0.13 },
  "google/gemini-2.5-flash-lite": { input: 0.1, output: 0.4, cached: 0.025 },
  "google/gemini-2.5-flash": { input: 0.3, output: 2.5, cached: 0.075 },
};

const FREE: Price = { input: 0, output: 0, cached: 0 };

/** Assumed for an unknown price: high, so that the day's limit still holds. */
const ASSUMED: Price = { input: 5, output: 25, cached: 5 };

/** Servers that users run themselves, on any machine. */
const OWN_SERVERS: readonly Provider[] = ["ollama", "lmstudio", "vllm"];

/** Requests covered by a subscription or sent to the user's own server count as free. */
export function priceOf(
  model: string,
  place: "machine" | "network",
  own: Readonly<Record<string, Price>> = {},
): Price & { readonly known: boolean } {
  const { provider } = parseModelName(model);
  const isFree = place === "machine" || isAgentCli(provider) || OWN_SERVERS.includes(provider);
  const price = longestMatch(model, own) ?? (isFree ? FREE : longestMatch(model, LIST_PRICES));
  return { ...(price ?? ASSUMED), known: price !== undefined };
}

function longestMatch(model: string, prices: Readonly<Record<string, Price>>): Price | undefined {
  const [best] = Object.entries(prices)
    .filter(([name]) => model.startsWith(name))
    .toSorted(([a], [b]) => b.length - a.length);
  return best?.[1];
}

/** Cost of a request: as the provider reports it, else computed from the price. */
export function dollarsOf(usage: TokenUsage, price: Price): number {
  if (usage.dollars !== undefined) return usage.dollars;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens);
  return (fresh * price.input + usage.cachedTokens * price.cached + usage.outputTokens * price.output) / 1_000_000;
}

/** Spending limits per calendar day in the clock's zone. */
export interface Budget {
  readonly requests: number;
  /** Input and output. */
  readonly tokens: number;
  /** Time spent waiting for answers. */
  readonly seconds: number;
  /** US dollars, by list prices. */
  readonly dollars: number;
}

/** Enough for several hundred prompts a day with a small model; stops a runaway loop. */
export const DEFAULT_BUDGET: Budget = { requests: 500, tokens: 2_000_000, seconds: 1800, dollars: 1 };

/** One line of the ledger. A request has two: `begun` before it is sent, and its outcome. */
export interface SpendEntry extends TokenUsage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly model: string;
  readonly purpose: string;
  readonly state: "begun" | ModelResult["kind"];
  readonly ms: number;
  readonly dollars: number;
}

/** Records spending; never prompts, answers or keys. Several processes may write at once. */
export interface SpendLedger {
  /** Atomic and on disk when it returns. @throws MemoryError when it cannot be written. */
  append(entry: SpendEntry): void;
  /** Entries since a time, in any order; unreadable lines are skipped. */
  since(ms: number): readonly SpendEntry[];
}

export interface SpendSum extends Budget {
  readonly cachedTokens: number;
  /** Requests without an outcome because their process was killed. Their cost is unknown. */
  readonly unfinished: number;
}

/** Spending on the calendar day of `now`. */
export function spentToday(ledger: Pick<SpendLedger, "since">, now: number, timeZone: string | undefined): SpendSum {
  const today = dayIn(timeZone, now);
  // A calendar day has at most 25 hours.
  return sumSpend(ledger.since(now - 25 * 3_600_000).filter(({ time }) => dayIn(timeZone, time) === today));
}

export function sumSpend(entries: readonly SpendEntry[]): SpendSum {
  const requests = new Set(entries.map(({ id }) => id));
  const ended = [
    ...new Map(entries.filter(({ state }) => state !== "begun").map((entry) => [entry.id, entry])).values(),
  ];
  const total = (of: (entry: SpendEntry) => number): number => ended.reduce((sum, entry) => sum + of(entry), 0);
  return {
    requests: requests.size,
    tokens: total(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    seconds: total(({ ms }) => ms) / 1000,
    dollars: total(({ dollars }) => dollars),
    cachedTokens: total(({ cachedTokens }) => cachedTokens),
    unfinished: requests.size - ended.length,
  };
}

/** The limit that is reached; `undefined` while another request is allowed. */
export function exceededLimit(spent: Budget, budget: Budget): keyof Budget | undefined {
  const limits = ["requests", "tokens", "seconds", "dollars"] as const;
  return limits.find((limit) => spent[limit] >= budget[limit]);
}
