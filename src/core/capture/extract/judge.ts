import type { Evidence, NoteDraft } from "../../notes/note.ts";
import { stripHidden } from "../../shared/hidden.ts";
import { timeOf, type Turn } from "../../transcripts/turn.ts";
import { classify } from "../classify.ts";
import { overlapOf } from "../../notes/duplicates.ts";
import { makeDatesAbsolute, noteBody } from "../draft.ts";
import { hasHidden, isRecalledText, isToolText, listenTo, type OtherVoices, shownRefusal } from "../gates.ts";
import { maskSecrets, SECRET_MARK } from "../../shared/secrets/mask.ts";
import { excludedBy, refusalFor } from "../../notes/exclusions/exclusion.ts";
import { kebab } from "../note-name.ts";
import type { CaptureDeps } from "../plan-capture.ts";
import type { CaptureOperation, CapturePlan, ExistingNote, ProposedOperation, Refusal } from "../plan.ts";
import { hasPhrase } from "../phrases.ts";
import { type Sentence, splitSentences } from "../sentences.ts";
import { flatten, sharedTerms, subjectTerms } from "../../notes/wording/words.ts";
import { echoes, type ExtractInput, spelledInvisibly } from "./brief.ts";
import type { Proposal, Quotation, Wording } from "./proposal.ts";

/** More operations than this from one request are a transcript, not memory. */
const MOST_OPERATIONS = 12;
/** Limit for a note's whole wording, or for a quotation; a longer text is a document. */
const MOST_CHARACTERS = 3_000;
/** Shortest quotation in flattened characters; a shorter one could match anywhere. */
const LEAST_QUOTE = 8;

export interface JudgeInput extends ExtractInput {
  /** Label in the brief → message id. */
  readonly messages: ReadonlyMap<string, string>;
}

/** Why it is refused, or the operation, perhaps with the reason why a person must decide on it. */
type Judged = Refusal["reason"] | CaptureOperation | ProposedOperation;

/**
 * Decides which of a model's proposals may be applied. Each must rest on words that the user really typed in the
 * message it names, add nothing unsaid, and concern notes that exist and may be changed.
 */
export async function judgeProposals(
  proposals: readonly Proposal[],
  input: JudgeInput,
  deps: CaptureDeps,
): Promise<CapturePlan> {
  const voices = listenTo(input.transcript, input.existing);
  const operations: CaptureOperation[] = [];
  const proposed: ProposedOperation[] = [];
  const refused: Refusal[] = [];
  for (const proposal of proposals) {
    const turn = turnOf(proposal.evidence, input);
    const evidence = { session: input.transcript.session, message: turn?.id ?? "" };
    const isFull = operations.length + proposed.length >= MOST_OPERATIONS;
    const judged = isFull ? "too-many" : await judge(proposal, turn, operations, { input, deps, voices });
    if (typeof judged === "string")
      refused.push({ reason: judged, text: await shownRefusal(readable(proposal), deps.secrets), evidence });
    else if ("operation" in judged) proposed.push(judged);
    else operations.push(judged);
  }
  return { operations, proposed, refused };
}

interface Bench {
  readonly input: JudgeInput;
  readonly deps: CaptureDeps;
  readonly voices: OtherVoices;
}

async function judge(
  proposal: Proposal,
  turn: Turn | undefined,
  done: readonly CaptureOperation[],
  bench: Bench,
): Promise<Judged> {
  if (turn === undefined) return "no-evidence";
  const reason = await refusalOf(proposal, turn, bench);
  if (reason !== undefined) return reason;
  const { existing, transcript } = bench.input;
  const evidence = { session: transcript.session, message: turn.id };
  if (proposal.action !== "create") {
    const target = targetOf(proposal.note, existing);
    if (target === undefined) return "unknown-note";
    if (target.protected === true) return "protected-note";
    if (done.some((operation) => operation.kind !== "create" && operation.file === target.file)) return "duplicate";
    if (proposal.action === "retire") return { kind: "retire", file: target.file, evidence };
    const draft = draftOf(proposal.wording, turn, evidence, bench.deps);
    const operation = { kind: proposal.action, file: target.file, draft };
    // Rewording a note is safe. Replacing one in another scope is not, since others may rely on it.
    return proposal.action === "supersede" && isOfOthers(draft, target)
      ? { operation, reason: "other-scope" }
      : operation;
  }
  const draft = draftOf(proposal.wording, turn, evidence, bench.deps);
  const drafts = done.flatMap((operation) => (operation.kind === "retire" ? [] : [operation.draft]));
  const overlaps = [...existing, ...drafts].map((note) => overlapOf(draft, note));
  if (overlaps.includes("duplicate")) return "duplicate";
  const operation = { kind: "create", draft } as const;
  return overlaps.includes("may-be-known") ? { operation, reason: "may-be-known" } : operation;
}

/** Whether a note is of a scope that other projects or people rely on. A file without a scope is in this store. */
function isOfOthers(draft: NoteDraft, { file }: ExistingNote): boolean {
  const scope = /^([a-z]+):/u.exec(file)?.[1] ?? "project";
  return scope !== "project" && scope !== "local" && !(scope === "user" && draft.type === "user");
}

/** The message as typed, whose layout shows whose words they are; else the processed turn with the quotation. */
function turnOf({ message, quote }: Quotation, { messages, transcript, turns }: JudgeInput): Turn | undefined {
  const id = messages.get(message.replace(/[^a-z0-9]/giu, "").toLowerCase());
  const found = [...transcript.turns, ...turns].filter((turn) => turn.id === id && turn.role === "user");
  return found.find(({ text }) => flatten(text).includes(flatten(quote))) ?? found.at(-1);
}

/** Models shorten ids: a bare file name is accepted when only one note has it. */
function targetOf(id: string, existing: readonly ExistingNote[]): ExistingNote | undefined {
  const exact = existing.find((note) => note.file === id);
  if (exact !== undefined) return exact;
  const alike = existing.filter(
    ({ file }) => file.slice(file.indexOf(":") + 1).replace(/\.md$/u, "") === id.replace(/\.md$/u, ""),
  );
  return alike.length === 1 ? alike[0] : undefined;
}

async function refusalOf(
  proposal: Proposal,
  turn: Turn,
  { input, deps, voices }: Bench,
): Promise<Refusal["reason"] | undefined> {
  const { quote } = proposal.evidence;
  const wording = proposal.action === "retire" ? "" : Object.values(proposal.wording).join("\n");
  // First, since the checks below must not run on megabytes of text.
  if (quote.length > MOST_CHARACTERS || wording.length > MOST_CHARACTERS) return "too-long";
  if (hasHidden(wording) || hasHidden(quote)) return "hidden-characters";
  if (`${wording} ${quote}`.includes(SECRET_MARK) || (await maskSecrets(`${wording}\n\n${quote}`, deps.secrets)).found)
    return "secret";
  const flat = flatten(quote);
  if (flat.replaceAll(" ", "").length < LEAST_QUOTE || !flatten(turn.text).includes(flat)) return "no-evidence";
  const sentences = splitSentences(turn.text);
  const sentence = sentences.find(({ text }) => flatten(text).includes(flat))?.text ?? quote;
  if (hasHidden(sentence)) return "hidden-characters";
  if (isRecalledText(quote, voices)) return "recalled-text";
  if (hasPhrase("otherProject", sentence)) return "other-project";
  if (isQuoted(quote, sentences) || hasPhrase("planted", quote) || isToolText(quote, voices))
    return "not-the-users-words";
  if (proposal.action === "retire") return undefined;
  if (isForTheMoment(flat, sentences)) return "ephemeral";
  const answered = answeredBy(turn, input);
  if (hasPhrase("planted", wording) || echoes(wording, `${stripHidden(turn.text)} ${answered}`, foreignTexts(input)))
    return "not-the-users-words";
  if (hasPhrase("writesInstructions", sentence)) return "derivable";
  const { description, rule, why, how } = proposal.wording;
  if (addsFacts(wording, input, deps) || !isAbout(`${description} ${rule}`, `${turn.text} ${answered}`))
    return "unsupported";
  const excluded = excludedBy(noteBody(rule, why, how), input.instructions);
  return excluded === undefined ? undefined : refusalFor(excluded.reason);
}

/** "Don't push yet", "never mind, don't do that now", with nothing lasting in the quotation. */
function isForTheMoment(quote: string, sentences: readonly Sentence[]): boolean {
  const quoted = sentences.filter(({ text }) => flatten(text).includes(quote) || quote.includes(flatten(text)));
  const kinds = quoted.map((sentence) =>
    hasPhrase("ordersOfTheMoment", sentence.plain) ? "passing" : classify(sentence),
  );
  return kinds.includes("passing") && !kinds.some((kind) => kind === "wish" || kind === "identity");
}

/** The note shares a subject with the message, or with the text that the message replies to. */
function isAbout(wording: string, said: string): boolean {
  const terms = subjectTerms(said);
  return terms.size === 0 || sharedTerms(subjectTerms(wording), terms) > 0;
}

/** Tool output, and text that messages contain in invisible characters. */
function foreignTexts({ transcript, turns }: JudgeInput): readonly string[] {
  return [...transcript.toolTexts, ...turns.map(({ text }) => spelledInvisibly(text)).filter((text) => text !== "")];
}

/** What was said since the user's previous message: the message may only agree to it, or say "always do that". */
function answeredBy(turn: Turn, { transcript, turns }: JudgeInput): string {
  const all = transcript.turns.some(({ id }) => id === turn.id) ? transcript.turns : turns;
  const at = all.findIndex(({ id }) => id === turn.id);
  const before = all.slice(0, Math.max(0, at)).filter(({ text }) => text !== "");
  return before
    .slice(before.findLastIndex(({ role }) => role === "user"))
    .map(({ text }) => text)
    .join("\n");
}

/** The quotation occurs only in text that the message itself quotes or pastes. */
function isQuoted(quote: string, sentences: readonly Sentence[]): boolean {
  const typed = sentences.flatMap(({ origin, text }) => (origin === "quoted" ? [] : [text])).join(" ");
  if (flatten(typed).includes(flatten(quote))) return false;
  // Sentence ends and list markers may fall inside a quotation, so its words are compared.
  const wanted = subjectTerms(quote);
  return wanted.size > 0 && sharedTerms(wanted, subjectTerms(typed)) / wanted.size < 0.8;
}

/** Whether the wording has addresses, numbers or identifiers that the conversation and the notes never mention. */
function addsFacts(wording: string, { turns, existing, transcript }: JudgeInput, deps: CaptureDeps): boolean {
  const claims = wording.match(CLAIM) ?? [];
  if (claims.length === 0) return false;
  const notes = existing.flatMap(({ description, body }) => [description, body]);
  const said = flatten([...[...turns, ...transcript.turns].map(({ text }) => text), ...notes].join(" "));
  // A note's name has no dots: "102" may stand for "1.0.2".
  const joined = said.replaceAll(/(?<=\d) (?=\d)/gu, "");
  return claims.some(
    (claim) =>
      !said.includes(flatten(claim)) &&
      !(/^\d+$/u.test(claim) && joined.includes(claim)) &&
      !(DAY.test(claim) && isMeant(claim, turns, deps)),
  );
}

const CLAIM = /https?:\/\/[^\s)>\]"'`,]+|\b\d[\d.,:/-]*\d\b|#\d+|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b\w+_\w+\b/gu;

const DAY = /^(?:\d{4}-\d{2}(?:-\d{2})?|(?:19|20)\d{2})$/u;

/** Whether the user's words resolve to this date on the day they were said; otherwise the model made it up. */
function isMeant(claim: string, turns: readonly Turn[], { dates, timeZone }: CaptureDeps): boolean {
  return turns.some((turn) => {
    const ms = turn.role === "user" ? timeOf(turn) : undefined;
    const named = ms === undefined ? [] : dates.resolve(turn.text, { ms, timeZone });
    return named.some(({ day, shown }) => shown.includes(claim) || day.startsWith(claim));
  });
}

function readable(proposal: Proposal): string {
  return proposal.action === "retire"
    ? `retire ${proposal.note}: ${proposal.evidence.quote}`
    : proposal.wording.rule.slice(0, MOST_CHARACTERS);
}

function draftOf(wording: Wording, turn: Turn, evidence: Evidence, deps: CaptureDeps): NoteDraft {
  const saidAt = timeOf(turn);
  const absolute = (text: string): string => makeDatesAbsolute(text, saidAt, deps);
  return {
    type: wording.type,
    name: kebab(wording.name === "" ? wording.description : wording.name) ?? "note",
    description: absolute(wording.description === "" ? wording.rule : wording.description),
    body: absolute(noteBody(wording.rule, wording.why, wording.how)),
    evidence,
    source: "model",
    ...(saidAt !== undefined && { said: new Date(saidAt).toISOString() }),
  };
}
