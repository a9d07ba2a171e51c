import { surfacedIn } from "../../core/recall/ledger.ts";
import type { RenderedRecall } from "../../core/recall/render.ts";
import { SELECTION_RULE, type SelectionRule } from "../../core/recall/likelihood.ts";
import { logRecall } from "./log-recall.ts";
import { type RecallOutcome, recallNotes, type RecallWorkspace, recordRecall, renderOutcome } from "./recall-notes.ts";

/** Checks what the chosen notes claim. */
export type Verifier = (outcome: RecallOutcome) => RecallOutcome;

export interface RecallQuestion {
  readonly prompt: string;
  /** Asked only when notes were chosen; `undefined` leaves them unchecked. */
  readonly verify: Verifier | undefined;
  /** The client's conversation; `undefined` when it names none. */
  readonly session?: string | undefined;
  /** The client keeps nothing of what it was given: what the session was given before is given again. */
  readonly again?: boolean | undefined;
  /** Paths that the work is about, the latest first. */
  readonly touchedFiles?: readonly string[] | undefined;
  /** Hash of each note that is given with the same answer, by `noteKey`. */
  readonly given?: ReadonlyMap<string, string> | undefined;
  /** Notes that the client shows in its index, or that are listed in the same answer; `undefined` where there is no index. */
  readonly shownInIndex?: ReadonlySet<string> | undefined;
  /** Most characters of the text. */
  readonly most?: number | undefined;
  /** How the agent opens a note, where it is not the `memdir` command. */
  readonly readWith?: ((reference: string) => string) | undefined;
  /** Lines that point at skills, shown within the budget of the answer. */
  readonly skills?: readonly string[] | undefined;
}

export interface AnsweredRecall {
  readonly outcome: RecallOutcome;
  readonly rendered: RenderedRecall;
  /** How likely a note had to be to help. */
  readonly rule: SelectionRule;
  /** Counts and logs what was shown; to be called once it was delivered. */
  readonly delivered: () => void;
}

/**
 * The one recall of every surface: chooses, verifies and renders; `delivered` counts and logs. Notes that the session
 * has already, unchanged, are left out.
 */
export function recall(workspace: RecallWorkspace, question: RecallQuestion): AnsweredRecall {
  const { prompt, verify, session, again, touchedFiles, given, shownInIndex, most, readWith, skills } = question;
  // Not `performance`, which loads a module for some 2 ms of a cold process.
  const started = process.hrtime.bigint();
  const ledger = session === undefined || again === true ? undefined : surfacedIn(workspace.recallLog, session);
  const isIndexed = shownInIndex !== undefined || (ledger?.listed.size ?? 0) > 0;
  const recalled = recallNotes(workspace, prompt, {
    ...ledger,
    ...(given !== undefined && { surfaced: new Map([...(ledger?.surfaced ?? []), ...given]) }),
    ...(isIndexed && { shownInIndex: new Set([...(shownInIndex ?? []), ...(ledger?.listed ?? [])]) }),
    ...(touchedFiles !== undefined && { touchedFiles }),
  });
  const outcome = recalled.selected.length === 0 || verify === undefined ? recalled : verify(recalled);
  const rendered = renderOutcome(workspace.clock, outcome, {
    session: ledger,
    ...(most !== undefined && { budget: { client: most } }),
    ...(readWith && { readWith }),
    ...(skills && { skills }),
  });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  const delivered = (): void => {
    recordRecall(workspace, outcome.selected);
    logRecall(workspace, { prompt, session, ledger, outcome, rendered, ms });
  };
  return { outcome, rendered, rule: SELECTION_RULE, delivered };
}
