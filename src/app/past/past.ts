import {
  findWords,
  passageOf,
  rankByWords,
  snippet,
  type WordMatch,
  wordQuery,
  type WordQuery,
  wordWeights,
} from "../../core/transcripts/word-query.ts";
import {
  type PastHit,
  type PastSession,
  type SearchPast,
  type SearchTerm,
  searchTerm,
} from "../../core/transcripts/past.ts";
import type { Locations } from "../workspace/locations.ts";
import { listPastSessions, withoutRunning } from "./past-sessions.ts";
import { linesReader, maskedText, openSpans, SAID, timeOf } from "./search.ts";
import { pause } from "../workspace/pause.ts";
import { parseLine } from "../../core/transcripts/turn.ts";
import { searchableText } from "../../core/transcripts/said.ts";

/** A message that contains words of the query. Its text is the original: mask secrets before showing it. */
interface WordMessage extends WordMatch {
  readonly session: PastSession;
  readonly text: string;
  /** The part of the text with the most words (UTF-16 positions). */
  readonly passage: { readonly from: number; readonly to: number };
}

interface WordSearchOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Stops after this many messages, newest first: common words are nearly everywhere. */
const MOST_MESSAGES = 5_000;

/** A longer text is searched only up to here (characters). */
const MOST_CHARACTERS = 200_000;

/** memdir's own answers are not found again. */
const OWN_ANSWER = /(?:<|&lt;)memdir-context/u;

const OWN_CALL = /search_past$/u;

/** Messages with any of the words, best first. @throws MemoryError `invalid-input` without a word. */
async function searchWords(
  locations: Locations,
  sessions: readonly PastSession[],
  wanted: string,
  { signal, onProgress }: WordSearchOptions = {},
): Promise<readonly WordMessage[]> {
  const query = wordQuery(wanted);
  const { readers, close } = readersOf(locations, sessions, query);
  const found: Omit<WordMessage, "passage">[] = [];
  try {
    for (const [done, session] of sessions.entries()) {
      if (signal?.aborted === true || found.length >= MOST_MESSAGES) break;
      const lines = new Set(readers.flatMap((read) => readable(() => read(session))));
      found.push(...messagesIn(session, lines, query));
      onProgress?.(done + 1, sessions.length);
      // Other work in this process gets a turn between two files.
      await pause();
    }
  } finally {
    close();
  }
  const weights = wordWeights(found, query);
  return rankByWords(found, weights).map((message) => ({ ...message, passage: passageOf(message.hits, weights) }));
}

type Reader = (session: PastSession) => readonly string[];

/** One reader per text: searches bytes first, and parses only lines that contain one of them. */
function readersOf(
  locations: Locations,
  sessions: readonly PastSession[],
  { words }: WordQuery,
): { readonly readers: readonly Reader[]; readonly close: () => void } {
  const starts = [...new Set(words.flatMap((word) => word.starts))];
  const { spansOf, close } = openSpans(locations, starts, []);
  return {
    readers: starts.flatMap((start, at) =>
      needlesOf(start).map((needle) => linesReader(sessions, needle, spansOf[at])),
    ),
    close,
  };
}

/** As for a phrase. If no part has the same bytes in both cases: lower case, capitalised and upper case. */
function needlesOf(start: string): readonly Pick<SearchTerm, "needle" | "ignoreCase">[] {
  const term = searchTerm(start, { regex: false, ignoreCase: true });
  if (term.needle !== undefined) return [term];
  const [first = "", ...rest] = start;
  return [...new Set([start, first.toUpperCase() + rest.join(""), start.toUpperCase()])].map((needle) => ({
    needle,
    ignoreCase: false,
  }));
}

function messagesIn(
  session: PastSession,
  lines: Iterable<string>,
  query: WordQuery,
): readonly Omit<WordMessage, "passage">[] {
  const said = SAID[session.agent];
  // A message that is written again, longer, counts as one.
  const messages = new Map<string, Omit<WordMessage, "passage">>();
  let nameless = 0;
  for (const line of said === undefined ? [] : lines) {
    const parsed = parseLine(line);
    if (!parsed.ok) continue;
    for (const { id, time, said: parts } of said?.(parsed.record) ?? []) {
      for (const [part, one] of parts.entries()) {
        const text = searchableText(one).slice(0, MOST_CHARACTERS);
        if (OWN_CALL.test(one.call?.name ?? "") || OWN_ANSWER.test(text)) continue;
        const hits = findWords(text, query);
        if (hits.length > 0)
          messages.set(id === undefined || session.agent === "opencode" ? `line ${nameless++}` : `${id} ${part}`, {
            session,
            speaker: one.speaker,
            timeMs: timeOf(time, session),
            text,
            hits,
          });
      }
    }
  }
  return [...messages.values()];
}

/** The transcript may have been deleted since it was listed. */
function readable(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string") return [];
    throw error;
  }
}

/** The search over this project's transcripts; `undefined` when memory is off, and then no tool offers it. */
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

/** How much of a message is shown around the words (characters). */
const SNIPPET_CHARACTERS = 600;

/** The words with their context, secrets masked. */
function hitOf({ session, speaker, timeMs, text, passage }: WordMessage): PastHit {
  return {
    agent: session.agent,
    session: session.session,
    role: speaker === "you" ? "user" : speaker === "agent" ? "assistant" : "tool",
    time: new Date(timeMs).toISOString(),
    text: snippet(maskedText({ text, at: passage.from }), passage, SNIPPET_CHARACTERS),
  };
}
