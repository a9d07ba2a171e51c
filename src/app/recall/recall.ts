import { surfacedIn } from "../../core/recall/ledger.ts";
import type { RenderedRecall } from "../../core/recall/render.ts";
import { logRecall } from "./log-recall.ts";
import { type RecallOutcome, recallNotes, type RecallWorkspace, recordRecall, renderOutcome } from "./recall-notes.ts";

/** Checks what the chosen notes claim. */
export type Verifier = (outcome: RecallOutcome) => RecallOutcome;

export interface RecallQuestion {
  readonly prompt: string;
  /** Called only when notes were chosen; `undefined` leaves them unchecked. */
  readonly verify: Verifier | undefined;
  /** The client's conversation; `undefined` when the client does not name it. */
  readonly session?: string | undefined;
  /** The client does not keep what it was given, so what the session was given before is given again. */
  readonly again?: boolean | undefined;
  /** Paths that the work is about, latest first. */
  readonly touchedFiles?: readonly string[] | undefined;
  /** Hash of each note given in the same answer, by `noteKey`. */
  readonly given?: ReadonlyMap<string, string> | undefined;
  /** Notes that the client shows in its index, or that the same answer lists; `undefined` without an index. */
  readonly shownInIndex?: ReadonlySet<string> | undefined;
  /** Longest text (characters). */
  readonly most?: number | undefined;
  /** How the agent opens a note, if not with the `memdir` command. */
  readonly readWith?: ((reference: string) => string) | undefined;
  /** Lines that point at skills; they count against the answer's budget. */
  readonly skills?: readonly string[] | undefined;
}

export interface AnsweredRecall {
  readonly outcome: RecallOutcome;
  readonly rendered: RenderedRecall;
  /** Counts and logs what was shown; to be called after delivery. */
  readonly delivered: () => void;
}

/**
 * The one recall of every surface. It chooses, verifies and renders; `delivered` counts and logs. Unchanged notes that
 * the session already has are left out.
 */
export function recall(workspace: RecallWorkspace, question: RecallQuestion): AnsweredRecall {
  const { prompt, verify, session, again, touchedFiles, given, shownInIndex, most, readWith, skills } = question;
  // Not `performance`, which adds some 2 ms to a cold start by loading a module.
  const started = process.hrtime.bigint();
  const ledger = session === undefined || again === true ? undefined : surfacedIn(workspace.recallLog, session);
  const recalled = recallNotes(workspace, prompt, {
    ...ledger,
    ...(given !== undefined && { surfaced: new Map([...(ledger?.surfaced ?? []), ...given]) }),
    shownInIndex,
    ...(touchedFiles !== undefined && { touchedFiles }),
  });
  const outcome = recalled.selected.length === 0 || verify === undefined ? recalled : verify(recalled);
  const rendered = renderOutcome(workspace.clock, outcome, {
    session: ledger,
    client: most,
    ...(readWith && { readWith }),
    ...(skills && { skills }),
  });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  const delivered = (): void => {
    recordRecall(workspace, outcome.selected);
    logRecall(workspace, { prompt, session, ledger, outcome, rendered, ms });
  };
  return { outcome, rendered, delivered };
}
