import type { IndexEntry, NoteIndex, SearchCandidate, TermCounts } from "../notes/note-index.ts";
import { headShares, type Judged, judge } from "./likelihood.ts";
import { askedWords } from "./prompt.ts";
import { raisedByLinks } from "./linked.ts";
import { type FieldWeights, type WeighedWord, weighWords } from "./score.ts";
import { gradeNotes, type ScoredFile, SELECTION_RULE, type SelectionRule } from "./select.ts";
import { scoring } from "./series-score.ts";
import { raisedByTouched, touchedNames } from "./touched.ts";
import { openVocabulary, type Vocabulary } from "./vocabulary.ts";

export interface RecallOptions {
  /** Which notes may be recalled at all (scope, already shown); asked before ranking. */
  readonly accepts?: (entry: IndexEntry) => boolean;
  readonly rule?: SelectionRule;
  readonly fields?: FieldWeights;
  /** How many notes the index hands over for exact scoring; more when `accepts` turns many away. */
  readonly candidates?: number;
  /** Which words stand for which; default is what memdir brings. */
  readonly vocabulary?: Vocabulary;
  /** Paths that the work is about, the latest first: notes that name them come earlier. */
  readonly touchedFiles?: readonly string[];
}

/** A note considered for a prompt, with what it has of it. */
export interface RecallCandidate extends ScoredFile {
  readonly entry: IndexEntry;
  /** The prompt's words that the note has in some form, by field; each as in `Recall.terms`. */
  readonly found: { readonly name: readonly string[]; readonly description: readonly string[]; readonly body: readonly string[] };
  /** Words of the prompt that the note answers by a related term alone. */
  readonly related: readonly { readonly term: string; readonly by: string }[];
  /** Words of the prompt to which its name or description has a related term. */
  readonly akin: readonly string[];
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
  const { accepts = () => true, rule = SELECTION_RULE, fields, touchedFiles = [], vocabulary = openVocabulary() } = options;
  const asked = askedWords(prompt, vocabulary);
  const touched = touchedNames(touchedFiles);
  const also = [...touched.map(({ term }) => term), ...asked.flatMap(({ related }) => related)];
  const result = index.search(asked.flatMap(({ forms }) => forms), options.candidates ?? CANDIDATES, also);
  const weighed = weighWords(asked, result, WEIGHED_WORDS);
  const scoreOf = scoring(result, weighed, prompt, fields);
  const scored = result.candidates
    .filter(({ entry }) => accepts(entry))
    .map((candidate) => ({ candidate, score: raisedByTouched(scoreOf(candidate), candidate, touched, result) }))
    .filter(({ score }) => score > 0);
  const candidates = raisedByLinks(scored)
    .map(({ candidate, score }): RecallCandidate => ({ file: candidate.entry.file, score, entry: candidate.entry, ...foundIn(candidate, weighed.words) }))
    .toSorted((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1))
    .slice(0, RANKED);
  const terms = weighed.words.map(({ term, weight, documents }) => ({ term, weight, documents })).toSorted((a, b) => b.weight - a.weight);
  const { whole, pointed } = gradeNotes(judgeAll([{ terms, candidates }]), rule);
  const fileOf = ({ file, score }: ScoredFile): ScoredFile => ({ file, score });
  return { selected: whole.map(({ note }) => fileOf(note)), pointed: pointed.map(({ note }) => fileOf(note)), ranked: candidates.map(fileOf), abstained: whole.length === 0, terms, candidates };
}

/** Judges what the stores of one prompt found, together. */
export function judgeAll<T extends RecallCandidate>(found: readonly { readonly terms: Recall["terms"]; readonly candidates: readonly T[] }[]): readonly Judged<T>[] {
  return judge(found.flatMap(({ terms, candidates }) => candidates.map((candidate) => [candidate, headShares(candidate, terms)] as const)));
}

/** Where a note has the words of a prompt. */
export function foundIn({ counts }: SearchCandidate, words: readonly WeighedWord[]): Pick<RecallCandidate, "found" | "related" | "akin"> {
  const having = (terms: TermCounts): readonly string[] => words.filter(({ forms }) => forms.some((form) => terms.has(form))).map(({ term }) => term);
  const found = { name: having(counts.name), description: having(counts.description), body: having(counts.body) };
  const said = new Set([...found.name, ...found.description, ...found.body]);
  const related = words.flatMap(({ term, related: others }) => {
    const by = said.has(term) ? undefined : others.find(([other]) => counts.name.has(other) || counts.description.has(other) || counts.body.has(other));
    return by === undefined ? [] : [{ term, by: by[0] }];
  });
  const akin = words.filter((word) => word.related.some(([other]) => counts.name.has(other) || counts.description.has(other))).map(({ term }) => term);
  return { found, related, akin };
}
