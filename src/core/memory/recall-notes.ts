import { checkLine, shownChecks } from "../notes/claims/check.ts";
import type { Check } from "../notes/claims/claim.ts";
import { splitFrontmatter } from "../notes/frontmatter.ts";
import type { IndexEntry } from "../notes/note-index.ts";
import type { Scope } from "../notes/note.ts";
import { shownType } from "../notes/parse-note.ts";
import { recall, type Recall } from "../recall/recall.ts";
import { renderRecall } from "../recall/render.ts";
import { SELECTION_RULE, selectNotes } from "../recall/select.ts";
import type { Clock } from "../shared/clock.ts";
import type { ReadableStore } from "../notes/store.ts";
import type { WorkingTree } from "../notes/claims/working-tree.ts";
import type { Workspace } from "./workspace.ts";

/** A workspace as far as recall looks at it. */
export interface RecallWorkspace extends Pick<Workspace, "mode" | "clock"> {
  readonly stores: readonly { readonly scope: Scope; readonly store: ReadableStore }[];
  /** The files that the project's notes speak of; `undefined` where there are none to look at. */
  readonly tree: WorkingTree | undefined;
}

export interface RankedNote {
  readonly scope: Scope;
  readonly file: string;
  /** Coverage of the prompt, 0 to 1. */
  readonly score: number;
}

export interface RecalledNote extends RankedNote {
  readonly entry: IndexEntry;
  /** Markdown after the frontmatter, as on disk now. */
  readonly body: string;
  /** What it claims against the working tree, the gravest first; missing where nothing was checked. */
  readonly checks?: readonly Check[];
}

export interface RecallOutcome {
  readonly selected: readonly RecalledNote[];
  readonly ranked: readonly RankedNote[];
  /** Nothing was sure enough: an empty answer is a right answer. */
  readonly abstained: boolean;
  /** For `--explain`: what each scope's index said. */
  readonly details: readonly { readonly scope: Scope; readonly recall: Recall }[];
}

const RANKED = 50;
const NOTHING: RecallOutcome = { selected: [], ranked: [], abstained: true, details: [] };

/**
 * Notes that help with a prompt, from every scope in force. Shown text is always what is on disk now,
 * whatever the index believed.
 */
export function recallNotes(workspace: RecallWorkspace, prompt: string): RecallOutcome {
  if (workspace.mode === "off" || prompt.trim() === "") return NOTHING;
  for (const { store } of workspace.stores) store.reconcile("quick");
  const first = choose(workspace.stores, prompt);
  const { notes, stale } = load(workspace.stores, first);
  if (!stale) return { ...first, selected: notes };
  // An edit that left no trace in the directory: look at every file, then choose again.
  for (const { store } of workspace.stores) store.reconcile("full");
  const second = choose(workspace.stores, prompt);
  const reloaded = load(workspace.stores, second).notes;
  return { ...second, selected: reloaded, abstained: reloaded.length === 0 };
}

/** Counts what was shown, so that useful notes rank higher in MEMORY.md. */
export function recordRecall(workspace: Pick<RecallWorkspace, "stores">, selected: readonly RankedNote[]): void {
  for (const { scope, store } of workspace.stores) store.recordUse(selected.filter((note) => note.scope === scope).map(({ file }) => file));
}

/** What an agent is given of a recall; empty when nothing is sure to help. */
export function recallText(clock: Clock, { selected }: Pick<RecallOutcome, "selected">): string {
  if (selected.length === 0) return "";
  const notes = selected.map(({ file, scope, body, entry, checks }) => ({ file, scope, body: withCheckLines(body, checks), name: entry.name, description: entry.description, time: entry.time, type: shownType(entry) }));
  return renderRecall(notes, { now: clock.now(), timeZone: clock.timeZone }).text;
}

/** The note's claims against what is there now, before its own words, which may be cut. */
function withCheckLines(body: string, checks: readonly Check[] = []): string {
  const shown = shownChecks(checks);
  return shown.length === 0 ? body : `Checked now:\n${shown.map((check) => `- ${checkLine(check)}`).join("\n")}\n\n${body}`;
}

interface Choice {
  readonly selected: readonly RankedNote[];
  readonly ranked: readonly RankedNote[];
  readonly abstained: boolean;
  readonly details: RecallOutcome["details"];
}

function choose(stores: RecallWorkspace["stores"], prompt: string): Choice {
  const details = stores.map(({ scope, store }) => ({ scope, recall: recall(prompt, store.index) }));
  const ranked = details
    .flatMap(({ scope, recall: one }) => one.ranked.map((note) => ({ scope, ...note })))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, RANKED);
  const selected = selectNotes(ranked, SELECTION_RULE);
  return { selected, ranked, abstained: selected.length === 0, details };
}

function load(stores: RecallWorkspace["stores"], choice: Choice): { notes: RecalledNote[]; stale: boolean } {
  let stale = false;
  const notes = choice.selected.flatMap((note): RecalledNote[] => {
    const store = stores.find(({ scope }) => scope === note.scope)?.store;
    const entry = store?.index.entry(note.file);
    const bytes = store?.read(note.file);
    if (entry === undefined || bytes === undefined || bytes.byteLength !== entry.size) {
      stale = true;
      return [];
    }
    return [{ ...note, entry, body: splitFrontmatter(new TextDecoder().decode(bytes)).body.replace(/\r\n?/gu, "\n").trim() }];
  });
  return { notes, stale };
}
