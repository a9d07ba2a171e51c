import { snippet } from "../../core/transcripts/word-query.ts";
import type { PastHit, SearchPast } from "../../core/transcripts/past.ts";
import type { Locations } from "../workspace/locations.ts";
import { listPastSessions } from "./past-sessions.ts";
import { withoutRunning } from "./running-session.ts";
import { maskedText } from "./search.ts";
import { searchWords, type WordMessage } from "./search-words.ts";

/** The search over transcripts of this project; `undefined` where memory is off, and then no tool offers it. */
export function openPast(locations: Locations): SearchPast | undefined {
  if (locations.mode === "off") return undefined;
  return async (query, { most, running, signal, onProgress }) => {
    const all = listPastSessions(locations);
    const sessions = withoutRunning(all, running, locations.environment, Date.now());
    const messages = await searchWords(locations, sessions, query, {
      signal,
      ...(onProgress !== undefined && { onProgress }),
    });
    return { hits: messages.slice(0, most).map(hitOf), total: messages.length };
  };
}

/** Of a message so much is shown around the words (characters). */
const SNIPPET_CHARACTERS = 600;

/** The words with what stands around them, secrets masked. */
function hitOf({ session, speaker, timeMs, text, passage }: WordMessage): PastHit {
  return {
    agent: session.agent,
    session: session.session,
    role: speaker === "you" ? "user" : speaker === "agent" ? "assistant" : "tool",
    time: new Date(timeMs).toISOString(),
    text: snippet(maskedText({ text, at: passage.from }), passage, SNIPPET_CHARACTERS),
  };
}
