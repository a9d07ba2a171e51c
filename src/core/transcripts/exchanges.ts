import { callsMemory, writtenPaths } from "./tool-calls.ts";
import type { Turn } from "./turn.ts";

export interface Unsaved {
  readonly turns: readonly Turn[];
  /** Turns left out, because in their exchange the agent saved what it wanted to keep. */
  readonly left: number;
}

/** Leaves out every exchange (a person's words and what the agent did upon them) in which the agent itself wrote to memory. */
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

/** The turns from the person's last words on. */
export function lastExchange(turns: readonly Turn[]): readonly Turn[] {
  return exchangesOf(turns).findLast((exchange) => exchange.some(({ role }) => role === "user")) ?? [];
}

function exchangesOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const exchanges: Turn[][] = [];
  let previous: Turn["role"] | undefined;
  for (const turn of turns) {
    const current = exchanges.at(-1);
    // Messages typed one after the other are one: the agent answers them together.
    if (current === undefined || (turn.role === "user" && previous === "assistant")) exchanges.push([turn]);
    else current.push(turn);
    previous = turn.role;
  }
  return exchanges;
}
