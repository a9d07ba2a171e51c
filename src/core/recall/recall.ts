import type { IndexEntry, NoteIndex } from "../notes/note-index.ts";
import { promptTerms } from "./prompt.ts";
import { headShare, type Judged, judge } from "./likelihood.ts";
import { coverage, FIELD_WEIGHTS, type FieldWeights, weighTerms } from "./score.ts";
import { gradeNotes, type ScoredFile, SELECTION_RULE, type SelectionRule } from "./select.ts";

export interface RecallOptions {
  /** Which notes may be recalled at all (scope, already shown); asked before ranking. */
  readonly accepts?: (entry: IndexEntry) => boolean;
  readonly rule?: SelectionRule;
  readonly fields?: FieldWeights;
  /** How many notes the index hands over for exact scoring; more when `accepts` turns many away. */
  readonly candidates?: number;
}

/** A note considered for a prompt, with what it has of it. */
export interface RecallCandidate extends ScoredFile {
  readonly entry: IndexEntry;
  /** The prompt's terms that the note has, by field. */
  readonly found: { readonly name: readonly string[]; readonly description: readonly string[]; readonly body: readonly string[] };
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
  /** The prompt's terms with the weight of each in this store, heaviest first. */
  readonly terms: readonly { readonly term: string; readonly weight: number; readonly documents: number }[];
  /** What `ranked` rests on, for explaining it. */
  readonly candidates: readonly RecallCandidate[];
}

const RANKED = 50;
const CANDIDATES = 50;
/** Of a long prompt, the rarest terms decide; a common word more or less changes nothing. */
const WEIGHED_TERMS = 64;

/** Chooses the notes that help with a prompt, without a model. Pure over the index. */
export function recall(prompt: string, index: Pick<NoteIndex, "search">, options: RecallOptions = {}): Recall {
  const { accepts = () => true, rule = SELECTION_RULE, fields = FIELD_WEIGHTS } = options;
  const asked = promptTerms(prompt);
  const result = index.search(asked, options.candidates ?? CANDIDATES);
  const weighed = weighTerms(asked, result, WEIGHED_TERMS);
  const candidates = result.candidates
    .filter(({ entry }) => accepts(entry))
    .map((candidate): RecallCandidate => ({
      file: candidate.entry.file,
      score: coverage(candidate, weighed, result.averages, fields),
      entry: candidate.entry,
      found: { name: [...candidate.counts.name.keys()], description: [...candidate.counts.description.keys()], body: [...candidate.counts.body.keys()] },
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1))
    .slice(0, RANKED);
  const terms = [...weighed.weights].map(([term, weight]) => ({ term, weight, documents: result.documentFrequency.get(term) ?? 0 })).toSorted((a, b) => b.weight - a.weight);
  const { whole, pointed } = gradeNotes(judgeAll([{ terms, candidates }]), rule);
  const scored = ({ file, score }: ScoredFile): ScoredFile => ({ file, score });
  return { selected: whole.map(({ note }) => scored(note)), pointed: pointed.map(({ note }) => scored(note)), ranked: candidates.map(scored), abstained: whole.length === 0, terms, candidates };
}

/** Judges what the stores of one prompt found, together. */
export function judgeAll<T extends RecallCandidate>(found: readonly { readonly terms: Recall["terms"]; readonly candidates: readonly T[] }[]): readonly Judged<T>[] {
  return judge(found.flatMap(({ terms, candidates }) => candidates.map((candidate) => [candidate, headShare(candidate, terms)] as const)));
}
