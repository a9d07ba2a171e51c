import { type NoteOutcome, outcomeOf } from "../../core/recall/outcome.ts";
import { type SessionLedger } from "../../core/recall/ledger.ts";
import { noteKey } from "../../core/notes/names.ts";
import {
  type LoggedNote,
  loggedPrompt,
  type LoggedRecall,
  readLogLine,
  writeLogLine,
  type RecallLog,
} from "../../core/recall/log-line.ts";
import type { RenderedRecall } from "../../core/recall/render.ts";
import type { SelectionRule } from "../../core/recall/likelihood.ts";
import type { Scope } from "../../core/notes/note.ts";
import { mayWrite } from "../workspace/modes.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import type { RefinedRecall } from "./refine-recall.ts";
import type { RankedNote, RecallOutcome, RecallWorkspace } from "./recall-notes.ts";

/** Logged recalls, oldest first; damaged lines are skipped. */
export function loggedRecalls(log: Pick<RecallLog, "tail">): readonly LoggedRecall[] {
  return log.tail().flatMap((line) => {
    const recall = readLogLine(line);
    return recall === undefined ? [] : [recall];
  });
}

/** An answered recall, to be logged and explained. */
export interface DeliveredRecall {
  readonly prompt: string;
  readonly session?: string | undefined;
  /** What the session had been given before. */
  readonly ledger?: SessionLedger | undefined;
  readonly outcome: RecallOutcome;
  readonly rendered: RenderedRecall;
  readonly ms: number;
}

/** A note that was considered, with its likelihood to help (0 to 1) and its outcome. */
export interface JudgedNote extends RankedNote {
  readonly fate: NoteOutcome;
}

const LOGGED_CANDIDATES = 10;

/** Logs a recall if the mode allows writing. Never fails and never waits. */
export function logRecall(workspace: RecallWorkspace, answered: DeliveredRecall): void {
  append(workspace, answered.prompt, loggedRecall(workspace, answered));
}

/** A model's choice in addition to the fast answer. */
export interface ChosenRecall {
  readonly prompt: string;
  readonly session?: string | undefined;
  /** What the rules had judged. */
  readonly outcome: RecallOutcome;
  readonly chosen: Extract<RefinedRecall, { readonly kind: "chosen" }>;
}

/** Logs a model's choice as a separate line. Notes that the fast answer showed are not shown again. */
export function logChosenRecall(workspace: RecallWorkspace, { prompt, session, outcome, chosen }: ChosenRecall): void {
  const likelihoods = new Map(outcome.judged.map(({ note, likelihood }) => [noteKey(note), likelihood]));
  const added = new Set(chosen.added.map(noteKey));
  const candidates = chosen.selected.map(({ scope, file }) => ({
    scope,
    file,
    score: likelihoods.get(noteKey({ scope, file })) ?? 0,
    fate: added.has(noteKey({ scope, file })) ? ("shown" as const) : ("surfaced" as const),
  }));
  const hashOf = ({ scope, file }: { readonly scope: Scope; readonly file: string }): string =>
    workspace.stores.find((one) => one.scope === scope)?.store.index.entry(file)?.hash ?? "";
  append(workspace, prompt, {
    ...beginning(workspace, prompt, session, chosen.ms, outcome.rule),
    selected: candidates
      .filter(({ fate }) => fate === "shown")
      .map(({ scope, file, score }) => ({ scope, file, hash: hashOf({ scope, file }), score })),
    pointed: [],
    candidates,
    cut: [],
    characters: chosen.text.length,
    by: "model",
  });
}

type Beginning = Pick<
  LoggedRecall,
  "time" | "session" | "project" | "prompt" | "promptHash" | "ms" | "floors" | "notes"
>;

/** The fields that every line has. */
function beginning(
  { recallLog, clock, stores }: RecallWorkspace,
  prompt: string,
  session: string | undefined,
  ms: number,
  { whole, pointer }: SelectionRule,
): Beginning {
  return {
    time: new Date(clock.now()).toISOString(),
    ...(session !== undefined && { session: safeId(session) }),
    project: recallLog.project,
    ...(recallLog.keeps === "hash" ? { promptHash: sha256(prompt) } : { prompt: loggedPrompt(prompt) }),
    ms,
    floors: { whole, pointer },
    notes: Object.fromEntries(stores.map(({ scope, store }) => [scope, store.index.count()])),
  };
}

function append({ recallLog, mode, stores }: RecallWorkspace, prompt: string, line: LoggedRecall): void {
  if (!mayWrite(mode) || recallLog.keeps === "nothing" || stores.length === 0 || prompt.trim() === "") return;
  recallLog.append(writeLogLine(line));
}

function loggedRecall(workspace: RecallWorkspace, answered: DeliveredRecall): LoggedRecall {
  const { outcome, rendered, prompt, session, ms } = answered;
  const judged = judgedNotes(outcome, rendered, answered.ledger);
  const hashes = new Map(outcome.judged.map(({ note }) => [noteKey(note), note.entry.hash]));
  const logged = (fate: NoteOutcome): LoggedNote[] =>
    judged
      .filter((note) => note.fate === fate)
      .map(({ scope, file, score }) => ({ scope, file, hash: hashes.get(noteKey({ scope, file })) ?? "", score }));
  return {
    ...beginning(workspace, prompt, session, ms, outcome.rule),
    selected: logged("shown"),
    pointed: logged("pointed"),
    candidates: judged.slice(0, LOGGED_CANDIDATES),
    cut: cutNotes(rendered),
    characters: rendered.text.length,
    by: "rules",
    ...(rendered.spent && { spent: true }),
  };
}

/** Every note that was considered, likeliest first, with its outcome; `score` is its likelihood to help. */
export function judgedNotes(
  outcome: RecallOutcome,
  rendered: RenderedRecall,
  ledger: SessionLedger | undefined,
): JudgedNote[] {
  const isKnown = (key: string, hash: string): boolean =>
    ledger?.surfaced.get(key) === hash || ledger?.pointedAt.get(key) === hash;
  const verdicts = {
    shown: new Set(rendered.shown.map(noteKey)),
    pointed: new Set(rendered.pointed.map(noteKey)),
    chosen: new Set([...outcome.selected, ...outcome.pointed].map(noteKey)),
    surfaced: new Set(
      outcome.judged
        .map(({ note }) => [noteKey(note), note.entry.hash] as const)
        .filter(([key, hash]) => isKnown(key, hash))
        .map(([key]) => key),
    ),
    rule: outcome.rule,
  };
  return outcome.judged.map(({ note: { scope, file }, likelihood }) => ({
    scope,
    file,
    score: likelihood,
    fate: outcomeOf(noteKey({ scope, file }), likelihood, verdicts),
  }));
}

/** Notes that were shown in part, with the number of characters left out. */
export function cutNotes({ shown }: RenderedRecall): LoggedRecall["cut"] {
  return shown.filter(({ cut }) => cut > 0).map(({ scope, file, cut }) => ({ scope, file, characters: cut }));
}
