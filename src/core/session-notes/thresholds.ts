import type { Transcript } from "../transcripts/turn.ts";
import { estimateTokens } from "../shared/tokens.ts";

/** Notes begin when so much was said (tokens), and are renewed after so much more and so many tool calls. */
export const THRESHOLDS = { startTokens: 10_000, updateTokens: 5_000, updateToolCalls: 3 } as const;

/** How far a session has come. */
export interface Progress {
  /** Estimated tokens of everything said, called and returned. */
  readonly tokens: number;
  readonly toolCalls: number;
}

export function progressOf({ turns, toolTexts }: Transcript): Progress {
  const calls = turns.flatMap(({ toolCalls }) => toolCalls);
  const texts = [
    ...turns.map(({ text }) => text),
    ...calls.map(({ input }) => (input === undefined ? "" : JSON.stringify(input))),
    ...toolTexts,
  ];
  return { tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), toolCalls: calls.length };
}

/** `before` is where the session was when its notes were last renewed, or last tried to be. */
export function isDue(now: Progress, before: Progress | undefined): boolean {
  if (before === undefined) return now.tokens >= THRESHOLDS.startTokens;
  return (
    now.tokens - before.tokens >= THRESHOLDS.updateTokens &&
    now.toolCalls - before.toolCalls >= THRESHOLDS.updateToolCalls
  );
}
