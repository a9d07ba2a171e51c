import type { NotePlace } from "../../core/notes/names.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { NoteOutcome } from "../../core/recall/outcome.ts";
import type { SpokenWord } from "../../core/recall/prompt.ts";

/** Why a recall showed its result, or nothing. */
export type RecallVerdict =
  | "off"
  | "empty-prompt"
  | "no-notes"
  | "common-words"
  | "no-match"
  | Exclude<NoteOutcome, "too-many">;

export interface ExplainedWord extends SpokenWord {
  /** Number of live notes and of the likeliest log entries that have it, over all scopes. */
  readonly notes: number;
  /** Number of live notes that lead to it because a note that they superseded has it. */
  readonly former: number;
}

export interface ExplainedNote extends NotePlace {
  /** Estimated probability that the note helps, 0 to 1. */
  readonly score: number;
  readonly fate: NoteOutcome;
  /**
   * The prompt's words that are in it, only in a note that it superseded, answered by a related word only, only in nearby
   * log entries, or absent.
   */
  readonly has: readonly string[];
  readonly succeeds: readonly string[];
  readonly relates: readonly string[];
  readonly nearby: readonly string[];
  /** Other notes with words of the prompt that link to this one. */
  readonly linkedFrom: readonly string[];
  readonly lacks: readonly string[];
}

/** One recall, current or logged, explained. */
export interface Explanation {
  readonly verdict: RecallVerdict;
  /** `undefined` when the log has only a hash. */
  readonly prompt: string | undefined;
  /** ISO time of a logged recall; its scores are from then, but its words are compared with the current notes. */
  readonly loggedAt: string | undefined;
  readonly session: string | undefined;
  readonly words: readonly ExplainedWord[];
  /** Live notes searched. */
  readonly scopes: readonly { readonly scope: Scope; readonly notes: number }[];
  /** Current entries of daily logs about this project or none; `undefined` when there are no logs. */
  readonly logEntries: number | undefined;
  /** Likelihood needed for a note to be shown whole, and to be shown as a pointer; 0 to 1. */
  readonly floors: { readonly whole: number; readonly pointer: number };
  /** Best first. */
  readonly candidates: readonly ExplainedNote[];
  /** Number of ranked notes that are not in `candidates`. */
  readonly more: number;
  readonly cut: readonly (NotePlace & { readonly characters: number })[];
  readonly characters: number;
  readonly by: "rules" | "model";
  readonly ms: number | undefined;
  /** Other obstacles: an outdated index, files that are not read. */
  readonly remarks: readonly string[];
}

/** The verdict that follows from the notes' outcomes. */
export function verdictOf(
  outcomes: readonly NoteOutcome[],
  facts: {
    readonly off: boolean;
    readonly notes: number;
    readonly words: readonly SpokenWord[] | undefined;
    readonly prompt: string | undefined;
  },
): RecallVerdict {
  if (facts.off) return "off";
  const likeliest = (["shown", "pointed", "no-room", "surfaced"] as const).find((one) => outcomes.includes(one));
  if (outcomes.length > 0) return likeliest ?? "unlikely";
  if (facts.prompt?.trim() === "") return "empty-prompt";
  if (facts.notes === 0) return "no-notes";
  return facts.words !== undefined && facts.words.every(({ terms }) => terms.length === 0)
    ? "common-words"
    : "no-match";
}
