import type { IndexEntry, NoteIndex, SearchCandidate, SearchResult, TermCounts } from "../notes/note-index.ts";
import {
  type Judged,
  SELECTION_RULE,
  type ScoredFile,
  type SelectionRule,
  gradeNotes,
  headShare,
  judge,
} from "./likelihood.ts";
import { askedWords, openVocabulary, type Vocabulary } from "./prompt.ts";
import { raisedByLinks, scoring, type FieldWeights, rarity, type WeighedWord, weighWords } from "./score.ts";
import { analyse } from "../notes/terms.ts";

export interface RecallOptions {
  /** Which notes may be recalled at all (scope, already shown); asked before ranking. */
  readonly accepts?: (entry: IndexEntry) => boolean;
  readonly rule?: SelectionRule;
  readonly fields?: FieldWeights;
  /** How many notes the index hands over for exact scoring; more when `accepts` turns many away. */
  readonly candidates?: number;
  /** Which words stand for which; default is none. */
  readonly vocabulary?: Vocabulary;
  /** Paths that the work is about, the latest first: notes that name them come earlier. */
  readonly touchedFiles?: readonly string[];
}

/** A note considered for a prompt, with what it has of it. */
export interface RecallCandidate extends ScoredFile {
  readonly entry: IndexEntry;
  /** The prompt's words that the note has in some form, by field; each as in `Recall.terms`. */
  readonly found: {
    readonly name: readonly string[];
    readonly description: readonly string[];
    readonly body: readonly string[];
    /** In words by which a person would look for it. */
    readonly asked: readonly string[];
    /** In what the notes were about that it superseded. */
    readonly before: readonly string[];
  };
  /** Words of the prompt that the note answers by a related term alone. */
  readonly related: readonly { readonly term: string; readonly by: string }[];
}

export interface Recall {
  /** Notes to show whole, likeliest first. */
  readonly selected: readonly ScoredFile[];
  /** Notes that are merely plausible: one line each, likeliest first. */
  readonly pointed: readonly ScoredFile[];
  /** Up to 50 notes by score. */
  readonly ranked: readonly ScoredFile[];
  /** Nothing was sure enough to show. */
  readonly abstained: boolean;
  /** The prompt's words with the weight of each in this store, heaviest first. */
  readonly terms: readonly { readonly term: string; readonly weight: number; readonly documents: number }[];
  /** What `ranked` rests on, for explaining it. */
  readonly candidates: readonly RecallCandidate[];
}

const RANKED = 50;
const CANDIDATES = 50;
/** Of a long prompt, the rarest words decide; a common word more or less changes nothing. */
export const WEIGHED_WORDS = 64;

/** Chooses the notes that help with a prompt, without a model. Pure over the index. */
export function recall(prompt: string, index: Pick<NoteIndex, "search">, options: RecallOptions = {}): Recall {
  const {
    accepts = () => true,
    rule = SELECTION_RULE,
    fields,
    touchedFiles = [],
    vocabulary = openVocabulary(),
  } = options;
  const asked = askedWords(prompt, vocabulary);
  const touched = touchedNames(touchedFiles);
  const also = [...touched.map(({ term }) => term), ...asked.flatMap(({ related }) => related)];
  const result = index.search(
    asked.flatMap(({ forms }) => forms),
    options.candidates ?? CANDIDATES,
    also,
  );
  const weighed = weighWords(asked, result, WEIGHED_WORDS);
  const scoreOf = scoring(result, weighed, prompt, fields);
  const scored = result.candidates
    .filter(({ entry }) => accepts(entry))
    .map((candidate) => ({ candidate, score: raisedByTouched(scoreOf(candidate), candidate, touched, result) }))
    .filter(({ score }) => score > 0);
  const candidates = raisedByLinks(scored)
    .map(({ candidate, score }): RecallCandidate => ({
      file: candidate.entry.file,
      score,
      entry: candidate.entry,
      ...foundIn(candidate, weighed.words),
    }))
    .toSorted((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1))
    .slice(0, RANKED);
  const terms = weighed.words
    .map(({ term, weight, documents }) => ({ term, weight, documents }))
    .toSorted((a, b) => b.weight - a.weight);
  const { whole, pointed } = gradeNotes(judgeAll([{ terms, candidates }]), rule);
  const fileOf = ({ file, score }: ScoredFile): ScoredFile => ({ file, score });
  return {
    selected: whole.map(({ note }) => fileOf(note)),
    pointed: pointed.map(({ note }) => fileOf(note)),
    ranked: candidates.map(fileOf),
    abstained: whole.length === 0,
    terms,
    candidates,
  };
}

/** Judges what the stores of one prompt found, together. */
export function judgeAll<T extends RecallCandidate>(
  found: readonly { readonly terms: Recall["terms"]; readonly candidates: readonly T[] }[],
): readonly Judged<T>[] {
  return judge(
    found.flatMap(({ terms, candidates }) =>
      candidates.map((candidate) => [candidate, headShare(candidate, terms)] as const),
    ),
  );
}

/** Where a note has the words of a prompt. */
export function foundIn(
  { counts }: SearchCandidate,
  words: readonly WeighedWord[],
): Pick<RecallCandidate, "found" | "related"> {
  const having = (terms: TermCounts | undefined): readonly string[] =>
    words.filter(({ forms }) => forms.some((form) => terms?.has(form) === true)).map(({ term }) => term);
  const found = {
    name: having(counts.name),
    description: having(counts.description),
    body: having(counts.body),
    asked: having(counts.asked),
    before: having(counts.before),
  };
  const said = new Set(Object.values(found).flat());
  const related = words.flatMap(({ term, related: others }) => {
    const by = said.has(term)
      ? undefined
      : others.find(([other]) => counts.name.has(other) || counts.description.has(other) || counts.body.has(other));
    return by === undefined ? [] : [{ term, by: by[0] }];
  });
  return { found, related };
}

/** A term by which a note would name a touched file, and how much that says, 0 to 1. */
export interface TouchedName {
  readonly term: string;
  readonly share: number;
}

/** More files than this are a sweep through the tree, not what the work is about. */
const MOST_PATHS = 20;

/** A note that names a touched file by its whole name goes this part of the way to a full answer. */
const TOUCHED_SHARE = 0.2;

/**
 * What to look for: `user-store.ts`, `user-store` (a plain word such as `parser` says too little without its
 * ending) and the directory. Paths as the agent has them, `/` or `\\` as separator, the latest first.
 */
export function touchedNames(paths: readonly string[]): readonly TouchedName[] {
  const names = new Map<string, number>();
  const add = (text: string, share: number): void => {
    const [term] = analyse(text);
    if (term !== undefined) names.set(term, Math.max(share, names.get(term) ?? 0));
  };
  for (const path of paths.slice(0, MOST_PATHS)) {
    const [base = "", directory = ""] = path
      .split(/[\\/]+/u)
      .filter((part) => part !== "" && part !== ".")
      .toReversed();
    const name = base.replace(/(?<=.)\.[^.]*$/u, "");
    add(base, 1);
    if (analyse(name).length > 1 && /[-_.]|\p{Ll}\p{Lu}/u.test(name)) add(name, 0.8);
    add(directory, 0.2);
  }
  return [...names].map(([term, share]) => ({ term, share }));
}

/** The score of a candidate, raised when it names what was touched; the more notes name it, the less it says. */
export function raisedByTouched(
  score: number,
  { counts }: Pick<SearchCandidate, "counts">,
  names: readonly TouchedName[],
  { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">,
): number {
  let most = 0;
  for (const { term, share } of names) {
    if (!counts.name.has(term) && !counts.description.has(term) && !counts.body.has(term)) continue;
    most = Math.max(most, (share * rarity(documents, documentFrequency.get(term) ?? 0)) / rarity(documents, 1));
  }
  return score + TOUCHED_SHARE * most * (1 - score);
}
