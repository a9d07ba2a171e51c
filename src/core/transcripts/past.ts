import { MemoryError } from "../shared/errors.ts";

/** What to search for: a literal text or a pattern. */
export interface SearchTerm {
  /**
   * A part of the term that appears in a transcript's bytes exactly as here, despite JSON escapes: lines without it
   * cannot match. ASCII letters are lower case with `ignoreCase`. `undefined`: every line may match.
   */
  readonly needle: string | undefined;
  readonly ignoreCase: boolean;
  /** Position of the first match at or after `from`; -1 if there is none. */
  find(text: string, from: number): number;
}

/** @throws MemoryError `invalid-input` for an empty term or an invalid pattern. */
export function searchTerm(
  term: string,
  options: { readonly regex: boolean; readonly ignoreCase: boolean },
): SearchTerm {
  const { regex, ignoreCase } = options;
  if (term.trim() === "")
    throw new MemoryError("invalid-input", "there is nothing to search for: give a word, an error text or a path");
  if (!regex && !ignoreCase)
    return { needle: plainRun(term, false), ignoreCase, find: (text, from) => text.indexOf(term, from) };
  const pattern = regex ? compile(term, ignoreCase) : new RegExp(term.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&"), "gi");
  return {
    needle: regex ? undefined : plainRun(term, true),
    ignoreCase,
    find(text, from) {
      pattern.lastIndex = from;
      return pattern.exec(text)?.index ?? -1;
    },
  };
}

function compile(source: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(source, ignoreCase ? "giu" : "gu");
  } catch (error) {
    throw new MemoryError(
      "invalid-input",
      `"${source}" is not a regular expression: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** A needle's first characters are enough; longer ones find nothing more. */
const LONGEST_NEEDLE = 128;

/**
 * The longest run of characters that no JSON writer escapes, not even twice. Ignoring case, only ASCII is safe: other
 * letters may differ from their capitals in every byte.
 */
function plainRun(term: string, ignoreCase: boolean): string | undefined {
  const runs = term.split(
    ignoreCase ? /["\\<>&\u0000-\u001f\u007f-\u{10ffff}]/u : /["\\<>&\u0000-\u001f\u007f\u2028\u2029]/u,
  );
  const longest = runs.reduce((best, run) => (Buffer.byteLength(run) > Buffer.byteLength(best) ? run : best), "");
  const needle = Array.from(longest).slice(0, LONGEST_NEEDLE).join("");
  return needle === "" ? undefined : ignoreCase ? needle.toLowerCase() : needle;
}

/** A session that a client keeps on this machine, as far as is known without reading it. */
export interface PastSession {
  readonly agent: string;
  readonly session: string;
  /** Its working directory; `undefined` if the client does not record it. */
  readonly cwd: string | undefined;
  /** Of the last change (ms since the epoch). */
  readonly timeMs: number;
  /** The transcript, or the database that contains it. */
  readonly path: string;
  /** Of the transcript; 0 in a database. */
  readonly bytes: number;
}

/** One passage of an earlier session. */
export interface PastHit {
  readonly agent: string;
  readonly session: string;
  /** `tool`: what a tool returned. */
  readonly role: "user" | "assistant" | "tool";
  /** ISO time, if the transcript has one. */
  readonly time: string | undefined;
  /** The text around the words that were found. */
  readonly text: string;
}

export interface PastResult {
  /** Best first, at most the requested number. */
  readonly hits: readonly PastHit[];
  /** All that were found. */
  readonly total: number;
}

/** What a client sends with a call; it identifies the client's own session. */
export interface RunningCall {
  /** The client's name in sessions (`claude-code`, `codex`, `gemini`, `opencode`); `undefined` if it has none. */
  readonly agent: string | undefined;
  /** `_meta` of the call. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface PastOptions {
  readonly most: number;
  readonly running: RunningCall;
  readonly signal: AbortSignal;
  /** Called occasionally: sessions searched so far, and their total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Searches the sessions that agents keep of a project. */
export type SearchPast = (query: string, options: PastOptions) => Promise<PastResult>;
