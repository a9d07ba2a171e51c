import type { IndexEntry } from "../notes/note-index.ts";
import { type Fate, fateOf } from "../recall/fate.ts";
import { noteKey, type SessionLedger } from "../recall/ledger.ts";
import { type LoggedNote, type LoggedRecall, loggedPrompt, writeLogLine } from "../recall/log-line.ts";
import type { RenderedRecall } from "../recall/render.ts";
import { SELECTION_RULE } from "../recall/select.ts";
import { sha256 } from "../shared/hash.ts";
import type { RankedNote, RecallOutcome, RecallWorkspace } from "./recall-notes.ts";

/** A recall that was answered, as it is to be logged and explained. */
export interface AnsweredRecall {
  readonly prompt: string;
  readonly session?: string | undefined;
  /** What the session had before. */
  readonly ledger?: SessionLedger | undefined;
  readonly outcome: RecallOutcome;
  readonly rendered: RenderedRecall;
  readonly ms: number;
}

/** A note that was considered, with what became of it. */
export interface JudgedNote extends RankedNote {
  readonly fate: Fate;
}

const LOGGED_CANDIDATES = 10;

/** Writes a recall down where the mode allows writing. Never fails and never waits. */
export function logRecall(workspace: RecallWorkspace, answered: AnsweredRecall): void {
  const { recallLog, mode, stores } = workspace;
  if (mode !== "auto" || recallLog.keeps === "nothing" || stores.length === 0 || answered.prompt.trim() === "") return;
  recallLog.append(writeLogLine(loggedRecall(workspace, answered)));
}

function loggedRecall({ recallLog, clock, stores }: RecallWorkspace, answered: AnsweredRecall): LoggedRecall {
  const { outcome, rendered, prompt, session, ms } = answered;
  const judged = judge(outcome, rendered, answered.ledger, stores);
  const logged = (fate: Fate): LoggedNote[] => judged.filter((note) => note.fate === fate).map(({ scope, file, score }) => ({ scope, file, hash: entryOf(stores, { scope, file })?.hash ?? "", score }));
  return {
    time: new Date(clock.now()).toISOString(),
    ...(session !== undefined && { session }),
    project: recallLog.project,
    ...(recallLog.keeps === "hash" ? { promptHash: sha256(prompt) } : { prompt: loggedPrompt(prompt) }),
    ms,
    selected: logged("shown"),
    pointed: logged("pointed"),
    candidates: judged.slice(0, LOGGED_CANDIDATES),
    floors: Object.fromEntries(outcome.details.map(({ scope, recall }) => [scope, recall.floor])),
    cut: rendered.shown.filter(({ cut }) => cut > 0).map(({ file, cut }) => ({ file, characters: cut })),
    characters: rendered.text.length,
    by: "rules",
    notes: Object.fromEntries(stores.map(({ scope, store }) => [scope, store.index.count()])),
  };
}

/** Every note that was ranked, best first, with its fate. */
export function judge(outcome: RecallOutcome, rendered: RenderedRecall, ledger: SessionLedger | undefined, stores: RecallWorkspace["stores"]): JudgedNote[] {
  const selected = new Set(outcome.selected.map(noteKey));
  const omitted = new Set(rendered.omitted);
  const verdicts = {
    selected,
    shown: new Set(outcome.selected.filter(({ file }) => !omitted.has(file)).map(noteKey)),
    pointed: new Set<string>(),
    surfaced: new Set(outcome.ranked.filter((note) => hasSeen(ledger, note, stores)).map(noteKey)),
    best: outcome.ranked[0]?.score ?? 0,
    rule: SELECTION_RULE,
  };
  return outcome.ranked.map(({ scope, file, score }) => ({ scope, file, score, fate: fateOf(noteKey({ scope, file }), score, verdicts) }));
}

function hasSeen(ledger: SessionLedger | undefined, note: RankedNote, stores: RecallWorkspace["stores"]): boolean {
  const hash = ledger?.surfaced.get(noteKey(note));
  return hash !== undefined && hash === entryOf(stores, note)?.hash;
}

function entryOf(stores: RecallWorkspace["stores"], { scope, file }: Pick<RankedNote, "scope" | "file">): IndexEntry | undefined {
  return stores.find((one) => one.scope === scope)?.store.index.entry(file);
}
