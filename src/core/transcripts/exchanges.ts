import { callsMemory, writtenPaths } from "./tool-calls.ts";
import type { Turn } from "./turn.ts";

export interface Unsaved {
  readonly turns: readonly Turn[];
  /** The number of turns left out, because the agent saved what it wanted to keep in their exchange. */
  readonly left: number;
}

/** Leaves out every exchange (the user's words and the agent's response) in which the agent itself wrote to memory. */
export function withoutSaved(turns: readonly Turn[], isMemory: (path: string) => boolean): Unsaved {
  const kept = exchangesOf(turns)
    .filter(
      (exchange) =>
        !exchange.some(({ toolCalls }) =>
          toolCalls.some((call) => callsMemory(call) || writtenPaths(call).some(isMemory)),
        ),
    )
    .flat();
  return { turns: kept, left: turns.length - kept.length };
}

/** The turns since the user's last words. */
export function lastExchange(turns: readonly Turn[]): readonly Turn[] {
  return exchangesOf(turns).findLast((exchange) => exchange.some(({ role }) => role === "user")) ?? [];
}

function exchangesOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const exchanges: Turn[][] = [];
  let previous: Turn["role"] | undefined;
  for (const turn of turns) {
    const current = exchanges.at(-1);
    // Consecutive messages are one: the agent answers them together.
    if (current === undefined || (turn.role === "user" && previous === "assistant")) exchanges.push([turn]);
    else current.push(turn);
    previous = turn.role;
  }
  return exchanges;
}
