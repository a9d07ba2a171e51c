import type { Scope } from "../notes/note.ts";
import type { SpokenWord } from "./prompt.ts";
import type { SelectionRule } from "./likelihood.ts";

/**
 * The outcome for a note that recall considered; the log and JSON call it `fate`. `surfaced`: this session has it already, unchanged. `no-room`:
 * chosen, but the budget was used up. `unlikely`: not even plausible. `too-many`: plausible, but as many as are
 * shown at once came before it, or the client shows it anyway.
 */
export const OUTCOMES = ["shown", "pointed", "surfaced", "no-room", "unlikely", "too-many"] as const;

export type NoteOutcome = (typeof OUTCOMES)[number];

/** What is known after a recall, by `scope:file`. */
interface Verdicts {
  readonly shown: ReadonlySet<string>;
  readonly pointed: ReadonlySet<string>;
  /** Had by the session before. */
  readonly surfaced: ReadonlySet<string>;
  /** Chosen, whether there was room or not. */
  readonly chosen: ReadonlySet<string>;
  readonly rule: SelectionRule;
}

/** `likelihood`: that the note helps, 0 to 1. */
export function outcomeOf(key: string, likelihood: number, verdicts: Verdicts): NoteOutcome {
  if (verdicts.shown.has(key)) return "shown";
  if (verdicts.pointed.has(key)) return "pointed";
  if (verdicts.chosen.has(key)) return "no-room";
  if (likelihood < verdicts.rule.pointer) return "unlikely";
  return verdicts.surfaced.has(key) ? "surfaced" : "too-many";
}

/** Why a recall showed what it showed, or nothing. */
export type RecallVerdict =
  | "off"
  | "empty-prompt"
  | "no-notes"
  | "common-words"
  | "no-match"
  | "shown"
  | "pointed"
  | "surfaced"
  | "no-room"
  | "unlikely";

export interface ExplainedWord extends SpokenWord {
  /** How many live notes have it, all scopes together, and how many of the likeliest log entries. */
  readonly notes: number;
}

export interface ExplainedNote {
  readonly scope: Scope;
  readonly file: string;
  /** That the note helps, as recall judged: 0 to 1. */
  readonly score: number;
  readonly fate: NoteOutcome;
  /** The prompt's words that the note has, those that it answers by a related word alone, those that only stand in the entries around it (of a log), and those it lacks. */
  readonly has: readonly string[];
  readonly relates: readonly string[];
  readonly nearby: readonly string[];
  /** Other notes with words of the prompt that link to it. */
  readonly linkedFrom: readonly string[];
  readonly lacks: readonly string[];
}

/** One recall, explained: of now, or of the log. */
export interface Explanation {
  readonly verdict: RecallVerdict;
  /** `undefined` where the log keeps only a hash. */
  readonly prompt: string | undefined;
  /** Set for a logged recall (ISO time); its scores are those of then, its words are compared with the notes of now. */
  readonly loggedAt: string | undefined;
  readonly session: string | undefined;
  readonly words: readonly ExplainedWord[];
  /** Live notes that were looked through. */
  readonly scopes: readonly { readonly scope: Scope; readonly notes: number }[];
  /** Entries of daily logs that are about this project or none, now; `undefined` where there are no logs. */
  readonly logEntries: number | undefined;
  /** How likely a note has to be to help: to be shown whole, and to be pointed at; 0 to 1. */
  readonly floors: { readonly whole: number; readonly pointer: number };
  /** Best first. */
  readonly candidates: readonly ExplainedNote[];
  /** Notes that were ranked and are not among `candidates`. */
  readonly more: number;
  readonly cut: readonly { readonly scope: Scope; readonly file: string; readonly characters: number }[];
  readonly characters: number;
  readonly by: "rules" | "model";
  readonly ms: number | undefined;
  /** Whatever else stood in the way: an index that was behind, files that are not read. */
  readonly remarks: readonly string[];
}

/** The verdict that follows from what became of the notes. */
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
  if (outcomes.includes("shown")) return "shown";
  if (outcomes.includes("pointed")) return "pointed";
  if (outcomes[0] === "surfaced") return "surfaced";
  if (outcomes.includes("no-room")) return "no-room";
  if (outcomes.length > 0) return outcomes.includes("surfaced") ? "surfaced" : "unlikely";
  if (facts.prompt?.trim() === "") return "empty-prompt";
  if (facts.notes === 0) return "no-notes";
  return facts.words !== undefined && facts.words.every(({ terms }) => terms.length === 0)
    ? "common-words"
    : "no-match";
}
