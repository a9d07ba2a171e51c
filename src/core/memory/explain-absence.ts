import { analyse } from "../notes/terms.ts";
import type { SearchCandidate } from "../notes/note-index.ts";
import type { Scope } from "../notes/note.ts";
import type { Explanation } from "../recall/explanation.ts";
import type { Fate } from "../recall/fate.ts";
import { noteKey, type SessionLedger } from "../recall/ledger.ts";
import { promptTerms } from "../recall/prompt.ts";
import { findRemedy, type Remedy } from "../recall/remedy.ts";
import { coverage, weighTerms } from "../recall/score.ts";
import { SELECTION_RULE } from "../recall/select.ts";
import { type AskedWord, askedWords } from "../recall/words.ts";
import { explainPrompt } from "./explain-recall.ts";
import { recallNotes } from "./recall-notes.ts";
import type { NoteRef, Workspace } from "./workspace.ts";

/** Why a note was not recalled; or that it was. `crowded-out`: it has words of the prompt, but fifty others are likelier. */
export type AbsenceReason = Fate | "off" | "superseded" | "common-words" | "shares-nothing" | "crowded-out";

export interface Absence {
  readonly reason: AbsenceReason;
  readonly scope: Scope;
  readonly file: string;
  readonly prompt: string;
  /** Coverage of the prompt, 0 to 1. */
  readonly score: number;
  /** From 1 on; `undefined` when it was not among the 50 best. */
  readonly rank: number | undefined;
  /** What it needed: the floor, or the share of the best note where that is more. */
  readonly needed: number;
  readonly floor: number;
  readonly best: { readonly file: string; readonly score: number } | undefined;
  readonly supersededBy: string | undefined;
  /** The prompt's telling words, by where the note has them. */
  readonly words: { readonly name: readonly string[]; readonly description: readonly string[]; readonly body: readonly string[]; readonly missing: readonly string[] };
  /** Words that the note is found by, the first of them. */
  readonly noteWords: readonly string[];
  readonly description: string;
  readonly remedy: Remedy | undefined;
  readonly explanation: Explanation;
}

/** Compares one note with one prompt. The note may be superseded. */
export function explainAbsence(workspace: Workspace, ref: NoteRef, prompt: string, session?: { readonly id: string; readonly ledger: SessionLedger }): Absence {
  const { scoped: { scope, store }, file } = ref;
  const explanation = explainPrompt(workspace, prompt, session);
  const { ranked } = recallNotes(workspace, prompt);
  const key = noteKey({ scope, file });
  const at = ranked.findIndex((note) => noteKey(note) === key);
  const entry = store.index.entry(file);
  const result = store.index.search(promptTerms(prompt), Math.max(1, store.index.count()));
  const asked = askedWords(prompt).filter(({ terms }) => terms.length > 0);
  const candidate = result.candidates.find((one) => one.entry.file === file);
  const weighed = weighTerms(promptTerms(prompt), result, Number.POSITIVE_INFINITY);
  const [best] = ranked;
  const needed = Math.max(SELECTION_RULE.floor, (best?.score ?? 0) * SELECTION_RULE.share);
  const fate = explanation.candidates.find((note) => noteKey(note) === key)?.fate;
  const facts = { mode: workspace.mode, supersededBy: entry?.supersededBy, hasWords: asked.length > 0, candidate, fate };
  return {
    reason: reasonOf(facts, at >= 0),
    scope,
    file,
    prompt,
    score: ranked[at]?.score ?? (candidate === undefined ? 0 : coverage(candidate, weighed, result.averages)),
    rank: at === -1 ? undefined : at + 1,
    needed,
    floor: SELECTION_RULE.floor,
    best,
    supersededBy: entry?.supersededBy,
    words: placed(asked, candidate),
    noteWords: [...new Set(askedWords(`${entry?.name ?? ""} ${entry?.description ?? ""}`).filter(({ terms }) => terms.length > 0).map(({ word }) => word))],
    description: entry?.description ?? "",
    remedy: entry?.supersededBy === undefined && fate !== "shown" && asked.length > 0 ? findRemedy(candidate ?? emptyCandidate(ref), asked, needed, weighed, result.averages) : undefined,
    explanation,
  };
}

interface ReasonFacts {
  readonly mode: Workspace["mode"];
  readonly supersededBy: string | undefined;
  readonly hasWords: boolean;
  readonly candidate: SearchCandidate | undefined;
  readonly fate: Fate | undefined;
}

function reasonOf({ mode, supersededBy, hasWords, candidate, fate }: ReasonFacts, isRanked: boolean): AbsenceReason {
  if (mode === "off") return "off";
  if (supersededBy !== undefined) return "superseded";
  if (!hasWords) return "common-words";
  if (candidate === undefined) return "shares-nothing";
  if (!isRanked) return "crowded-out";
  return fate ?? "below-floor";
}

function placed(asked: readonly AskedWord[], candidate: SearchCandidate | undefined): Absence["words"] {
  const among = (field: ReadonlyMap<string, number> | undefined): string[] => asked.filter(({ terms }) => terms.some((term) => field?.has(term) === true)).map(({ word }) => word);
  const { name, description, body } = candidate?.counts ?? {};
  const found = { name: among(name), description: among(description), body: among(body) };
  const all = new Set([...found.name, ...found.description, ...found.body]);
  return { ...found, missing: asked.filter(({ word }) => !all.has(word)).map(({ word }) => word) };
}

/** A note that has no word of the prompt, so that adding some can be tried. */
function emptyCandidate({ scoped: { store }, file }: NoteRef): SearchCandidate {
  const entry = store.index.entry(file);
  const none: ReadonlyMap<string, number> = new Map();
  const base = entry ?? { file, hash: "", size: 0, mtimeMs: 0, name: "", description: "", type: undefined, writtenType: undefined, pinned: false, time: 0, supersededBy: undefined, validTo: undefined, problems: [], uses: 0 };
  const lengthOf = (text: string): number => analyse(text).length;
  return { entry: base, counts: { name: none, description: none, body: none }, lengths: { name: lengthOf(base.name), description: lengthOf(base.description), body: 0 } };
}
