import { analyse } from "../../core/notes/terms.ts";
import type { SearchCandidate, SearchResult } from "../../core/notes/note-index.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { Explanation } from "../../core/recall/explanation.ts";
import type { NoteOutcome } from "../../core/recall/outcome.ts";
import { noteKey } from "../../core/recall/ledger.ts";
import { headShare, judge, type Judgeable } from "../../core/recall/likelihood.ts";
import { askedWords } from "../../core/recall/prompt.ts";
import { foundIn, WEIGHED_WORDS } from "../../core/recall/recall.ts";
import { findRemedy, type Remedy } from "../../core/recall/remedy.ts";
import { type WeighedWords, weighWords } from "../../core/recall/score.ts";
import { scoring } from "../../core/recall/series-score.ts";
import { type SpokenWord, spokenWords } from "../../core/recall/spoken-words.ts";
import { explainProbe, probeRecall } from "./explain-recall.ts";
import type { RecallOutcome } from "./recall-notes.ts";
import type { NoteRef, Workspace } from "../workspace/workspace.ts";

/** Why a note was not recalled; or that it was. `crowded-out`: it has words of the prompt, but fifty others are likelier. */
export type AbsenceReason = NoteOutcome | "off" | "superseded" | "common-words" | "shares-nothing" | "crowded-out";

export interface Absence {
  readonly reason: AbsenceReason;
  readonly scope: Scope;
  readonly file: string;
  readonly prompt: string;
  /** That the note helps, as recall judged: 0 to 1. */
  readonly score: number;
  /** From 1 on; `undefined` when it was not among those that were judged. */
  readonly rank: number | undefined;
  /** How likely a note has to be to help: to be shown whole, and in one line. */
  readonly floors: Explanation["floors"];
  readonly best: { readonly file: string; readonly score: number } | undefined;
  readonly supersededBy: string | undefined;
  /** The prompt's telling words, by where the note has them. */
  readonly words: {
    readonly name: readonly string[];
    readonly description: readonly string[];
    readonly body: readonly string[];
    /** Among the words it is looked for by, or in what the notes were about that it superseded. */
    readonly asked: readonly string[];
    /** Answered by a related word alone. */
    readonly related: readonly string[];
    readonly missing: readonly string[];
  };
  /** Words that the note is found by, the first of them. */
  readonly noteWords: readonly string[];
  readonly description: string;
  readonly remedy: Remedy | undefined;
  readonly explanation: Explanation;
}

/** A word that a note gains is a little less rare afterwards: advice aims this much higher than what is needed. */
const MARGIN = 0.15;

/** Compares one note with one prompt. The note may be superseded. */
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
  const likelihoodOf = likelihoodIn(
    prompt,
    outcome,
    ref,
    weighWords(askedWords(prompt, workspace.vocabulary), result, WEIGHED_WORDS),
    result,
  );
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

/** The words of a text that the index knows, each once. */
function indexedWords(text: string): readonly string[] {
  const words = spokenWords(text).filter(({ terms }) => terms.length > 0);
  return [...new Set(words.map(({ word }) => word))];
}

/** How likely to help a note would be judged beside the others that the prompt found. */
function likelihoodIn(
  prompt: string,
  { judged, details }: RecallOutcome,
  { scoped: { scope }, file }: NoteRef,
  weighed: WeighedWords,
  result: SearchResult,
): (candidate: SearchCandidate) => number {
  const terms = details.find((one) => one.scope === scope)?.recall.terms ?? [];
  const others = judged
    .filter(({ note }) => noteKey(note) !== noteKey({ scope, file }))
    .map(({ note, evidence }): readonly [Judgeable, number] => [note, evidence.head]);
  const scoreOf = scoring(result, weighed, prompt);
  return (candidate) => {
    const { found } = foundIn(candidate, weighed.words);
    const note: Judgeable = { file, score: scoreOf(candidate), entry: candidate.entry, found };
    return judge([...others, [note, headShare(note, terms)]]).find((one) => one.note === note)?.likelihood ?? 0;
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

/** A note that has no word of the prompt, so that adding some can be tried. */
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
