import { surfacedIn } from "../recall/ledger.ts";
import { writeCompactionLine } from "../recall/log-line.ts";
import type { RenderedRecall } from "../recall/render.ts";
import { logRecall } from "./log-recall.ts";
import { type RecallOutcome, recallNotes, type RecallWorkspace, recordRecall, renderOutcome } from "./recall-notes.ts";

export interface SessionPrompt {
  readonly prompt: string;
  /** The client's conversation; `undefined` when it names none. */
  readonly session: string | undefined;
  /** Notes that the client shows in its index. */
  readonly shownInIndex?: ReadonlySet<string>;
  /** Most characters of the text. */
  readonly most?: number;
  /** How the agent opens a note, where it is not the `memdir` command. */
  readonly readWith?: (reference: string) => string;
  /** Checks what the chosen notes claim; asked only when there are some. */
  readonly verify?: (outcome: RecallOutcome) => RecallOutcome;
}

export interface SessionRecall {
  readonly outcome: RecallOutcome;
  readonly rendered: RenderedRecall;
  /** Counts and logs what was shown; to be called once it was delivered. */
  readonly delivered: () => void;
}

/** What one prompt of a session recalls: notes that the session has already, unchanged, are left out. */
export function recallForSession(workspace: RecallWorkspace, { prompt, session, shownInIndex, most, readWith, verify }: SessionPrompt): SessionRecall {
  // The clock, not a finer one: `performance` costs a process that has just started more than a recall's rounding.
  const started = workspace.clock.now();
  const ledger = session === undefined ? undefined : surfacedIn(workspace.recallLog, session);
  const recalled = recallNotes(workspace, prompt, { ...ledger, ...(shownInIndex !== undefined && { shownInIndex }) });
  const outcome = recalled.selected.length === 0 || verify === undefined ? recalled : verify(recalled);
  const rendered = renderOutcome(workspace.clock, outcome, { sessionCharacters: ledger?.characters ?? 0, ...(most !== undefined && { budget: { client: most } }), ...(readWith && { readWith }) });
  const ms = workspace.clock.now() - started;
  const delivered = (): void => {
    recordRecall(workspace, outcome.selected);
    logRecall(workspace, { prompt, session, ledger, outcome, rendered, ms });
  };
  return { outcome, rendered, delivered };
}

/** The session's conversation was replaced by a summary: notes that it was given before may be shown again. */
export function forgetSurfaced({ recallLog, clock, mode }: Pick<RecallWorkspace, "recallLog" | "clock" | "mode">, session: string): void {
  if (mode !== "auto" || recallLog.keeps === "nothing" || session === "") return;
  recallLog.append(writeCompactionLine(session, new Date(clock.now()).toISOString()));
}
