import { MemoryError } from "../shared/errors.ts";

/** What is looked for: a text as it stands, or a pattern. */
export interface SearchTerm {
  /**
   * A part of the term that stands in a transcript's bytes as it is written here, whatever JSON escapes: lines
   * without it cannot match. ASCII letters are small with `ignoreCase`. `undefined`: every line may match.
   */
  readonly needle: string | undefined;
  readonly ignoreCase: boolean;
  /** Position of the first match at or after `from`; -1 when there is none. */
  find(text: string, from: number): number;
}

/** @throws MemoryError `invalid-input` for an empty term or a pattern that is none. */
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

/** Longer needles find nothing that their beginning does not. */
const LONGEST_NEEDLE = 128;

/**
 * The longest run of characters that no JSON writer escapes, not even twice. Without regard to case only ASCII is
 * sure: elsewhere a letter and its capital may differ in every byte.
 */
function plainRun(term: string, ignoreCase: boolean): string | undefined {
  const runs = term.split(
    ignoreCase ? /["\\<>&\u0000-\u001f\u007f-\u{10ffff}]/u : /["\\<>&\u0000-\u001f\u007f\u2028\u2029]/u,
  );
  const longest = runs.reduce((best, run) => (Buffer.byteLength(run) > Buffer.byteLength(best) ? run : best), "");
  const needle = Array.from(longest).slice(0, LONGEST_NEEDLE).join("");
  return needle === "" ? undefined : ignoreCase ? needle.toLowerCase() : needle;
}

/** A session that some client keeps on this machine, as far as can be told without reading it. */
export interface PastSession {
  readonly agent: string;
  readonly session: string;
  /** Where it was started; `undefined` where the client does not say. */
  readonly cwd: string | undefined;
  /** Of the last change (ms since the epoch). */
  readonly timeMs: number;
  /** The transcript, or the database that it is in. */
  readonly path: string;
  /** Of the transcript; 0 in a database. */
  readonly bytes: number;
}

/** One thing that was said in an earlier session. */
export interface PastHit {
  readonly agent: string;
  readonly session: string;
  /** `tool`: what a tool returned. */
  readonly role: "user" | "assistant" | "tool";
  /** ISO time, where the transcript has one. */
  readonly time: string | undefined;
  /** The words around those that were looked for. */
  readonly text: string;
}

export interface PastResult {
  /** The best first, at most as many as asked for. */
  readonly hits: readonly PastHit[];
  /** Found in all. */
  readonly total: number;
}

/** What a client tells with a call, by which its own session is known. */
export interface RunningCall {
  /** The client's name as sessions have it (`claude-code`, `codex`, `gemini`, `opencode`); `undefined` where it has none. */
  readonly agent: string | undefined;
  /** `_meta` of the call. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface PastOptions {
  readonly most: number;
  readonly running: RunningCall;
  readonly signal: AbortSignal;
  /** Told now and then: sessions looked at, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Looks for words in the sessions that agents keep of a project. */
export type SearchPast = (query: string, options: PastOptions) => Promise<PastResult>;
