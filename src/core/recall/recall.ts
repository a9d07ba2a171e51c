import type { IndexEntry, NoteIndex, SearchCandidate, SearchResult, TermCounts } from "../notes/note-index.ts";
import type { RecallCandidate } from "./likelihood.ts";
import { type AskedWord, askedWords, openVocabulary, type Vocabulary } from "./prompt.ts";
import { raisedByLinks, scoring, rarity, type WeighedWord, weighWords } from "./score.ts";
import { analyse } from "../notes/terms.ts";

export interface RecallOptions {
  /** Which notes may be recalled (by scope, not already shown); called before ranking. */
  readonly accepts?: (entry: IndexEntry) => boolean;
  /** Number of notes that the index returns for exact scoring; more are needed when `accepts` rejects many. */
  readonly candidates?: number;
  /** Related words; none by default. */
  readonly vocabulary?: Vocabulary;
  /** Paths that the work is about, latest first: notes that name them rank higher. */
  readonly touchedFiles?: readonly string[];
}

export interface Recall {
  /** The prompt's words with their weights in this store, heaviest first. */
  readonly terms: readonly Pick<WeighedWord, "term" | "weight" | "documents">[];
  /** Up to 50 notes by score. */
  readonly candidates: readonly RecallCandidate[];
}

const RANKED = 50;
const CANDIDATES = 50;

/** Finds the notes that may help with a prompt, without a model. A pure function of the index. */
export function recall(prompt: string, index: Pick<NoteIndex, "search">, options: RecallOptions = {}): Recall {
  const { accepts = () => true, touchedFiles = [], vocabulary = openVocabulary() } = options;
  const asked = askedWords(prompt, vocabulary);
  const touched = touchedNames(touchedFiles);
  const also = [...touched, ...asked.flatMap(({ related }) => related)];
  const result = index.search(
    asked.flatMap(({ forms }) => forms),
    options.candidates ?? CANDIDATES,
    also,
  );
  const { words, scoreOf, asCandidate } = matching(prompt, asked, result);
  const scored = result.candidates
    .filter(({ entry }) => accepts(entry))
    .map((candidate) => ({ candidate, score: raisedByTouched(scoreOf(candidate), candidate, touched, result) }))
    .filter(({ score }) => score > 0);
  const terms = words.map(({ term, weight, documents }) => ({ term, weight, documents }));
  return {
    terms: terms.toSorted((a, b) => b.weight - a.weight),
    candidates: raisedByLinks(scored)
      .toSorted((a, b) => b.score - a.score || (a.candidate.entry.file < b.candidate.entry.file ? -1 : 1))
      .slice(0, RANKED)
      .map(({ candidate, score }) => asCandidate(candidate, score)),
  };
}

/** How the notes of a search match the prompt that it was made for. */
export function matching(prompt: string, asked: readonly AskedWord[], result: SearchResult) {
  const words = weighWords(asked, result);
  return {
    words,
    scoreOf: scoring(result, words, prompt),
    asCandidate: ({ counts, entry }: SearchCandidate, score: number): RecallCandidate => {
      const found = foundIn(counts, words);
      const head = new Set([...found.name, ...found.description, ...found.asked]);
      const inHead = words.filter(({ term }) => head.has(term));
      return {
        file: entry.file,
        score,
        entry,
        found,
        isRelated: words.some(({ related }) => related.some((term) => says(counts, term))),
        head: inHead.length === 0 ? 0 : weightOf(inHead) / weightOf(words),
      };
    },
  };
}

function weightOf(words: readonly WeighedWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

/** Which words of a prompt a note has, by field. */
function foundIn(
  { name, description, body, asked, before }: SearchCandidate["counts"],
  words: readonly WeighedWord[],
): RecallCandidate["found"] {
  const having = (terms: TermCounts | undefined): readonly string[] =>
    words.filter(({ forms }) => forms.some((form) => terms?.has(form))).map(({ term }) => term);
  return {
    name: having(name),
    description: having(description),
    body: having(body),
    asked: having(asked),
    before: having(before),
  };
}

/** Whether a note says a term itself. */
function says({ name, description, body }: SearchCandidate["counts"], term: string): boolean {
  return name.has(term) || description.has(term) || body.has(term);
}

/** More files than this are a sweep through the tree and do not show what the work is about. */
const MOST_PATHS = 20;

/** Share of the missing score that a note gains for naming a touched file in full. */
const TOUCHED_SHARE = 0.2;

/**
 * Terms by which a note may name a touched file: `user-store.ts`, and `user-store` (a plain word such as `parser` says
 * too little without its extension). Paths as the agent has them, with `/` or `\\` as separator, latest first.
 */
export function touchedNames(paths: readonly string[]): readonly string[] {
  const names = paths.slice(0, MOST_PATHS).flatMap((path) => {
    const base = path.split(/[\\/]+/u).findLast((part) => part !== "" && part !== ".") ?? "";
    const name = base.replace(/(?<=.)\.[^.]*$/u, "");
    return analyse(name).length > 1 && /[-_.]|\p{Ll}\p{Lu}/u.test(name) ? [base, name] : [base];
  });
  return [...new Set(names.flatMap((name) => analyse(name)[0] ?? []))];
}

/** Raises a candidate's score if it names a touched file; the more notes name that file, the less. */
export function raisedByTouched(
  score: number,
  { counts }: Pick<SearchCandidate, "counts">,
  names: readonly string[],
  { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">,
): number {
  const said = names.filter((name) => says(counts, name));
  const most = Math.max(0, ...said.map((name) => rarity(documents, documentFrequency.get(name) ?? 0)));
  return score + TOUCHED_SHARE * (most / rarity(documents, 1)) * (1 - score);
}
