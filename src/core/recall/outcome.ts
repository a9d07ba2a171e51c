import type { SelectionRule } from "./select.ts";

/**
 * The outcome for a note that recall considered; the log and JSON call it `fate`. `surfaced`: this session has it already, unchanged. `no-room`:
 * chosen, but the budget was used up. `unlikely`: not even plausible. `too-many`: plausible, but as many as are
 * shown at once came before it, or the client shows it anyway.
 */
export const OUTCOMES = ["shown", "pointed", "surfaced", "no-room", "unlikely", "too-many"] as const;
export type NoteOutcome = (typeof OUTCOMES)[number];

/** What is known after a recall, by `scope:file`. */
export interface Verdicts {
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
