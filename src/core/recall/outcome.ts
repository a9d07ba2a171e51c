import type { SelectionRule } from "./likelihood.ts";

/**
 * The outcome for a note that recall considered; the log and JSON call it `fate`. `surfaced`: this session already has
 * it, unchanged. `no-room`: chosen, but the budget was used up. `unlikely`: not even plausible. `too-many`: plausible,
 * but ranked after as many as are shown at once, or the client shows it anyway.
 */
export const OUTCOMES = ["shown", "pointed", "surfaced", "no-room", "unlikely", "too-many"] as const;

export type NoteOutcome = (typeof OUTCOMES)[number];

/** Known after a recall, by `scope:file`. */
interface Verdicts {
  readonly shown: ReadonlySet<string>;
  readonly pointed: ReadonlySet<string>;
  /** Given to the session earlier. */
  readonly surfaced: ReadonlySet<string>;
  /** Chosen, with or without room. */
  readonly chosen: ReadonlySet<string>;
  readonly rule: SelectionRule;
}

/** `likelihood`: probability that the note helps, 0 to 1. */
export function outcomeOf(key: string, likelihood: number, verdicts: Verdicts): NoteOutcome {
  if (verdicts.shown.has(key)) return "shown";
  if (verdicts.pointed.has(key)) return "pointed";
  if (verdicts.chosen.has(key)) return "no-room";
  if (likelihood < verdicts.rule.pointer) return "unlikely";
  return verdicts.surfaced.has(key) ? "surfaced" : "too-many";
}
