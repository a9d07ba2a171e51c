import common from "../../core/recall/common-words.json" with { type: "json" };
import { analyse } from "../../core/notes/terms.ts";
import type { SearchCandidate } from "../../core/notes/note-index.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { Explanation } from "./explanation.ts";
import type { NoteOutcome } from "../../core/recall/outcome.ts";
import { noteKey } from "../../core/notes/names.ts";
import { judge, type RecallCandidate } from "../../core/recall/likelihood.ts";
import { askedWords, type SpokenWord, spokenWords } from "../../core/recall/prompt.ts";
import { matching } from "../../core/recall/recall.ts";
import { explainProbe, probeRecall, percent } from "./explain-recall.ts";
import type { RecallOutcome } from "./recall-notes.ts";
import type { NoteRef, Workspace } from "../workspace/workspace.ts";

/** The answer in one or two sentences; every reason has one. */
export function absenceSentence(absence: Absence): string {
  const { file, score, floors, supersededBy } = absence;
  switch (absence.reason) {
    case "shown":
      return `${file} is recalled for this prompt: it is shown whole${rankWords(absence)}.`;
    case "pointed":
      return `${file} is recalled for this prompt in one line, not whole: it is ${percent(score)} likely to help${rankWords(absence)}, and ${percent(floors.whole)} is needed to be sure.`;
    case "off":
      return "Memory is off, so nothing is recalled.";
    case "superseded":
      return `${file} is not recalled because a newer note took its place: ${supersededBy ?? "another note"}. It is kept for the record.`;
    case "common-words":
      return "The prompt has only words that are too common to look for, so it finds no note.";
    case "shares-nothing":
      return `${file} has none of the prompt's words, so it cannot be found by it.`;
    case "crowded-out":
      return `${file} has words of the prompt, but at least fifty other notes are likelier.`;
    case "surfaced":
      return `${file} is not shown again: this session has it already. It is shown once more when it changes.`;
    case "no-room":
      return `${file} was chosen, but there was no room left for it.`;
    case "unlikely":
      return `${file} is ${percent(score)} likely to help${rankWords(absence)}; ${percent(floors.pointer)} is needed for a line, ${percent(floors.whole)} to be shown whole.`;
    case "too-many":
      return `${file} is ${percent(score)} likely to help, enough to be shown, but likelier notes came first${rankWords(absence)}.`;
  }
}

function rankWords({ rank }: Absence): string {
  return rank === undefined ? "" : rank === 1 ? ", the likeliest of all notes" : `, number ${rank} of all notes`;
}

/** Which of the prompt's words the note has, and in which fields. */
export function placeSentences({ words, noteWords }: Absence): readonly string[] {
  const fields = [
    ["name", words.name],
    ["description", words.description],
    ["text", words.body],
    ["its search words (`--asked`), or notes that it superseded", words.asked],
  ] as const;
  const places = fields
    .filter(([, found]) => found.length > 0)
    .map(([field, found]) => `in its ${field}: ${some(found)}`);
  return [
    ...(places.length === 0 ? [] : [`It has, ${places.join("; ")}.`]),
    ...(words.related.length === 0 ? [] : [`It has words related to: ${some(words.related)}.`]),
    ...(words.missing.length === 0 ? [] : [`It lacks: ${some(words.missing)}.`]),
    ...(places.length > 0 || noteWords.length === 0 ? [] : [`It is found by words such as: ${some(noteWords)}.`]),
  ];
}

/** What would make recall find the note; `undefined` when there is nothing to do. */
export function remedySentence({ remedy, reason, file }: Absence): string | undefined {
  if (remedy === undefined || reason === "surfaced" || reason === "no-room" || reason === "off") return undefined;
  if (remedy.words.length === 0)
    return reason === "too-many" || remedy.enough
      ? undefined
      : "More of the prompt's words in its description would not change that: the prompt is about more than this note.";
  const words = remedy.words.map((word) => `\`${word}\``).join(", ");
  if (remedy.enough)
    return `With ${words} in its description it would be about ${percent(remedy.score)} likely to help, and be shown whole. If the note is about that, say so in its description (\`memdir edit ${file} --description '…'\`), or add words to find it by: \`memdir edit ${file} --asked '${remedy.words.join(", ")}'\`.`;
  return `Even with ${words} in its description it would be about ${percent(remedy.score)} likely to help: the prompt is about more than this note.`;
}

const LISTED = 12;

function some(words: readonly string[]): string {
  return `${words.slice(0, LISTED).join(", ")}${words.length > LISTED ? ` and ${words.length - LISTED} more` : ""}`;
}

/** Why a note was or was not recalled. `crowded-out`: it has words of the prompt, but fifty notes are likelier. */
export type AbsenceReason = NoteOutcome | "off" | "superseded" | "common-words" | "shares-nothing" | "crowded-out";

export interface Absence {
  readonly reason: AbsenceReason;
  readonly scope: Scope;
  readonly file: string;
  readonly prompt: string;
  /** How likely the note is to help, as recall judged: 0 to 1. */
  readonly score: number;
  /** Counted from 1; `undefined` when the note was not judged. */
  readonly rank: number | undefined;
  /** The likelihoods needed to be shown whole and in one line. */
  readonly floors: Explanation["floors"];
  readonly best: { readonly file: string; readonly score: number } | undefined;
  readonly supersededBy: string | undefined;
  /** The significant words of the prompt, by the field of the note that has them. */
  readonly words: {
    readonly name: readonly string[];
    readonly description: readonly string[];
    readonly body: readonly string[];
    /** Found in its search words, or in what the notes it superseded were about. */
    readonly asked: readonly string[];
    /** Matched only by a related word. */
    readonly related: readonly string[];
    readonly missing: readonly string[];
  };
  /** The first words that the note is found by. */
  readonly noteWords: readonly string[];
  readonly description: string;
  readonly remedy: Remedy | undefined;
  readonly explanation: Explanation;
}

/** A word that a note gains becomes a little less rare, so advice aims this much above what is needed. */
const MARGIN = 0.15;

/** Compares one note, which may be superseded, with one prompt. */
export function explainAbsence(workspace: Workspace, ref: NoteRef, prompt: string, session?: string): Absence {
  const {
    scoped: { scope, store },
    file,
  } = ref;
  const probe = probeRecall(workspace, prompt, session);
  const { outcome, judged } = probe;
  const explanation = explainProbe(workspace, probe);
  const at = judged.findIndex((note) => noteKey(note) === noteKey({ scope, file }));
  const entry = store.index.entry(file);
  const asked = spokenWords(prompt, workspace.vocabulary).filter(({ terms }) => terms.length > 0);
  const result = store.index.search(
    asked.flatMap(({ terms }) => terms),
    Math.max(1, store.index.count()),
    asked.flatMap(({ related }) => related),
  );
  const candidate = result.candidates.find((one) => one.entry.file === file);
  const likelihoodOf = likelihoodIn(outcome, ref, matching(prompt, askedWords(prompt, workspace.vocabulary), result));
  const fate = judged[at]?.fate;
  const isOpen = workspace.mode !== "off" && entry?.supersededBy === undefined && fate !== "shown" && asked.length > 0;
  return {
    reason: reasonOf({
      mode: workspace.mode,
      supersededBy: entry?.supersededBy,
      hasWords: asked.length > 0,
      candidate,
      fate,
    }),
    scope,
    file,
    prompt,
    score: judged[at]?.score ?? (candidate === undefined ? 0 : likelihoodOf(candidate)),
    rank: at === -1 ? undefined : at + 1,
    floors: explanation.floors,
    best: judged[0],
    supersededBy: entry?.supersededBy,
    words: placed(asked, candidate),
    noteWords: indexedWords(`${entry?.name ?? ""} ${entry?.description ?? ""}`),
    description: entry?.description ?? "",
    remedy: isOpen
      ? findRemedy(candidate ?? emptyCandidate(ref), asked, explanation.floors.whole + MARGIN, likelihoodOf)
      : undefined,
    explanation,
  };
}

/** The words of a text that the index knows, without duplicates. */
function indexedWords(text: string): readonly string[] {
  const words = spokenWords(text).filter(({ terms }) => terms.length > 0);
  return [...new Set(words.map(({ word }) => word))];
}

/** How likely to help a note would be judged among the others that the prompt found. */
function likelihoodIn(
  { judged }: RecallOutcome,
  { scoped: { scope }, file }: NoteRef,
  { scoreOf, asCandidate }: ReturnType<typeof matching>,
): (candidate: SearchCandidate) => number {
  const others = judged.map(({ note }) => note).filter((note) => noteKey(note) !== noteKey({ scope, file }));
  return (candidate) => {
    const note = asCandidate(candidate, scoreOf(candidate));
    return judge<RecallCandidate>([...others, note]).find((one) => one.note === note)?.likelihood ?? 0;
  };
}

interface ReasonFacts {
  readonly mode: Workspace["mode"];
  readonly supersededBy: string | undefined;
  readonly hasWords: boolean;
  readonly candidate: SearchCandidate | undefined;
  readonly fate: NoteOutcome | undefined;
}

function reasonOf({ mode, supersededBy, hasWords, candidate, fate }: ReasonFacts): AbsenceReason {
  if (mode === "off") return "off";
  if (supersededBy !== undefined) return "superseded";
  if (!hasWords) return "common-words";
  if (candidate === undefined) return "shares-nothing";
  return fate ?? "crowded-out";
}

function placed(asked: readonly SpokenWord[], candidate: SearchCandidate | undefined): Absence["words"] {
  const among = (field: ReadonlyMap<string, number> | undefined): string[] =>
    asked.filter(({ terms }) => terms.some((term) => field?.has(term) === true)).map(({ word }) => word);
  const { name, description, body, asked: phrases, before } = candidate?.counts ?? {};
  const found = {
    name: among(name),
    description: among(description),
    body: among(body),
    asked: [...new Set([...among(phrases), ...among(before)])],
  };
  const all = new Set(Object.values(found).flat());
  const fields = [name, description, body, phrases, before];
  const related = asked
    .filter(
      (word) => !all.has(word.word) && word.related.some((term) => fields.some((field) => field?.has(term) === true)),
    )
    .map(({ word }) => word);
  return {
    ...found,
    related,
    missing: asked.filter(({ word }) => !all.has(word) && !related.includes(word)).map(({ word }) => word),
  };
}

/** A note without any word of the prompt, as a base for trying to add some. */
function emptyCandidate({ scoped: { store }, file }: NoteRef): SearchCandidate {
  const entry = store.index.entry(file);
  const none: ReadonlyMap<string, number> = new Map();
  const base = entry ?? {
    file,
    hash: "",
    size: 0,
    mtimeMs: 0,
    name: "",
    description: "",
    type: undefined,
    writtenType: undefined,
    pinned: false,
    time: 0,
    supersededBy: undefined,
    validTo: undefined,
    problems: [],
    uses: 0,
  };
  const lengthOf = (text: string): number => analyse(text).length;
  return {
    entry: base,
    counts: { name: none, description: none, body: none },
    lengths: { name: lengthOf(base.name), description: lengthOf(base.description), body: 0 },
  };
}

/** What would make a prompt find a note. */
export interface Remedy {
  /** Words of the prompt to put into the note's description. */
  readonly words: readonly string[];
  /** About how likely to help the note would then be judged: 0 to 1. */
  readonly score: number;
  /** Whether that is enough to be shown whole. */
  readonly enough: boolean;
}

/** Adds the prompt's words, most useful first, to the description until the note is `needed` likely to help. */
function findRemedy(
  candidate: SearchCandidate,
  asked: readonly SpokenWord[],
  needed: number,
  judged: (candidate: SearchCandidate) => number,
): Remedy {
  let present = candidate;
  let score = judged(present);
  const words: string[] = [];
  const open = new Set(
    asked.filter(
      ({ word, terms }) =>
        !FILLERS.has(word.toLowerCase()) && terms.some((term) => !candidate.counts.description.has(term)),
    ),
  );
  while (score < needed && open.size > 0) {
    const tried = [...open]
      .map((word) => ({ word, with: described(present, word.terms) }))
      .map((one) => ({ ...one, score: judged(one.with) }));
    const [best] = tried.toSorted((a, b) => b.score - a.score);
    if (best === undefined || best.score <= score) break;
    open.delete(best.word);
    words.push(best.word.word);
    present = best.with;
    score = best.score;
  }
  return { words, score, enough: score >= needed };
}

/** Conversational words that a prompt may have but a description should not: they would find the note for anything. */
const FILLERS: ReadonlySet<string> = new Set(common.talk.split(" "));

function described(candidate: SearchCandidate, terms: readonly string[]): SearchCandidate {
  const description = new Map(candidate.counts.description);
  for (const term of terms) description.set(term, (description.get(term) ?? 0) + 1);
  return {
    ...candidate,
    counts: { ...candidate.counts, description },
    lengths: { ...candidate.lengths, description: candidate.lengths.description + terms.length },
  };
}
