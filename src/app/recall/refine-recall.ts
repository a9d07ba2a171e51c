import type { ModelFailureKind, TokenUsage } from "../../core/models/model.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import { shownType } from "../../core/notes/parse-note.ts";
import { noteKey } from "../../core/notes/names.ts";
import { newerFirst } from "../../core/recall/rivals.ts";
import { doubtsIn } from "../../core/notes/doubts.ts";
import {
  CHOSEN_NOTES,
  MANIFEST_NOTES,
  type ManifestNote,
  type Selector,
  SIDE_QUERY_MS,
} from "../../core/recall/side-query.ts";
import type { SecretScanner } from "../../core/shared/secrets/mask.ts";
import {
  loadNotes,
  type PointedNote,
  type RankedNote,
  type RecalledNote,
  type RecallOutcome,
  type RecallWorkspace,
  renderOutcome,
  ruleOfRivals,
} from "./recall-notes.ts";

export interface RefineOptions {
  /** Tools the agent has just used. Usage notes about them are left out; warnings stay. */
  readonly recentTools?: readonly string[];
  readonly touchedFiles?: readonly string[];
  readonly signal?: AbortSignal;
  /** Default 2,500. */
  readonly timeoutMs?: number;
}

/** The result of asking a model about a recall. */
export type RefinedRecall =
  | {
      readonly kind: "chosen";
      /** How additions are shown: whole, or one line each. */
      readonly grade: "whole" | "line";
      /** What the model chose, best first; empty when it agrees that nothing helps. */
      readonly selected: readonly RecalledNote[];
      /** The chosen notes that the fast answer did not show. */
      readonly added: readonly RecalledNote[];
      /** What to give an agent in addition to the fast answer's text; empty when nothing was added. */
      readonly text: string;
      /** `provider/model`. */
      readonly model: string;
      readonly usage: TokenUsage;
      readonly ms: number;
    }
  /** The fast answer stands. */
  | { readonly kind: "failed"; readonly failure: ModelFailureKind; readonly reason: string; readonly ms: number };

export interface Refiner {
  readonly workspace: RecallWorkspace;
  readonly selector: Selector;
  /** Secrets that it finds in a prompt are masked before the prompt is sent. */
  readonly secrets: SecretScanner;
  /** How the agent opens a note, if not with the `memdir` command. */
  readonly readWith?: (reference: string) => string;
}

/**
 * Asks a model which notes help, in addition to the fast answer already given. `undefined` when there is nothing to
 * choose from. Reads the index when called, and the notes once the model has answered.
 */
export async function refineRecall(
  { workspace, selector, secrets, readWith }: Refiner,
  prompt: string,
  fast: RecallOutcome,
  options: RefineOptions = {},
): Promise<RefinedRecall | undefined> {
  if (workspace.mode === "off" || prompt.trim() === "") return undefined;
  if (isCancelled(options)) return CANCELLED;
  const candidates = bestCandidates(workspace, fast, selector);
  if (candidates.length === 0) return undefined;
  const { timeoutMs = SIDE_QUERY_MS, ...rest } = options;
  const answer = await selector.select({
    ...rest,
    prompt: await masked(prompt, secrets),
    manifest: candidates.map(({ line }) => line),
    now: workspace.clock.now(),
    timeZone: workspace.clock.timeZone,
    timeoutMs,
  });
  if (answer.kind !== "chosen") return { kind: "failed", failure: answer.kind, reason: answer.reason, ms: answer.ms };
  // A caller that cancelled meanwhile may have closed the stores that the notes would be read from.
  if (isCancelled(options)) return CANCELLED;
  const byName = new Map(candidates.map(({ line, note }) => [line.name, note]));
  const chosen = answer.names.flatMap((name) => byName.get(name) ?? []).slice(0, CHOSEN_NOTES);
  const doubts = doubtsIn(workspace.stores);
  const rival = newerFirst<RankedNote, PointedNote>(
    { selected: chosen, pointed: [] },
    doubts,
    ruleOfRivals(workspace.stores, {}),
  );
  const selected = loadNotes(workspace, rival).notes;
  const { grade = "whole" } = selector;
  const given = new Set((grade === "whole" ? fast.selected : [...fast.selected, ...fast.pointed]).map(noteKey));
  const added = selected.filter((note) => !given.has(noteKey(note)));
  const outcome =
    grade === "whole" ? { selected: added, pointed: [], doubts } : { selected: [], pointed: added, doubts };
  const { text } = renderOutcome(workspace.clock, outcome, readWith === undefined ? {} : { readWith });
  return { kind: "chosen", grade, selected, added, text, model: selector.id, usage: answer.usage, ms: answer.ms };
}

const CANCELLED: RefinedRecall = { kind: "failed", failure: "cancelled", reason: "cancelled by the caller", ms: 0 };

/** Read each time, because a signal can change at any `await`. */
function isCancelled({ signal }: RefineOptions): boolean {
  return signal?.aborted === true;
}

interface Candidate {
  readonly line: ManifestNote;
  readonly note: RankedNote;
}

/**
 * The notes that word matching ranks highest, then those that the index would show first. Notes of the local scope
 * never leave the machine.
 */
function bestCandidates(
  workspace: RecallWorkspace,
  fast: RecallOutcome,
  { place, most = MANIFEST_NOTES }: Selector,
): Candidate[] {
  const [firstScope] = workspace.stores.map(({ scope }) => scope);
  const found = new Map<string, Candidate>();
  const add = (entry: IndexEntry, note: RankedNote): void => {
    if (found.size >= most || entry.supersededBy !== undefined || (note.scope === "local" && place === "network"))
      return;
    const name = note.scope === firstScope ? note.file : `${note.scope}:${note.file}`;
    // A name with a line break would add lines to the manifest.
    if (!/[\u0000-\u001F]/u.test(name) && !found.has(name))
      found.set(name, {
        note,
        line: { name, type: shownType(entry), description: entry.description, time: entry.time, scope: note.scope },
      });
  };
  for (const note of fast.ranked) {
    const entry = workspace.stores.find(({ scope }) => scope === note.scope)?.store.index.entry(note.file);
    if (entry !== undefined) add(entry, note);
  }
  for (const { scope, store } of workspace.stores)
    for (const entry of store.index.top(most)) add(entry, { scope, file: entry.file, score: 0 });
  return [...found.values()];
}

async function masked(prompt: string, secrets: SecretScanner): Promise<string> {
  let text = prompt;
  for (const { start, end } of (await secrets.scan(prompt)).toReversed())
    text = `${text.slice(0, start)}[secret]${text.slice(end)}`;
  return text;
}
