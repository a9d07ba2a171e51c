import { areBeside } from "../notes/statement.ts";
import type { IndexEntry, SearchCandidate } from "../notes/note-index.ts";
import { stem } from "../notes/terms.ts";

/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 1.69,
  coverage: 0.986,
  head: 1.79,
  words: 0.425,
  lead: 4.33,
  size: -0.49,
  whole: 0.39,
  pointer: 0.0117,
  /** As `whole`, in a session that has an index. */
  sure: 0.48,
};

/** A note considered for a prompt, with its matches. */
export interface RecallCandidate {
  readonly file: string;
  /** Coverage, 0 to 1. */
  readonly score: number;
  readonly entry: IndexEntry;
  /** The prompt's words that the note has in any form, by field; each as in `Recall.terms`. */
  readonly found: Readonly<Record<keyof SearchCandidate["counts"], readonly string[]>>;
  /** The note has a term related to one of them. */
  readonly isRelated: boolean;
  /** Share of the prompt's weight in its name, description and asked words, 0 to 1. */
  readonly head: number;
}

/** Evidence for and against a note. None of it depends on the size or vocabulary of the store. */
export interface Evidence {
  /** Share of the prompt that the note covers, 0 to 1. */
  readonly coverage: number;
  /** As in `RecallCandidate`; long bodies match by chance. */
  readonly head: number;
  /** Number of different prompt words in it; a single rare word is often chance. */
  readonly words: number;
  /** Distance to the next best note, or (negative) to the best, as a share of the best; -1 to 1. */
  readonly lead: number;
  /** Bytes; a longer note has more matches by chance. */
  readonly size: number;
}

export interface Judged<T> {
  readonly note: T;
  readonly evidence: Evidence;
  /** Probability that the note helps with the prompt, 0 to 1. */
  readonly likelihood: number;
}

/** Judges the candidates of one prompt, from one or more stores, against each other; likeliest first. */
export function judge<T extends RecallCandidate>(candidates: readonly T[]): readonly Judged<T>[] {
  const scores = candidates.map(({ score }) => score).toSorted((a, b) => b - a);
  const [best = 0, second = 0] = scores;
  return candidates
    .map((note): Judged<T> => {
      // A word and its stem count once.
      const words = new Set(Object.values(note.found).flat().map(stem)).size;
      const ahead = (note.score - (note.score === best ? second : best)) / (best + SLIGHT);
      // A single shared word that no other note has is likely chance, above all among few notes.
      const lead = words === 1 && ahead > 0 ? ahead * note.score : ahead;
      const evidence = { coverage: note.score, head: note.head, words, lead, size: note.entry.size };
      return { note, evidence, likelihood: likelihoodOf(featuresOf(evidence)) };
    })
    .toSorted(
      (a, b) => b.likelihood - a.likelihood || b.note.score - a.note.score || (a.note.file < b.note.file ? -1 : 1),
    );
}

/**
 * The evidence as additive features, from which calibration learns; each is bounded, so that an unusual file cannot
 * decide by one of them.
 */
export function featuresOf({ coverage, head, words, lead, size }: Evidence): Evidence {
  return {
    coverage: Math.log(coverage + 0.001),
    head: Math.sqrt(head),
    words: Math.min(words, MOST_WORDS),
    lead,
    size: Math.log(Math.min(Math.max(size, LEAST_SIZE), MOST_SIZE)),
  };
}

/** A lead of less than this coverage is negligible, even when all coverages are small. */
const SLIGHT = 0.1;

const MOST_WORDS = 5;

/** Bytes. Sizes outside the measured range count as its limits. */
const LEAST_SIZE = 1000;

const MOST_SIZE = 30_000;

function likelihoodOf({ coverage, head, words, lead, size }: Evidence): number {
  const odds =
    CALIBRATION.base +
    CALIBRATION.coverage * coverage +
    CALIBRATION.head * head +
    CALIBRATION.words * words +
    CALIBRATION.lead * lead +
    CALIBRATION.size * size;
  return 1 / (1 + Math.exp(-odds));
}

/** When a note is shown whole, and when in one line. */
export const SELECTION_RULE = {
  /** Lowest likelihood to be shown whole, 0 to 1. */
  whole: CALIBRATION.whole,
  /** Lowest likelihood to be shown as a pointer, 0 to 1. */
  pointer: CALIBRATION.pointer,
  /** Most notes shown whole. */
  most: 3,
  /** Most notes shown as pointers. */
  mostPointers: 10,
};

export type SelectionRule = Readonly<typeof SELECTION_RULE>;

/**
 * For a session with an index: its agent opens what it needs, so a note is shown whole only if nearly certain to help.
 * The few notes without an index line need no floor.
 */
export const BESIDE_INDEX: SelectionRule = {
  whole: CALIBRATION.sure,
  pointer: 0,
  most: SELECTION_RULE.most,
  mostPointers: 20,
};

export interface Grades<T> {
  /** Likely enough to be shown whole, likeliest first. */
  readonly whole: readonly T[];
  /** Only plausible: one line each, likeliest first. */
  readonly pointed: readonly T[];
}

/** Grades judged notes, likeliest first; both lists are empty when no note is plausible. */
export function gradeNotes<T extends { readonly likelihood: number }>(
  judged: readonly T[],
  rule: SelectionRule,
  mayPoint: (note: T) => boolean = () => true,
): Grades<T> {
  const whole = judged.slice(0, rule.most).filter(({ likelihood }) => likelihood >= rule.whole);
  const pointed = judged
    .slice(whole.length)
    .filter((note) => note.likelihood >= rule.pointer && mayPoint(note))
    .slice(0, rule.mostPointers);
  return { whole, pointed };
}

/** Grades judged notes, as if there were no log; entries take the remaining places. Both lists may be empty. */
export function gradeWithEntries<N extends RecallCandidate>(
  notes: readonly Judged<N>[],
  logged: readonly Judged<N>[],
  { mayPoint, rule }: { readonly mayPoint: (one: Judged<N>) => boolean; readonly rule: SelectionRule },
): Grades<Judged<N>> {
  const first = gradeNotes(notes, rule, mayPoint);
  const rest = {
    whole: rule.whole,
    pointer: 0,
    most: rule.most - first.whole.length,
    mostPointers: Math.max(0, SELECTION_RULE.mostPointers - first.pointed.length),
  };
  const then = gradeNotes(plausibleEntries(logged, SELECTION_RULE.pointer), rest, mayPoint);
  return { whole: [...first.whole, ...then.whole], pointed: [...first.pointed, ...then.pointed] };
}

/**
 * An entry without a word of the prompt is shown only beside a likely one with such words. Then it needs no floor, which
 * is calibrated on notes.
 */
function plausibleEntries<N extends RecallCandidate>(
  logged: readonly Judged<N>[],
  floor: number,
): readonly Judged<N>[] {
  const likely = new Set(logged.filter((one) => one.likelihood >= floor && hasWords(one)));
  const isBeside = ({ note }: Judged<N>): boolean => [...likely].some((one) => areBeside(one.note.entry, note.entry));
  return logged.filter((one) => likely.has(one) || (!hasWords(one) && isBeside(one)));
}

function hasWords({ note: { found, isRelated } }: Judged<RecallCandidate>): boolean {
  return isRelated || Object.values(found).flat().length > 0;
}
