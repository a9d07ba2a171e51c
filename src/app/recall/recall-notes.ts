import type { Check } from "../../core/notes/claims/claim.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { isEntryId, projectOfEntry, type RecalledLogs } from "../../core/notes/daily-log.ts";
import { loadIndex } from "../../core/notes/index-file.ts";
import { INDEX_FILE, noteKey } from "../../core/notes/names.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import type { Scope } from "../../core/notes/note.ts";
import { shownType } from "../../core/notes/parse-note.ts";
import type { ReadableStore } from "../../core/notes/store.ts";
import { fenced, withoutSecrets } from "../../core/shared/sanitize.ts";
import {
  BESIDE_INDEX,
  gradeWithEntries,
  judge,
  type Judged,
  type RecallCandidate,
  SELECTION_RULE,
  type SelectionRule,
} from "../../core/recall/likelihood.ts";
import { type SessionLedger } from "../../core/recall/ledger.ts";
import type { RecallLog } from "../../core/recall/log-line.ts";
import { newerFirst, noticeRivals, type RivalRule } from "../../core/recall/rivals.ts";
import { type Doubts, doubtsIn } from "../../core/notes/doubts.ts";
import { recall, type Recall, type RecallOptions } from "../../core/recall/recall.ts";
import { type RenderedRecall, renderRecall, SESSION_CHARACTERS } from "../../core/recall/render.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { mayWrite, overriddenBy } from "../workspace/modes.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The parts of a workspace that recall needs. */
export interface RecallWorkspace extends Pick<Workspace, "mode" | "clock" | "tree" | "vocabulary"> {
  readonly stores: readonly { readonly scope: Scope; readonly store: ReadableStore }[];
  readonly recallLog: RecallLog;
  /** The user's daily logs, if there are any. */
  readonly logs?: RecalledLogs | undefined;
}

/** The sources of recalled texts. */
type RecallPlaces = Pick<RecallWorkspace, "stores" | "logs">;

/** What a session has been given already. Keys are `scope:file` (see `noteKey`). */
export interface RecallSession {
  /** Notes whose index line the session has: never pointed at. If set, any other with a word of the prompt may be. */
  readonly shownInIndex?: ReadonlySet<string> | undefined;
  /** Notes that the session's start listed; their index line counts as shown. */
  readonly listed?: ReadonlySet<string>;
  /** Notes shown whole, with the hash of what was shown. They are shown again only if they changed. */
  readonly surfaced?: ReadonlyMap<string, string>;
  /** Notes pointed at, with their hash at the time. They are pointed at again only if they changed. */
  readonly pointedAt?: ReadonlyMap<string, string>;
  /** Paths that the work is about, the latest first. Notes that name them rank higher. */
  readonly touchedFiles?: readonly string[];
}

export interface RankedNote {
  readonly scope: Scope;
  readonly file: string;
  /** Coverage of the prompt, 0 to 1. */
  readonly score: number;
}

/** A note that is merely plausible: shown in one line. */
export interface PointedNote extends RankedNote {
  readonly entry: IndexEntry;
}

/** A note that recall is sure of: shown whole. */
export interface RecalledNote extends PointedNote {
  /** Markdown after the frontmatter, as on disk now. */
  readonly body: string;
  /** The state of the things it names, if they were checked. */
  readonly checks?: readonly Check[];
}

export interface RecallOutcome {
  /** Unsettled contradictions of the notes in force, by `scope:file`. */
  readonly doubts?: ReadonlyMap<string, Doubts>;
  readonly selected: readonly RecalledNote[];
  readonly pointed: readonly PointedNote[];
  readonly ranked: readonly RankedNote[];
  /** No note was sure enough to be shown whole. An empty answer is a correct answer. */
  readonly abstained: boolean;
  /** Notes that would have been shown if the session had not been given them before. */
  readonly repeated: readonly RankedNote[];
  /** For `--explain`: the result of each scope's index. */
  readonly details: readonly { readonly scope: Scope; readonly recall: Recall }[];
  /** For `--explain`: every candidate with its evidence, likeliest first. */
  readonly judged: readonly Judged<ScopedCandidate>[];
  /** Notes left out because a nearer scope has a note of the same name and type. */
  readonly overridden: readonly OverriddenNote[];
  /** How likely to help a note had to be. */
  readonly rule: SelectionRule;
}

export interface OverriddenNote {
  readonly scope: Scope;
  readonly file: string;
  /** The scope whose note takes precedence. */
  readonly by: Scope;
}

export interface ScopedCandidate extends RecallCandidate {
  readonly scope: Scope;
}

const RANKED = 50;
const NOTHING: RecallOutcome = {
  selected: [],
  pointed: [],
  ranked: [],
  abstained: true,
  repeated: [],
  details: [],
  judged: [],
  overridden: [],
  rule: SELECTION_RULE,
};

/**
 * Notes that help with a prompt, from every scope in force. The text shown is always what is on disk now, even if the
 * index is outdated.
 */
export function recallNotes(workspace: RecallWorkspace, prompt: string, session: RecallSession = {}): RecallOutcome {
  if (workspace.mode === "off" || prompt.trim() === "") return NOTHING;
  for (const store of looked(workspace)) store.reconcile("quick");
  const first = choose(workspace, prompt, session);
  const { notes, stale } = loadNotes(workspace, first);
  if (!stale && first.pointed.every((note) => isThere(workspace, note))) return { ...first, selected: notes };
  // An edit that the directory did not reveal: check every file, then choose again.
  for (const store of looked(workspace)) store.reconcile("full");
  const second = choose(workspace, prompt, session);
  const reloaded = loadNotes(workspace, second).notes;
  const pointed = second.pointed.filter((note) => isThere(workspace, note));
  return { ...second, selected: reloaded, pointed, abstained: reloaded.length === 0 };
}

/** Counts the notes shown, so that useful notes rank higher in MEMORY.md. */
export function recordRecall(
  workspace: Pick<RecallWorkspace, "stores" | "mode">,
  selected: readonly RankedNote[],
): void {
  if (!mayWrite(workspace.mode)) return;
  for (const { scope, store } of workspace.stores)
    store.recordUse(selected.filter((note) => note.scope === scope && !isEntryId(note.file)).map(({ file }) => file));
}

/** An entry that the user removed from its file is not pointed at either: a quick check skips old days. */
function isThere({ logs }: RecallPlaces, { file, entry }: PointedNote): boolean {
  return !isEntryId(file) || logs?.store.read(file)?.byteLength === entry.size;
}

function looked({ stores, logs }: RecallPlaces): readonly ReadableStore[] {
  return [...stores.map(({ store }) => store), ...(logs === undefined ? [] : [logs.store])];
}

/** The notes shown by a client that loads every scope's MEMORY.md, for `RecallSession.shownInIndex`. */
export function notesShownInIndex(stores: RecallWorkspace["stores"]): ReadonlySet<string> {
  return new Set(
    stores.flatMap(({ scope, store }) => {
      const bytes = store.read(INDEX_FILE);
      return bytes === undefined
        ? []
        : loadIndex(new TextDecoder().decode(bytes)).listed.map((file) => noteKey({ scope, file }));
    }),
  );
}

/** Without `Intl`, which costs a new process some 20 ms. */
function withCommas(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ",");
}

/** Told once to an agent whose session has used up its characters. */
const SPENT = fenced("recall", [
  `Notes bear on this prompt, but this session was given ${withCommas(SESSION_CHARACTERS)} characters of notes already, so memdir adds no more until the conversation is compacted. Look them up where you need them, with the recall tool or \`memdir recall WORDS\`.`,
]);

export interface DeliveryOptions {
  /** What the session was given before. */
  readonly session?: Pick<SessionLedger, "characters" | "toldSpent" | "started"> | undefined;
  /** What the client passes on from one hook without cutting (characters). */
  readonly client?: number | undefined;
  readonly readWith?: (reference: string) => string;
  readonly skills?: readonly string[];
}

/** The text an agent is given for a recall, with what was shown, cut and left out. Empty when nothing helps. */
export function renderOutcome(
  clock: Clock,
  {
    selected,
    pointed,
    overridden = [],
    doubts,
  }: Pick<RecallOutcome, "selected" | "pointed" | "doubts"> & Partial<Pick<RecallOutcome, "overridden">>,
  options: DeliveryOptions = {},
): RenderedRecall {
  const line = ({ file, scope, entry }: PointedNote) => ({
    file,
    scope,
    name: entry.name,
    description: entry.description,
    time: entry.time,
    type: shownType(entry),
    ...doubts?.get(noteKey({ scope, file })),
  });
  const insteadOf = ({ scope, file }: PointedNote): readonly Scope[] =>
    overridden.filter((one) => one.file === file && one.by === scope).map((one) => one.scope);
  const whole = selected.map((note) => ({
    ...line(note),
    body: note.body,
    insteadOf: insteadOf(note),
    ...(note.checks !== undefined && { checks: note.checks }),
  }));
  const rendered = (session: number): RenderedRecall =>
    renderRecall(
      whole,
      {
        now: clock.now(),
        timeZone: clock.timeZone,
        ...(options.client !== undefined && { client: options.client }),
        session,
        ...(options.readWith && { readWith: options.readWith }),
        skills: options.skills ?? [],
        brief: options.session?.started !== undefined,
      },
      pointed.map(line),
    );
  const left = Math.max(0, SESSION_CHARACTERS - (options.session?.characters ?? 0));
  const given = rendered(left);
  const isSpent = given.text === "" && left < SESSION_CHARACTERS && rendered(SESSION_CHARACTERS).text !== "";
  return isSpent && options.session?.toldSpent === false ? { ...given, text: SPENT, spent: true } : given;
}

type Choice = Omit<RecallOutcome, "selected"> & { readonly selected: readonly RankedNote[] };

/** Most entries that the index returns; some are about other projects. */
export const LOG_CANDIDATES = 150;

export function isEntryFor({ project }: Pick<RecalledLogs, "project">, entry: IndexEntry): boolean {
  return [undefined, project].includes(projectOfEntry(entry));
}

/** Entries of the user's logs for a prompt that are about this project or about none. */
function recallLogs(logs: RecalledLogs, prompt: string, options: RecallOptions): RecallOutcome["details"][number] {
  return {
    scope: "user",
    recall: recall(prompt, logs.store.index, {
      ...options,
      accepts: (entry) => isEntryFor(logs, entry),
      candidates: LOG_CANDIDATES,
    }),
  };
}

function choose(
  { stores, vocabulary, logs, clock }: Pick<RecallWorkspace, "stores" | "vocabulary" | "logs" | "clock">,
  prompt: string,
  session: RecallSession,
): Choice {
  const accepts = (entry: IndexEntry): boolean => isInForce(entry, clock.now());
  const options = {
    vocabulary,
    accepts,
    ...(session.touchedFiles === undefined ? {} : { touchedFiles: session.touchedFiles }),
  };
  const ofNotes = stores.map(({ scope, store }) => ({ scope, recall: recall(prompt, store.index, options) }));
  const ofLogs = logs === undefined ? [] : [recallLogs(logs, prompt, options)];
  const scoped = ({ scope, recall: { candidates: found } }: RecallOutcome["details"][number]): ScopedCandidate[] =>
    found.map((candidate) => ({ ...candidate, scope }));
  const [candidates, entries] = [ofNotes.flatMap(scoped), ofLogs.flatMap(scoped)];
  // Judged before known notes are removed: the second best does not become likelier because the best was shown before.
  const everyone = judge(candidates);
  const overridden = everyone.flatMap(({ note }): OverriddenNote[] => {
    const by = stores.length > 1 ? overriddenBy(stores, note.scope, note.entry) : undefined;
    return by === undefined ? [] : [{ scope: note.scope, file: note.file, by }];
  });
  const lost = new Set(overridden.map(noteKey));
  const notes = lost.size === 0 ? everyone : everyone.filter(({ note }) => !lost.has(noteKey(note)));
  // Entries are judged against notes but not notes against entries, so the notes shown are the same without a log.
  const logged =
    ofLogs.length === 0 ? [] : judge([...candidates, ...entries]).filter(({ note }) => isEntryId(note.file));
  const judged = logged.length === 0 ? notes : [...notes, ...logged].toSorted((a, b) => b.likelihood - a.likelihood);
  const isRepeated = ({ note }: Judged<ScopedCandidate>): boolean =>
    session.surfaced?.get(noteKey(note)) === note.entry.hash;
  const mayPoint = ({ note }: Judged<ScopedCandidate>): boolean =>
    session.shownInIndex?.has(noteKey(note)) !== true &&
    session.listed?.has(noteKey(note)) !== true &&
    session.pointedAt?.get(noteKey(note)) !== note.entry.hash;
  const isIndexed = session.shownInIndex !== undefined || (session.listed?.size ?? 0) > 0;
  const rule = isIndexed ? BESIDE_INDEX : SELECTION_RULE;
  const { whole, pointed } = gradeWithEntries(
    notes.filter((one) => !isRepeated(one)),
    logged.filter((one) => !isRepeated(one)),
    { mayPoint, rule },
  );
  const shown = shownOf(stores, session, whole, pointed);
  return {
    ...shown,
    ranked: [...candidates, ...entries]
      .map(rankedNote)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, RANKED),
    abstained: shown.selected.length === 0,
    repeated: gradeWithEntries(notes, logged, { mayPoint: () => true, rule })
      .whole.filter(isRepeated)
      .map(({ note }) => rankedNote(note)),
    details: [...ofNotes, ...ofLogs],
    judged,
    overridden,
    rule,
  };
}

/** The chosen notes; of two that contradict each other, the newer comes first. */
function shownOf(
  stores: RecallWorkspace["stores"],
  session: RecallSession,
  whole: readonly Judged<ScopedCandidate>[],
  pointed: readonly Judged<ScopedCandidate>[],
): Pick<Choice, "selected" | "pointed" | "doubts"> {
  const given = [...whole, ...pointed].map(({ note }) => note).filter(({ file }) => !isEntryId(file));
  const doubts = doubtsIn(stores, noticeRivals(stores, given));
  const chosen = {
    selected: whole.map(({ note }) => rankedNote(note)),
    pointed: pointed.map(({ note }) => ({ ...rankedNote(note), entry: note.entry })),
  };
  return { ...newerFirst<RankedNote, PointedNote>(chosen, doubts, ruleOfRivals(stores, session)), doubts };
}

/** A fact past its end of validity is history. */
function isInForce({ supersededBy, validTo }: IndexEntry, now: number): boolean {
  return supersededBy === undefined && (validTo === undefined || !(Date.parse(validTo) <= now));
}

/** How contradicting notes are looked up, given what a session already has. */
export function ruleOfRivals(stores: RecallWorkspace["stores"], session: RecallSession): RivalRule<PointedNote> {
  return {
    line({ scope, file }) {
      const entry = stores.find((one) => one.scope === scope)?.store.index.entry(file);
      return entry === undefined || entry.supersededBy !== undefined ? undefined : { scope, file, score: 0, entry };
    },
    isKnown: (note) => session.surfaced?.get(noteKey(note)) === note.entry.hash,
  };
}

function rankedNote({ scope, file, score }: ScopedCandidate): RankedNote {
  return { scope, file, score };
}

/** The bodies of chosen notes, as on disk now. A note with an outdated index is left out and sets `stale`. */
export function loadNotes(
  { stores, logs }: RecallPlaces,
  choice: { readonly selected: readonly RankedNote[] },
): { notes: RecalledNote[]; stale: boolean } {
  let stale = false;
  const notes = choice.selected.flatMap((note): RecalledNote[] => {
    const isEntry = isEntryId(note.file);
    const store = isEntry ? logs?.store : stores.find(({ scope }) => scope === note.scope)?.store;
    const entry = store?.index.entry(note.file);
    const bytes = store?.read(note.file);
    if (entry === undefined || bytes === undefined || bytes.byteLength !== entry.size) {
      stale = true;
      return [];
    }
    const text = withoutSecrets(new TextDecoder().decode(bytes));
    return [{ ...note, entry, body: isEntry ? text : splitFrontmatter(text).body.replace(/\r\n?/gu, "\n").trim() }];
  });
  return { notes, stale };
}
