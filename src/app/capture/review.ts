import { letBothHold } from "../notes/rivals.ts";
import { trimLead, sharedTerms, subjectTerms } from "../../core/notes/wording/words.ts";
import { maskSecrets } from "../../core/shared/secrets/mask.ts";
import type { CaptureOperation, Refusal } from "../../core/capture/plan.ts";
import { rejects } from "../../core/capture/classify.ts";
import { splitSentences } from "../../core/capture/sentences.ts";
import { isExplicit, signsIn } from "../../core/capture/digest.ts";
import { explicitIn } from "../../core/capture/phrases.ts";
import { withNewDates } from "../../core/notes/dates/date-resolver.ts";
import type { Evidence, Note, NoteDraft } from "../../core/notes/note.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { serialiseDraft } from "../../core/notes/frontmatter.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { counted, oneLine, truncate } from "../../core/shared/text.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { applyOperation, type CapturedNote, scopeOf, targetFile } from "./apply-capture.ts";
import {
  asTyped,
  type RefusalReason,
  refuseExcluded,
  type RefusedNote,
  type RefusedPersonal,
  refusePersonal,
  refuseText,
  type RefusedText,
} from "../notes/gate.ts";
import { findSame } from "../notes/remember.ts";
import {
  ENTRY_DAYS,
  type Lapsed,
  MOST_ENTRIES,
  type ReviewEntry,
  type ReviewRule,
  type SaidAs,
  type Settlement,
} from "../../core/capture/review-queue.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** An operation that must not be done automatically, and why. */
export interface ProposedOperation {
  readonly operation: CaptureOperation;
  /** In words: "confirm mode", "contradicts a note about what may be another subject". */
  readonly reason: string;
  /** Never applied without the user, whatever the mode or a rule says. */
  readonly doubtful: boolean;
}

export interface Proposed {
  /** What now waits, including what already waited before this call. */
  readonly queued: readonly ReviewEntry[];
  readonly refused: readonly Refusal[];
}

const QUOTE_CHARACTERS = 400;
const BODY_CHARACTERS = 20_000;

/** Puts operations into the review queue; a dry run only reports what would wait. */
export async function propose(
  workspace: Workspace,
  transcript: Transcript,
  proposed: readonly ProposedOperation[],
  options: { readonly by: "rules" | "model"; readonly dryRun: boolean },
): Promise<Proposed> {
  const queued: ReviewEntry[] = [];
  const refused: Refusal[] = [];
  for (const one of proposed) {
    const entry = await entryFor(workspace, transcript, one, options.by);
    const refuse = (reason: Refusal["reason"]): number =>
      refused.push({ reason, text: entry.quote, evidence: entry.evidence });
    const { operation } = one;
    if (operation.kind !== "retire" && operation.draft.body.length > BODY_CHARACTERS) refuse("too-long");
    else if ((await refuseText(workspace, entry)) !== undefined) refuse("secret");
    else if (options.dryRun || workspace.review.add(entry) !== "rejected") queued.push(entry);
    else refuse("rejected-before");
  }
  return { queued, refused };
}

/** The user's rule for this kind of operation; the newest counts. */
export function ruleFor(
  rules: readonly ReviewRule[],
  operation: CaptureOperation,
  saidAs: SaidAs,
): ReviewRule | undefined {
  const type = operation.kind === "retire" ? undefined : operation.draft.type;
  return rules.findLast((rule) => rule.kind === operation.kind && rule.type === type && rule.saidAs === saidAs);
}

/** The rule that "always like this" or "never like this" makes from an entry. */
export function ruleOf({ operation, saidAs }: ReviewEntry, verdict: ReviewRule["verdict"], now: number): ReviewRule {
  const type = operation.kind === "retire" ? undefined : operation.draft.type;
  // Each kind of proposal has one rule: a later verdict replaces an earlier one.
  return {
    id: sha256([operation.kind, type ?? "", saidAs].join(" ")).slice(0, 6),
    verdict,
    kind: operation.kind,
    type,
    saidAs,
    time: new Date(now).toISOString(),
  };
}

/** The user's sentence that an operation rests on, as typed. */
export function quoteFor(transcript: Transcript, operation: CaptureOperation): string {
  const { message } = evidenceOf(operation, transcript.session);
  const text = transcript.turns.find(({ id }) => id === message)?.text ?? "";
  const terms = operation.kind === "retire" ? new Set<string>() : subjectTerms(operation.draft.body);
  const ranked = splitSentences(text)
    .map((sentence) => ({ sentence, shared: sharedTerms(terms, subjectTerms(sentence.text)) }))
    .toSorted((a, b) => b.shared - a.shared);
  return ranked[0]?.sentence.text ?? oneLine(text);
}

/** The form of words that asks for an operation, as far as a digest's signs tell. */
export function formOf(quote: string, operation: CaptureOperation): SaidAs {
  const plain = trimLead(splitSentences(quote)[0]?.plain ?? quote);
  const kind = isExplicit(quote) ? "wish" : explicitIn(plain);
  if (kind !== undefined) return kind;
  // A deadline names a day, which capture added to the user's words.
  if (operation.kind !== "retire" && /\b\d{4}-(?:\d{2}|Q\d)\b/u.test(operation.draft.body)) return "deadline";
  const signs = signsIn(quote);
  return FORMS.find(([sign]) => signs.has(sign))?.[1] ?? (rejects(quote) ? "correction" : "other");
}

/** The form for each sign, strongest sign first. */
const FORMS: readonly (readonly [string, SaidAs])[] = [
  ["correction", "correction"],
  ["negation", "prohibition"],
  ["address", "system"],
  ["decision", "decision"],
  ["person", "preference"],
];

async function entryFor(
  workspace: Workspace,
  transcript: Transcript,
  { operation, reason, doubtful }: ProposedOperation,
  by: "rules" | "model",
): Promise<ReviewEntry> {
  const quote = (await maskSecrets(quoteFor(transcript, operation), workspace.secrets)).masked;
  const scope = scopeOf(workspace, operation);
  const target = operation.kind === "create" ? undefined : contentOf(workspace, operation);
  const said = operation.kind === "retire" ? operation.file : textOf(operation.draft);
  return {
    id: sha256([operation.kind, scope, operation.kind === "create" ? "" : operation.file, said].join("\n")).slice(0, 8),
    time: new Date(workspace.clock.now()).toISOString(),
    scope,
    operation,
    reason,
    doubtful,
    by,
    evidence: evidenceOf(operation, transcript.session),
    quote: truncate(oneLine(quote), QUOTE_CHARACTERS),
    saidAs: formOf(quote, operation),
    seen: target === undefined ? undefined : sha256(target),
  };
}

function evidenceOf(operation: CaptureOperation, session: string): Evidence {
  return (operation.kind === "retire" ? operation.evidence : operation.draft.evidence) ?? { session, message: "" };
}

function textOf({ name, description, body }: NoteDraft): string {
  return [name, description, body].join("\n");
}

function contentOf(
  workspace: Workspace,
  operation: Exclude<CaptureOperation, { readonly kind: "create" }>,
): Uint8Array | undefined {
  const scope = scopeOf(workspace, operation);
  return workspace.stores.find((scoped) => scoped.scope === scope)?.store.read(targetFile(operation.file));
}

export type AcceptResult =
  | { readonly outcome: "accepted"; readonly note: CapturedNote }
  /** The store already says it; the entry was removed from the queue. */
  | { readonly outcome: "known"; readonly file: string }
  /** The note it would change is different now; the entry stays until it is edited or rejected. */
  | { readonly outcome: "stale"; readonly why: string }
  /** It would be refused today: a secret, or not a note. The entry stays until it is edited or rejected. */
  | RefusedText
  | RefusedPersonal
  | RefusedNote
  | { readonly outcome: "gone" };

/**
 * Does what an entry proposes, if the store has not changed since and the gates pass its text: they may know more by
 * now, and the waiting file may have been replaced. If two accept it at once, only one applies it.
 * @throws MemoryError `refused` if the scope's mode forbids writing.
 */
export async function acceptEntry(workspace: Workspace, id: string): Promise<AcceptResult> {
  const judged = workspace.review.entries().find((entry) => entry.id === id);
  const refusal = judged && (await refuseEntry(workspace, judged));
  if (refusal !== undefined) return refusal;
  for (const { store } of workspace.stores) store.reconcile("full");
  return workspace.review.settle(id, (entry): Settlement<AcceptResult> => {
    if (entry === undefined) return { result: { outcome: "gone" }, next: "keep" };
    if (JSON.stringify(entry) !== JSON.stringify(judged))
      return { result: { outcome: "stale", why: "the proposal was edited at this moment" }, next: "keep" };
    const result = applyEntry(workspace, entry);
    return { result, next: result.outcome === "stale" ? "keep" : "remove" };
  });
}

async function refuseEntry(
  workspace: Workspace,
  entry: ReviewEntry,
): Promise<RefusedText | RefusedPersonal | RefusedNote | undefined> {
  const { operation, scope } = entry;
  if (operation.kind === "retire") return undefined;
  const { body, forced } = operation.draft;
  const refusal = (await refuseText(workspace, entry)) ?? refuseReaders(workspace, entry, operation.draft);
  if (refusal !== undefined || forced !== undefined) return refusal;
  return refuseExcluded(scope === "user" ? {} : workspace, body);
}

/** Refuses what the readers of the entry's scope must not see, unless the note that it changes says it already. */
function refuseReaders(
  workspace: Workspace,
  { operation, scope }: ReviewEntry,
  { type, name, description, body }: Pick<Note, "type" | "name" | "description" | "body">,
): RefusedPersonal | undefined {
  const target = operation.kind === "create" ? undefined : contentOf(workspace, operation);
  const before = { type: undefined, text: target === undefined ? "" : new TextDecoder().decode(target) };
  return refusePersonal(scope, type, [name, description, body], before);
}

function applyEntry(workspace: Workspace, entry: ReviewEntry): AcceptResult {
  const { operation } = entry;
  const known = knownAs(workspace, entry);
  if (known !== undefined) return { outcome: "known", file: known };
  const why = staleness(workspace, entry);
  if (why !== undefined) return { outcome: "stale", why };
  const { note } = applyOperation(workspace, operation, {
    actor: entry.by,
    dryRun: false,
    session: entry.evidence.session,
    ...(entry.seen === undefined ? {} : { expected: entry.seen }),
  });
  return note.file === undefined
    ? { outcome: "stale", why: "the note changed at this moment, or may not be changed" }
    : { outcome: "accepted", note };
}

/** Why an entry cannot be accepted as it is; `undefined` if it can. */
export function staleness(workspace: Workspace, { operation, seen }: ReviewEntry): string | undefined {
  if (operation.kind === "create") return undefined;
  const content = contentOf(workspace, operation);
  const file = targetFile(operation.file);
  if (content === undefined) return `${file} is gone since`;
  if (parseNote(file, content, workspace.codec).supersededBy !== undefined) return `${file} was retired since`;
  return sha256(content) === seen ? undefined : `${file} was changed since`;
}

/** Finds the proposed note if a kill between the store's commit and the queue's left it there. */
function knownAs(workspace: Workspace, { operation, scope }: ReviewEntry): string | undefined {
  if (operation.kind === "retire") return undefined;
  const scoped = workspace.stores.find((one) => one.scope === scope);
  if (scoped === undefined) return undefined;
  if (operation.kind !== "revise") return findSame(workspace, scoped, operation.draft);
  const content = contentOf(workspace, operation);
  const file = targetFile(operation.file);
  return content !== undefined &&
    oneLine(parseNote(file, content, workspace.codec).body) === oneLine(operation.draft.body)
    ? file
    : undefined;
}

/** `false` if the entry was already gone. The same proposal does not come back. */
export function rejectEntry(workspace: Workspace, id: string): boolean {
  const rejected = workspace.review.settle(id, (entry): Settlement<ReviewEntry | undefined> => ({
    result: entry,
    next: entry === undefined ? "keep" : "reject",
  }));
  if (rejected !== undefined) keepBeside(workspace, rejected);
  return rejected !== undefined;
}

/** A user who refuses to retire a note in favour of another says that both hold. */
function keepBeside(workspace: Workspace, { operation, scope }: ReviewEntry): void {
  if (operation.kind !== "retire" || operation.by === undefined) return;
  const scoped = workspace.stores.find((one) => one.scope === scope);
  if (scoped?.store.read(operation.by) !== undefined)
    letBothHold(workspace, { scoped, file: operation.by }, [targetFile(operation.file)]);
}

/** The draft as a file to edit; `undefined` for an entry that only retires a note. */
export function entryText(workspace: Workspace, { operation, time }: ReviewEntry): string | undefined {
  return operation.kind === "retire" ? undefined : serialiseDraft(operation.draft, time, workspace.codec);
}

export interface EditRefused {
  readonly outcome: "refused";
  readonly message: string;
  /** Absent if the text is not a note at all. */
  readonly reason?: RefusalReason;
}

export type EditResult = { readonly outcome: "edited" | "gone" } | EditRefused;

/**
 * Puts an edited draft into the entry, through the gates that all user text passes. `insist` keeps text that does not
 * belong in a note and records why it would have been refused.
 */
export async function editEntry(
  workspace: Workspace,
  id: string,
  given: string,
  { insist = false } = {},
): Promise<EditResult> {
  const text = asTyped(given);
  const refusal = await refuseText(workspace, text);
  if (refusal !== undefined) return { outcome: "refused", message: refusal.message, reason: refusal.reason };
  const note = parseNote("draft.md", new TextEncoder().encode(text), workspace.codec);
  const problem = note.problems[0]?.message ?? (note.body.trim() === "" ? "the text is empty" : undefined);
  if (problem !== undefined || note.type === undefined)
    return { outcome: "refused", message: `the edited note cannot be taken: ${problem ?? "it has no type"}` };
  const { type, name, body } = note;
  const excluded = await refuseExcluded(workspace, body);
  if (excluded !== undefined && !insist)
    return { outcome: "refused", message: excluded.message, reason: excluded.reason };
  const waiting = workspace.review.entries().find((entry) => entry.id === id);
  const personal = waiting && refuseReaders(workspace, waiting, note);
  if (personal !== undefined) return personal;
  const dates = await workspace.dates();
  const now = { ms: workspace.clock.now(), timeZone: workspace.clock.timeZone };
  return workspace.review.settle(id, (entry): Settlement<EditResult> => {
    if (entry === undefined || entry.operation.kind === "retire") return { result: { outcome: "gone" }, next: "keep" };
    const before = entry.operation.draft;
    const draft: NoteDraft = {
      ...before,
      type,
      name,
      description: withNewDates(before.description, note.description, now, dates),
      body: withNewDates(before.body, note.body.trim(), now, dates),
      ...(excluded !== undefined && { forced: excluded.reason }),
    };
    return {
      result: { outcome: "edited" },
      next: "replace",
      entry: { ...entry, operation: { ...entry.operation, draft } },
    };
  });
}

export function lapsedSentence({ count, since }: Lapsed): string {
  return `${counted(count, "proposal")} lapsed unseen, the first of ${since.slice(0, 10)} (${ENTRY_DAYS} days, at most ${MOST_ENTRIES} are kept)`;
}

/** "always create a feedback note, said as a wish". */
export function ruleWords({ verdict, kind, type, saidAs }: ReviewRule): string {
  const what = `${kind} a ${type === undefined ? "" : `${type} `}note`;
  return [`${verdict} ${what}`, ...(SAID[saidAs] === undefined ? [] : [SAID[saidAs]])].join(", ");
}

const SAID: Readonly<Record<SaidAs, string | undefined>> = {
  wish: "said as a wish",
  prohibition: "said as a prohibition",
  correction: "said as a correction",
  confirmation: "said as praise of what was just done",
  preference: "said as a preference",
  identity: "said of yourself",
  decision: "said as a decision",
  deadline: "said with a day",
  system: "said of where something is",
  other: undefined,
};
