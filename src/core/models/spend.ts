import { dayIn } from "../shared/clock.ts";
import type { ModelResult, TokenUsage } from "./model.ts";

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
