import type { CaptureDeps } from "../../../src/core/capture/plan-capture.ts";
import type { SecretScanner } from "../../../src/core/shared/secrets/mask.ts";
import { dateResolver } from "../../../src/core/notes/dates/resolve.ts";
import type { Transcript, Turn } from "../../../src/core/transcripts/turn.ts";

/** Tuesday. */
const SAID_AT = "2026-03-10T10:00:00.000Z";

/** A session of prompts, each with what the agent had said before it. */
export function sessionOf(
  prompts: readonly (string | { readonly agent: string; readonly user: string })[],
  toolTexts: readonly string[] = [],
): Transcript {
  const turns = prompts.flatMap((prompt, index): readonly Turn[] => {
    const said = typeof prompt === "string" ? { agent: "Done.", user: prompt } : prompt;
    return [
      { role: "assistant", id: `a${index + 1}`, text: said.agent, time: SAID_AT, toolCalls: [] },
      { role: "user", id: `u${index + 1}`, text: said.user, time: SAID_AT, toolCalls: [] },
    ];
  });
  return { agent: "test", session: "s1", cwd: undefined, turns, toolTexts, problems: [] };
}

/** Knows one secret. */
export const MARKED_SECRET = "swordfish-0000";
const secrets: SecretScanner = {
  scan: async (text) =>
    [...text.matchAll(new RegExp(MARKED_SECRET, "gu"))].map((match) => ({
      start: match.index,
      end: match.index + MARKED_SECRET.length,
      rule: "marked",
    })),
};

export const deps: CaptureDeps = { secrets, dates: dateResolver, timeZone: "UTC" };
