import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { noteKey } from "../../core/notes/names.ts";
import { foundBefore } from "./replay.ts";
import { recallNotes } from "./recall-notes.ts";
import { findNote, liveEntries, type NoteRef, type Workspace } from "../workspace/workspace.ts";
import { parseJson } from "../../core/shared/json.ts";

/** A prompt with the notes that help with it; no notes when nothing should be shown. */
interface LabelledPrompt {
  readonly prompt: string;
  readonly notes: readonly string[];
  /** Counted from 1. */
  readonly line: number;
}

type LabelledFile =
  | { readonly ok: true; readonly prompts: readonly LabelledPrompt[] }
  /** What is wrong with the first bad line. */
  | { readonly ok: false; readonly line: number; readonly message: string };

const FORM = '{"prompt": "…", "notes": ["file-or-name"]}';

/** Reads JSON lines; empty lines are skipped. */
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

/** The prompt, or the fault of the line. */
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

/** A prompt whose answer differs from its label. */
export interface BenchMiss {
  readonly line: number;
  readonly prompt: string;
  /** Wanted notes that were not shown whole. */
  readonly missed: readonly NoteRef[];
  /** Notes that were shown but not wanted, by `scope:file`. */
  readonly wrong: readonly string[];
}

export interface RecallBench {
  readonly memdir: RecallFigures;
  /** Plain BM25, its five best notes counted as shown. */
  readonly plain: RecallFigures;
  readonly misses: readonly BenchMiss[];
}

export type BenchResult =
  | { readonly ok: true; readonly bench: RecallBench }
  /** A label names a note that does not exist, or its name is ambiguous. */
  | {
      readonly ok: false;
      readonly line: number;
      readonly name: string;
      readonly near: readonly string[];
      readonly ambiguous: boolean;
    };

const PLAIN_SHOWN = 5;

/** Measures recall on labelled prompts, as an agent would get it in a new session. Counts no uses and logs nothing. */
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

/** Prompts from the log with what they were shown, each once, for the user to correct. */
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

/** What a ranker returned for a labelled prompt, notes by `scope:file`. */
export interface RankedAnswer {
  readonly wanted: readonly string[];
  /** Best first. */
  readonly ranked: readonly string[];
  readonly shown: readonly string[];
  readonly pointed: readonly string[];
}

/** Shares between 0 and 1; `undefined` when there was nothing to measure. */
export interface RecallFigures {
  readonly prompts: number;
  /** Prompts for which nothing should be shown. */
  readonly negatives: number;
  /** Share of wanted notes among the first one and the first five results, of as many as fit there. */
  readonly first: number | undefined;
  readonly five: number | undefined;
  /** Mean of 1 ÷ rank of the first wanted note. */
  readonly reciprocalRank: number | undefined;
  /** Share of notes shown whole that were wanted, share of wanted notes that were shown, and their harmonic mean. */
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  /** Share of wanted notes that were shown or pointed at. */
  readonly reach: number | undefined;
  /** Share of negatives for which nothing was shown whole. */
  readonly silent: number | undefined;
}

export function measureRecall(answers: readonly RankedAnswer[]): RecallFigures {
  const positive = answers.filter(({ wanted }) => wanted.length > 0);
  const negative = answers.filter(({ wanted }) => wanted.length === 0);
  const right = sum(answers, ({ shown, wanted }) => shared(shown, wanted));
  const shown = sum(answers, (answer) => answer.shown.length);
  const wanted = sum(answers, (answer) => answer.wanted.length);
  const precision = share(right, shown);
  const recall = share(right, wanted);
  return {
    prompts: answers.length,
    negatives: negative.length,
    first: mean(positive, (answer) => hits(answer, 1)),
    five: mean(positive, (answer) => hits(answer, 5)),
    reciprocalRank: mean(positive, ({ ranked, wanted: good }) =>
      reciprocal(ranked.findIndex((key) => good.includes(key))),
    ),
    precision,
    recall,
    // Showing nothing when something was wanted is a bad figure, not a missing one.
    f1: wanted === 0 ? undefined : right === 0 ? 0 : share(2 * right, shown + wanted),
    reach: share(
      sum(answers, (answer) => shared([...answer.shown, ...answer.pointed], answer.wanted)),
      wanted,
    ),
    silent: share(negative.filter((answer) => answer.shown.length === 0).length, negative.length),
  };
}

function hits({ ranked, wanted }: RankedAnswer, count: number): number {
  return shared(ranked.slice(0, count), wanted) / Math.min(count, wanted.length);
}

function reciprocal(index: number): number {
  return index === -1 ? 0 : 1 / (index + 1);
}

function shared(found: readonly string[], wanted: readonly string[]): number {
  const set = new Set(found);
  return wanted.filter((key) => set.has(key)).length;
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function mean<T>(items: readonly T[], valueOf: (item: T) => number): number | undefined {
  return share(sum(items, valueOf), items.length);
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

const COMMON_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or our " +
    "please should so some than that the their them then there these they this to us was we were what when where which who why will with would you your"
  ).split(" "),
);

const SATURATION = 1.2;

const LENGTH_SHARE = 0.75;

/**
 * The baseline for recall: plain BM25 over whole files, without common English words, stemming or fields. Returns the
 * keys of texts that share a word with the prompt, best first.
 */
export function plainRanker(texts: ReadonlyMap<string, string>): (prompt: string) => readonly string[] {
  const counted = [...texts].map(([key, text]) => {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { key, counts, length: words.length };
  });
  const average = Math.max(1, counted.reduce((total, { length }) => total + length, 0) / Math.max(1, counted.length));
  const frequency = new Map<string, number>();
  for (const { counts } of counted)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => {
    const present = frequency.get(word) ?? 0;
    return Math.log(1 + (counted.length - present + 0.5) / (present + 0.5));
  };
  return (prompt) => {
    const words = [...new Set(wordsOf(prompt))];
    const scoreOf = ({
      counts,
      length,
    }: {
      readonly counts: ReadonlyMap<string, number>;
      readonly length: number;
    }): number =>
      words.reduce((score, word) => {
        const count = counts.get(word) ?? 0;
        return (
          score +
          (weightOf(word) * count * (SATURATION + 1)) /
            (count + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average))
        );
      }, 0);
    return counted
      .map((text) => ({ key: text.key, score: scoreOf(text) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
      .map(({ key }) => key);
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON_WORDS.has(word));
}
