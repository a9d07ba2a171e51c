import { truncate } from "../core/shared/text.ts";
import { linesAround } from "../core/transcripts/find-said.ts";
import type { PastHit, SearchPast } from "../core/transcripts/past.ts";
import type { SearchTerm } from "../core/transcripts/search-term.ts";
import type { Locations } from "./locations.ts";
import { maskedText, type PastMessage, searchPast } from "./search.ts";

/** The search over transcripts of this project; `undefined` where memory is off, and then no tool offers it. */
export function openPast(locations: Locations): SearchPast | undefined {
  if (locations.mode === "off") return undefined;
  return (query, { most }) => {
    const { messages, term } = searchPast(locations, query, { limit: most, ignoreCase: true });
    const hits = messages.map((message) => hitOf(message, term));
    return Promise.resolve({ hits, total: hits.length });
  };
}

/** A line and its neighbours, with secrets blotted out. */
function hitOf(message: PastMessage, term: SearchTerm): PastHit {
  const { session, speaker, timeMs, at } = message;
  const { line, before, after } = linesAround(maskedText(message), at, term);
  const words = [before, line, after].filter((part) => part.trim() !== "").map((part) => truncate(part.trim(), 300)).join("\n");
  return { agent: session.agent, session: session.session, role: speaker === "you" ? "user" : speaker === "agent" ? "assistant" : "tool", time: new Date(timeMs).toISOString(), text: words };
}
