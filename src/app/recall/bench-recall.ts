import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { noteKey } from "../../core/notes/names.ts";
import { measureRecall, plainRanker, type RankedAnswer, type RecallFigures } from "../../core/recall/measure.ts";
import { foundBefore } from "./replay.ts";
import { recallNotes } from "./recall-notes.ts";
import { findNote, liveEntries, type NoteRef, type Workspace } from "../workspace/workspace.ts";
import { parseJson } from "../../core/shared/json.ts";

/** A prompt with the notes that help with it; none when nothing should be shown. */
interface LabelledPrompt {
  readonly prompt: string;
  readonly notes: readonly string[];
  /** From 1 on. */
  readonly line: number;
}

type LabelledFile =
  | { readonly ok: true; readonly prompts: readonly LabelledPrompt[] }
  /** What is wrong with the first bad line. */
  | { readonly ok: false; readonly line: number; readonly message: string };

const FORM = '{"prompt": "…", "notes": ["file-or-name"]}';

/** Reads JSON lines; empty ones are passed over. */
export function readLabelled(text: string): LabelledFile {
  const prompts: LabelledPrompt[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/u, "")
    .split(/\r?\n/u)
    .entries()) {
    if (raw.trim() === "") continue;
    const line = index + 1;
    const parsed = parseLine(raw);
    if (typeof parsed === "string") return { ok: false, line, message: parsed };
    prompts.push({ ...parsed, line });
  }
  return prompts.length === 0
    ? { ok: false, line: 1, message: `there is no prompt in it; write lines like ${FORM}` }
    : { ok: true, prompts };
}

/** The prompt, or what is wrong with the line. */
function parseLine(raw: string): Omit<LabelledPrompt, "line"> | string {
  const value = parseJson(raw);
  if (value === undefined) return `this is not JSON; write ${FORM}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `an object is needed: ${FORM}`;
  const prompt: unknown = "prompt" in value ? value.prompt : undefined;
  const notes: unknown = "notes" in value ? value.notes : undefined;
  if (typeof prompt !== "string" || prompt.trim() === "") return `"prompt" is missing or empty: ${FORM}`;
  if (!Array.isArray(notes))
    return `"notes" is missing: a list of notes that help, or [] where nothing should be shown`;
  const names = notes.filter((note): note is string => typeof note === "string" && note !== "");
  return names.length < notes.length
    ? `"notes" holds something that is not the name of a note`
    : { prompt, notes: [...new Set(names)] };
}

export function writeLabelled(prompts: readonly Pick<LabelledPrompt, "prompt" | "notes">[]): string {
  return prompts.map(({ prompt, notes }) => `${JSON.stringify({ prompt, notes })}\n`).join("");
}

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
