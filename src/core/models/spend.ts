import { dayIn } from "../shared/clock.ts";
import { type ModelResult, type TokenUsage, isAgentCli, parseModelName, type Provider } from "./model.ts";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's cache. */
  readonly cached: number;
}

/** List prices when this was written, by the beginning of the name; the longest that fits counts. Settings override them. */
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

/** A model whose price is not known counts as a dear one, so that the day's limit holds all the same. */
const ASSUMED: Price = { input: 5, output: 25, cached: 5 };

/** One's own servers, wherever they stand. */
const OWN_SERVERS: readonly Provider[] = ["ollama", "lmstudio", "vllm"];

/** A request that comes out of a subscription, or goes to a server of one's own, costs no money that memdir could count. */
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

/** What a request cost: what the provider says, else by price. */
export function dollarsOf(usage: TokenUsage, price: Price): number {
  if (usage.dollars !== undefined) return usage.dollars;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens);
  return (fresh * price.input + usage.cachedTokens * price.cached + usage.outputTokens * price.output) / 1_000_000;
}

/** Most that may be spent in one calendar day of the clock's zone. */
export interface Budget {
  readonly requests: number;
  /** Input and output. */
  readonly tokens: number;
  /** Time spent waiting for answers. */
  readonly seconds: number;
  /** US dollars, by list prices. */
  readonly dollars: number;
}

/** Some hundred prompts a day with a small model; a loop that runs away ends here. */
export const DEFAULT_BUDGET: Budget = { requests: 500, tokens: 2_000_000, seconds: 1800, dollars: 1 };

/** One line of the ledger. A request has two: `begun` before anything is sent, and how it ended. */
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

/** Where spending is written down; never prompts, answers or keys. Several processes write to it at once. */
export interface SpendLedger {
  /** On disk in one piece when it returns. @throws MemoryError when it cannot be written. */
  append(entry: SpendEntry): void;
  /** Entries since a moment, in any order; lines that cannot be read are left out. */
  since(ms: number): readonly SpendEntry[];
}

export interface SpendSum extends Budget {
  readonly cachedTokens: number;
  /** Requests that were begun and never ended: a process was killed. What they cost is unknown. */
  readonly unfinished: number;
}

/** What the day of `now` has cost so far. */
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

/** Which limit is reached; `undefined` while there is room for a request. */
export function exceededLimit(spent: Budget, budget: Budget): keyof Budget | undefined {
  const limits = ["requests", "tokens", "seconds", "dollars"] as const;
  return limits.find((limit) => spent[limit] >= budget[limit]);
}
