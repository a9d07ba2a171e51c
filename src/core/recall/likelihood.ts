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
  /** Least likelihood to be shown whole. */
  whole: 0.39,
  /** Least likelihood to be pointed at. */
  pointer: 0.0117,
  /** Least likelihood to be shown whole in a session that has an index. */
  sure: 0.48,
} as const;

/** A candidate as far as its likelihood rests on it. */
export interface Judgeable {
  readonly file: string;
  /** Coverage, 0 to 1. */
  readonly score: number;
  /** `size` in bytes. */
  readonly entry: { readonly size: number };
  /** The prompt's terms that the note has, by field. */
  readonly found: {
    readonly name: readonly string[];
    readonly description: readonly string[];
    readonly body: readonly string[];
    readonly asked: readonly string[];
    readonly before: readonly string[];
  };
}

/** What speaks for a note and against it. None of it depends on how large a store is or which words it likes. */
export interface Evidence {
  /** How much of the prompt the note covers, 0 to 1. */
  readonly coverage: number;
  /** How much of the prompt's weight its name, description and asked words have, 0 to 1: a long body has a bit of everything. */
  readonly head: number;
  /** Different words of the prompt that it has; one rare word alone is often chance. */
  readonly words: number;
  /** How far it is ahead of the next best, or behind the best (then negative), as a share of the best; -1 to 1. */
  readonly lead: number;
  /** Bytes: the longer a note, the more it has by chance. */
  readonly size: number;
}

export interface Judged<T> {
  readonly note: T;
  readonly evidence: Evidence;
  /** The evidence as numbers that add up: what calibration learns from. */
  readonly features: Features;
  /** That the note helps with the prompt, 0 to 1. */
  readonly likelihood: number;
}

type Features = { readonly [name in keyof Evidence]: number };

/** How much of a prompt's weight a note's name, description and asked words have, 0 to 1. */
export function headShare(
  { found }: Pick<Judgeable, "found">,
  terms: readonly { readonly term: string; readonly weight: number }[],
): number {
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  const head = new Set([...found.name, ...found.description, ...found.asked]);
  return all === 0 ? 0 : terms.reduce((sum, { term, weight }) => (head.has(term) ? sum + weight : sum), 0) / all;
}

/** Judges candidates of one prompt against each other, of one store or several; the likeliest first. */
export function judge<T extends Judgeable>(
  candidates: readonly (readonly [note: T, head: number])[],
): readonly Judged<T>[] {
  const scores = candidates.map(([{ score }]) => score).toSorted((a, b) => b - a);
  const [best = 0, second = 0] = scores;
  const roots = new Map<string, string>();
  return candidates
    .map(([note, head]): Judged<T> => {
      const lead = (note.score - (note.score === best ? second : best)) / (best + SLIGHT);
      const evidence = { coverage: note.score, head, words: wordsOf(note, roots), lead, size: note.entry.size };
      const features = featuresOf(evidence);
      return { note, evidence, features, likelihood: likelihood(features) };
    })
    .toSorted(
      (a, b) => b.likelihood - a.likelihood || b.note.score - a.note.score || (a.note.file < b.note.file ? -1 : 1),
    );
}

/** The evidence as numbers that add up; each is bounded, so that no oddity of a file decides alone. */
function featuresOf({ coverage, head, words, lead, size }: Evidence): Features {
  return {
    coverage: Math.log(coverage + 0.001),
    head: Math.sqrt(head),
    words: Math.min(words, MOST_WORDS),
    lead,
    size: Math.log(Math.min(Math.max(size, LEAST_SIZE), MOST_SIZE)),
  };
}

/** Being ahead of the others by less than this coverage is next to nothing, however little they have. */
const SLIGHT = 0.1;

const MOST_WORDS = 5;

/** Bytes. Outside of what was measured, shorter or longer says no more. */
const LEAST_SIZE = 1000;

const MOST_SIZE = 30_000;

function likelihood({ coverage, head, words, lead, size }: Features): number {
  const { base, ...weights } = CALIBRATION;
  const odds =
    base +
    weights.coverage * coverage +
    weights.head * head +
    weights.words * words +
    weights.lead * lead +
    weights.size * size;
  return 1 / (1 + Math.exp(-odds));
}

/** A word and its stem are one. `roots` remembers stems: candidates of one prompt have the same few words. */
function wordsOf({ found }: Judgeable, roots: Map<string, string>): number {
  const rootOf = (term: string): string => {
    const known = roots.get(term);
    if (known !== undefined) return known;
    const root = stem(term);
    roots.set(term, root);
    return root;
  };
  return new Set(Object.values(found).flat().map(rootOf)).size;
}
