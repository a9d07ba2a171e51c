import type { NoteIndex, SearchCandidate, SearchResult } from "../../core/notes/note-index.ts";
import { type ExplainedNote, type Explanation, verdictOf } from "./explanation.ts";
import type { NoteOutcome } from "../../core/recall/outcome.ts";
import { linkingTo, surroundingsAmong } from "../../core/recall/score.ts";
import { type SessionLedger, surfacedIn } from "../../core/recall/ledger.ts";
import { noteKey } from "../../core/notes/names.ts";
import type { LoggedRecall } from "../../core/recall/log-line.ts";
import type { RenderedRecall } from "../../core/recall/render.ts";
import { type SpokenWord, spokenWords } from "../../core/recall/prompt.ts";
import { cutNotes, type JudgedNote, judgedNotes } from "./log-recall.ts";
import { isEntryFor, LOG_CANDIDATES, recallNotes, type RecallOutcome, renderOutcome } from "./recall-notes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { counted } from "../../core/shared/text.ts";

/** A share as a percentage, rounded down so that it never appears to reach a floor that was missed: `22.9%`. */
export function percent(share: number): string {
  return `${Math.floor(share * 1000 + 1e-6) / 10}%`;
}

/** The answer in one or two sentences; every outcome has one. */
export function verdictSentence(explanation: Explanation): string {
  const { verdict, candidates, floors } = explanation;
  const names = (outcome: NoteOutcome): string =>
    candidates
      .filter((note) => note.fate === outcome)
      .map(({ file }) => file)
      .join(", ");
  const count = (outcome: NoteOutcome): string =>
    counted(candidates.filter((note) => note.fate === outcome).length, "note was", "notes were");
  const best = candidates[0];
  if (explanation.by === "model") return modelSentence(names("shown"), names("surfaced"));
  switch (verdict) {
    case "off":
      return "Memory is off, so nothing is read and nothing is recalled.";
    case "empty-prompt":
      return "The prompt is empty, so there is nothing to look for.";
    case "no-notes":
      return "There are no notes here yet, so there is nothing to recall. `memdir remember TEXT` saves one.";
    case "common-words":
      return "The prompt has only words that are too common to look for, so nothing was shown.";
    case "no-match":
      return explanation.prompt === undefined
        ? "Nothing was shown: no note had a word of the prompt."
        : "Nothing was shown: no note has any of the prompt's words. memdir finds notes by their words, so put the words you would ask with into a note's description.";
    case "shown":
      return `${count("shown")} shown whole: ${names("shown")}.${names("pointed") === "" ? "" : ` In one line: ${names("pointed")}.`}`;
    case "pointed":
      return `No note was sure enough to be shown whole; ${count("pointed")} shown in one line: ${names("pointed")}.`;
    case "surfaced":
      return `Nothing was shown again: this session has ${names("surfaced")} already. A note that changes is shown once more.`;
    case "no-room":
      return `Nothing was shown: ${names("no-room")} would help, but what one session may receive is used up.`;
    case "unlikely":
      return best === undefined
        ? "Nothing was shown."
        : `Nothing was shown: the likeliest note, ${best.file}, is ${percent(best.score)} likely to help, and ${percent(floors.pointer)} is needed for a line. That is right where no note helps; if this one would, ask why-not.`;
  }
}

/** What a model chose in addition to the fast answer; it is logged separately. */
function modelSentence(added: string, had: string): string {
  const also = had === "" ? "" : ` It also chose what the fast answer had shown: ${had}.`;
  return added === ""
    ? `Chosen by a model: it added nothing to the fast answer.${also}`
    : `Chosen by a model, beside the fast answer: ${added}.${also}`;
}

/** The outcome of one note, in a few words. */
export function outcomeWords(
  { fate, scope, file }: Pick<ExplainedNote, "fate" | "scope" | "file">,
  { floors, cut }: Pick<Explanation, "floors" | "cut">,
): string {
  const left = cut.find((one) => one.file === file && one.scope === scope)?.characters ?? 0;
  switch (fate) {
    case "shown":
      return left > 0
        ? `shown whole but for its end: ${counted(left, "character was", "characters were")} cut for space`
        : "shown whole";
    case "pointed":
      return "shown in one line";
    case "surfaced":
      return "not shown again: this session has it already";
    case "no-room":
      return "not shown: no room was left for it";
    case "unlikely":
      return `not shown: less than ${percent(floors.pointer)}`;
    case "too-many":
      return "not shown: enough likelier notes came first";
  }
}

/** Which words were searched for, and which of them no note has. */
export function wordSentences({ words, logEntries }: Pick<Explanation, "words" | "logEntries">): readonly string[] {
  const [those, none] =
    logEntries === undefined
      ? ["notes have", "no note has"]
      : ["notes or log entries have", "no note or log entry has"];
  const telling = words.filter(({ terms }) => terms.length > 0);
  const known = telling.filter(({ notes }) => notes > 0);
  const former = telling.filter((word) => word.notes === 0 && word.former > 0);
  const unknown = telling.filter((word) => word.notes === 0 && word.former === 0);
  const common = words.filter(({ terms }) => terms.length === 0);
  return [
    ...(known.length === 0
      ? []
      : [`Words that ${those}: ${some(known.map(({ word, notes }) => `${word} (${notes})`))}.`]),
    ...(former.length === 0
      ? []
      : [
          `Words that only superseded notes have, which leads to what replaced them: ${some(former.map(({ word }) => word))}.`,
        ]),
    ...(unknown.length === 0 ? [] : [`Words that ${none}: ${some(unknown.map(({ word }) => word))}.`]),
    ...(common.length === 0 ? [] : [`Too common to look for: ${some(common.map(({ word }) => word))}.`]),
  ];
}

/** How the choice was made. */
export function ruleSentence({ by, floors }: Pick<Explanation, "by" | "floors">): string {
  if (by === "model")
    return "Chosen by a model, which saw one line of each of the likeliest notes; the percentages are what the rules had judged.";
  return `Chosen by rules, without a model. A note is shown whole when it is ${percent(floors.whole)} likely to help or more, in one line from ${percent(floors.pointer)} on. Rare words of the prompt weigh most, most of all in a note's name and description.`;
}

const LISTED = 12;

function some(items: readonly string[]): string {
  const shown = items.slice(0, LISTED).map((item) => (item.length > 40 ? `${item.slice(0, 39)}…` : item));
  return `${shown.join(", ")}${items.length > LISTED ? ` and ${items.length - LISTED} more` : ""}`;
}

const EXPLAINED = 10;

interface AskingSession {
  readonly id: string;
  readonly ledger: SessionLedger;
}

/** A recall run only to be explained; it is neither counted nor logged. */
export interface ProbedRecall {
  readonly prompt: string;
  readonly session: AskingSession | undefined;
  readonly outcome: RecallOutcome;
  readonly rendered: RenderedRecall;
  /** Every note that was considered, likeliest first. */
  readonly judged: readonly JudgedNote[];
  readonly ms: number;
}

export function probeRecall(workspace: Workspace, prompt: string, asking?: string): ProbedRecall {
  const session = asking === undefined ? undefined : { id: asking, ledger: surfacedIn(workspace.recallLog, asking) };
  const started = workspace.clock.now();
  const outcome = recallNotes(workspace, prompt, session?.ledger);
  const rendered = renderOutcome(workspace.clock, outcome, { session: session?.ledger });
  return {
    prompt,
    session,
    outcome,
    rendered,
    judged: judgedNotes(outcome, rendered, session?.ledger),
    ms: workspace.clock.now() - started,
  };
}

/** Explains why a recall shows what it shows. */
export function explainProbe(
  workspace: Workspace,
  { prompt, session, outcome, rendered, judged, ms }: ProbedRecall,
): Explanation {
  return explain(workspace, {
    prompt,
    loggedAt: undefined,
    session: session?.id,
    judged,
    scopes: workspace.stores.map(({ scope, store }) => ({ scope, notes: store.index.count() })),
    floors: { whole: outcome.rule.whole, pointer: outcome.rule.pointer },
    cut: cutNotes(rendered),
    characters: rendered.text.length,
    by: "rules",
    ms,
    off: workspace.mode === "off",
    remarks: remarksOf(workspace),
  });
}

/** Runs a recall without counting or logging it, and explains what it shows. */
export function explainPrompt(workspace: Workspace, prompt: string, session?: string): Explanation {
  return explainProbe(workspace, probeRecall(workspace, prompt, session));
}

/** Explains a logged recall. Its results are as logged; which words notes have is as of now. */
export function explainLogged(workspace: Workspace, logged: LoggedRecall): Explanation {
  return explain(workspace, {
    prompt: logged.prompt,
    loggedAt: logged.time,
    session: logged.session,
    judged: logged.candidates,
    scopes: workspace.scopes.flatMap((scope) => {
      const notes = logged.notes?.[scope];
      return notes === undefined ? [] : [{ scope, notes }];
    }),
    floors: logged.floors,
    cut: logged.cut,
    characters: logged.characters,
    by: logged.by,
    ms: logged.ms,
    off: false,
    remarks: logged.session === undefined ? [] : triggeredIn(workspace, logged.session),
  });
}

/** Notes that tool calls of the session brought up in addition to its recalls. */
function triggeredIn({ recallLog }: Workspace, session: string): readonly string[] {
  const notes = [...surfacedIn(recallLog, session).triggered].map((key) => key.replace(/^project:/u, ""));
  return notes.length === 0 ? [] : [`Tool calls of this session brought up a line of ${notes.join(", ")}.`];
}

interface Facts extends Omit<Explanation, "verdict" | "words" | "candidates" | "more" | "logEntries"> {
  readonly judged: readonly JudgedNote[];
  readonly off: boolean;
}

function explain(workspace: Workspace, { judged, off, ...facts }: Facts): Explanation {
  const asked = facts.prompt === undefined ? undefined : spokenWords(facts.prompt, workspace.vocabulary);
  const found = lookUp(workspace, asked ?? []);
  const words = (asked ?? []).map((word) => ({
    ...word,
    notes: Math.max(0, ...word.terms.map((term) => found.frequency.get(term) ?? 0)),
    former: [...found.former.values()].filter((terms) => word.terms.some((term) => terms.has(term))).length,
  }));
  const logEntries = off ? undefined : entriesOf(workspace);
  const notes = facts.scopes.reduce((sum, one) => sum + one.notes, logEntries ?? 0);
  const candidates = judged.slice(0, EXPLAINED).map((note): ExplainedNote => {
    const terms = found.terms.get(noteKey(note)) ?? new Set<string>();
    const isIn = (word: SpokenWord): boolean => word.terms.some((term) => terms.has(term));
    const former = found.former.get(noteKey(note)) ?? new Set<string>();
    const isFormer = (word: SpokenWord): boolean => !isIn(word) && word.terms.some((term) => former.has(term));
    const isFound = (word: SpokenWord): boolean => isIn(word) || isFormer(word);
    const isRelated = (word: SpokenWord): boolean =>
      !isFound(word) && word.related.some((term) => terms.has(term) || former.has(term));
    const around = found.around(noteKey(note));
    const isAround = (word: SpokenWord): boolean =>
      !isFound(word) && !isRelated(word) && word.terms.some((term) => around.has(term));
    const isLacking = (word: SpokenWord): boolean => !isFound(word) && !isRelated(word) && !isAround(word);
    const telling = words.filter(({ terms: wanted }) => wanted.length > 0);
    const among = (which: (word: SpokenWord) => boolean): readonly string[] =>
      telling.filter(which).map(({ word }) => word);
    return {
      ...note,
      has: among(isIn),
      succeeds: among(isFormer),
      relates: among(isRelated),
      nearby: among(isAround),
      linkedFrom: found.linkedFrom.get(noteKey(note)) ?? [],
      lacks: among(isLacking),
    };
  });
  const verdict = verdictOf(
    judged.map(({ fate }) => fate),
    { off, notes, words: asked, prompt: facts.prompt },
  );
  return { ...facts, logEntries, verdict, words, candidates, more: Math.max(0, judged.length - candidates.length) };
}

function entriesOf({ logs }: Workspace): number | undefined {
  return logs === undefined ? undefined : logs.store.index.entries().filter((entry) => isEntryFor(logs, entry)).length;
}

interface Found {
  /** Number of live notes with a term, over all scopes. */
  readonly frequency: ReadonlyMap<string, number>;
  /** The prompt's terms that a note has, by `scope:file`. */
  readonly terms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those that only notes have which it superseded. */
  readonly former: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same terms in the neighbours of a log entry; empty for a note. */
  readonly around: (key: string) => ReadonlySet<string>;
  /** Files of the other found notes that link to a note. */
  readonly linkedFrom: ReadonlyMap<string, readonly string[]>;
}

const LOOKED_UP = 50;

function lookUp(workspace: Workspace, asked: readonly SpokenWord[]): Found {
  const frequency = new Map<string, number>();
  const terms = new Map<string, ReadonlySet<string>>();
  const former = new Map<string, ReadonlySet<string>>();
  const nearby = new Map<string, ReadonlySet<string>>();
  const linkedFrom = new Map<string, readonly string[]>();
  const around = (key: string): ReadonlySet<string> => nearby.get(key) ?? new Set();
  if (workspace.mode === "off") return { frequency, terms, former, around, linkedFrom };
  const { logs, stores } = workspace;
  const search = (index: NoteIndex, most: number): SearchResult =>
    index.search(
      asked.flatMap((word) => word.terms),
      most,
      asked.flatMap((word) => word.related),
    );
  const found = stores.map(({ scope, store }) => ({ scope, ...search(store.index, LOOKED_UP) }));
  for (const { documentFrequency } of found)
    for (const [term, notes] of documentFrequency) frequency.set(term, (frequency.get(term) ?? 0) + notes);
  // Entries about other projects are left out, so the index's counts over all entries do not apply.
  const entries =
    logs === undefined
      ? []
      : search(logs.store.index, LOG_CANDIDATES).candidates.filter(({ entry }) => isEntryFor(logs, entry));
  for (const candidate of entries)
    for (const term of termsOf(candidate)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  for (const { scope, candidates } of [...found, { scope: "user" as const, candidates: entries }]) {
    const surroundingsOf = surroundingsAmong(candidates);
    for (const candidate of candidates) {
      const key = noteKey({ scope, file: candidate.entry.file });
      const own = termsOf(candidate);
      const before = [...(candidate.counts.before?.keys() ?? [])].filter((term) => !own.has(term));
      terms.set(key, own);
      if (before.length > 0) former.set(key, new Set(before));
      linkedFrom.set(key, linkingTo(candidate, candidates));
      nearby.set(key, new Set(surroundingsOf(candidate.entry).flatMap(([other]) => [...termsOf(other)])));
    }
  }
  return { frequency, terms, former, around, linkedFrom };
}

/** The terms in a note itself. */
function termsOf({ counts: { before: _superseded, ...own } }: SearchCandidate): ReadonlySet<string> {
  return new Set(Object.values(own).flatMap((terms) => [...terms.keys()]));
}

/** Checks the files fully; recall's own check is a quick one. */
function remarksOf(workspace: Workspace): string[] {
  if (workspace.mode === "off") return [];
  return workspace.stores.flatMap(({ scope, store }) => {
    const { added, changed, removed, skipped } = store.reconcile("full");
    const news = [...added, ...changed, ...removed];
    return [
      ...(news.length === 0
        ? []
        : [
            `The index of the ${scope} scope was behind: ${counted(news.length, "file")} changed without a sign (${listed(news)}). It has caught up; ask again.`,
          ]),
      ...(skipped.length === 0
        ? []
        : [
            `${counted(skipped.length, "file")} of the ${scope} scope ${skipped.length === 1 ? "is" : "are"} not read: ${listed(skipped.map(({ file, reason }) => `${file} (${reason})`))}.`,
          ]),
      ...(store.index.degraded === undefined ? [] : [store.index.degraded]),
    ];
  });
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
}
