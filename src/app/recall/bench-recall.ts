import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { noteKey } from "../../core/recall/ledger.ts";
import type { LabelledPrompt } from "./labelled.ts";
import { measureRecall, type RankedAnswer, type RecallFigures } from "../../core/recall/measure.ts";
import { plainRanker } from "../../core/recall/plain-ranker.ts";
import { foundBefore } from "./replay.ts";
import { recallNotes } from "./recall-notes.ts";
import { findNote, liveEntries, type NoteRef, type Workspace } from "../workspace/workspace.ts";

/** A prompt that was not answered as its label asks. */
export interface BenchMiss {
  readonly line: number;
  readonly prompt: string;
  /** Wanted notes that were not shown whole. */
  readonly missed: readonly NoteRef[];
  /** Notes that were shown though nobody wanted them, by `scope:file`. */
  readonly wrong: readonly string[];
}

export interface RecallBench {
  readonly memdir: RecallFigures;
  /** Plain BM25, its five best taken as shown. */
  readonly plain: RecallFigures;
  readonly misses: readonly BenchMiss[];
}

export type BenchResult =
  | { readonly ok: true; readonly bench: RecallBench }
  /** A label names a note that is not there, or more than one. */
  | {
      readonly ok: false;
      readonly line: number;
      readonly name: string;
      readonly near: readonly string[];
      readonly ambiguous: boolean;
    };

const PLAIN_SHOWN = 5;

/** Measures recall on labelled prompts, as an agent would get it in a new session. Counts and logs nothing. */
export function benchRecall(workspace: Workspace, prompts: readonly LabelledPrompt[]): BenchResult {
  for (const { store } of workspace.stores) store.reconcile("full");
  const plain = plainRanker(noteTexts(workspace));
  const answers: { readonly memdir: RankedAnswer; readonly plain: RankedAnswer }[] = [];
  const misses: BenchMiss[] = [];
  for (const { prompt, notes, line } of prompts) {
    const refs: NoteRef[] = [];
    for (const name of notes) {
      const found = findNote(workspace, name);
      if (!found.found) return { ok: false, line, name, near: found.near, ambiguous: found.ambiguous };
      refs.push(found.ref);
    }
    const wanted = [...new Set(refs.map(keyOf))];
    const outcome = recallNotes(workspace, prompt);
    const answer = {
      wanted,
      ranked: outcome.judged.map(({ note }) => noteKey(note)),
      shown: outcome.selected.map(noteKey),
      pointed: outcome.pointed.map(noteKey),
    };
    const ranked = plain(prompt);
    answers.push({ memdir: answer, plain: { wanted, ranked, shown: ranked.slice(0, PLAIN_SHOWN), pointed: [] } });
    const missed = refs.filter((ref) => !answer.shown.includes(keyOf(ref)));
    const wrong = answer.shown.filter((key) => !wanted.includes(key));
    if (missed.length + wrong.length > 0) misses.push({ line, prompt, missed, wrong });
  }
  return {
    ok: true,
    bench: {
      memdir: measureRecall(answers.map(({ memdir }) => memdir)),
      plain: measureRecall(answers.map((answer) => answer.plain)),
      misses,
    },
  };
}

/** Prompts of the log with what they were shown, each once, for a person to correct. */
export function labelledFromLog(
  logged: readonly LoggedRecall[],
): { readonly prompt: string; readonly notes: readonly string[] }[] {
  const prompts = new Map<string, readonly string[]>();
  for (const recall of logged)
    if (recall.prompt !== undefined)
      prompts.set(
        recall.prompt,
        foundBefore(recall).shown.map((key) => key.replace(/^project:/u, "")),
      );
  return [...prompts].map(([prompt, notes]) => ({ prompt, notes }));
}

function noteTexts(workspace: Workspace): ReadonlyMap<string, string> {
  return new Map(
    liveEntries(workspace).map(({ scoped, entry }) => [
      keyOf({ scoped, file: entry.file }),
      new TextDecoder().decode(scoped.store.read(entry.file)),
    ]),
  );
}

function keyOf({ scoped, file }: NoteRef): string {
  return noteKey({ scope: scoped.scope, file });
}
