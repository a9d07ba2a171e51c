import { timeOf, type Transcript, type Turn } from "../transcripts/turn.ts";
import { oneLine, truncate } from "../shared/text.ts";
import { classify, type Verdict } from "./classify.ts";
import { trimLead, keyWords, sharedTerms, subjectTerms } from "../notes/wording/words.ts";
import type { Candidate } from "./draft.ts";
import { splitSentences, type Sentence } from "./sentences.ts";

/** All sentences in the user's messages that explicitly ask to be remembered, in order. */
export function findCandidates({ session, turns }: Transcript): readonly Candidate[] {
  return turns.flatMap((turn, index) =>
    turn.role === "user" ? readMessage(session, turn, previousReply(turns, index)) : [],
  );
}

/** `reply`: what the agent said right before. */
function readMessage(session: string, turn: Turn, reply: string): readonly Candidate[] {
  const sentences = splitSentences(turn.text);
  // The first sentence that the user typed, other than greetings and one-word answers.
  const lead = sentences.findIndex(
    ({ origin, text }) =>
      origin === "typed" && (keyWords(trimLead(text)).length >= 2 || COMMISSIONS.test(trimLead(text))),
  );
  const commissions = COMMISSIONS.test(trimLead(sentences[lead]?.plain ?? ""));
  const judge = (sentence: Sentence, at: number): Verdict | undefined => classify(sentence, commissions && at > lead);
  const found: Candidate[] = [];
  let taken = -1;
  for (const [index, sentence] of sentences.entries()) {
    if (index <= taken) continue;
    if (found.length > DOCUMENT_RULES) break;
    const verdict = judge(sentence, index);
    if (verdict === undefined) continue;
    const following = followers(sentences, index, (next, at) => judge(next, at) !== undefined);
    const lastTaken = taken;
    taken = index + following.reasons.length + following.details.length;
    const last = found.at(-1);
    if (last !== undefined && lastTaken === index - 1 && continues(sentence, last, verdict)) {
      found[found.length - 1] = withMore(last, sentence.text, following.reasons);
      continue;
    }
    found.push({
      ...sentence,
      ...verdict,
      before: index - 1 <= lastTaken ? [] : leansOn(sentences, index),
      ...following,
      quoted: REFERS_BACK.test(sentence.plain) ? quoteReply(reply) : undefined,
      evidence: { session, message: turn.id },
      saidAt: timeOf(turn),
    });
  }
  return found.length > DOCUMENT_RULES
    ? found.slice(0, DOCUMENT_RULES).map((each) => ({ ...each, origin: "quoted" as const }))
    : found;
}

function withMore(candidate: Candidate, detail: string, reasons: readonly string[]): Candidate {
  return {
    ...candidate,
    details: [...candidate.details, detail],
    reasons: [...candidate.reasons, ...reasons],
    following: [...candidate.following, detail, ...reasons],
  };
}

/** A message with more rules than this is a pasted document: its rules are not wishes of the user. */
const DOCUMENT_RULES = 40;

/** "We'll use your reasoning going forward": meaningless without what the agent said before. */
const REFERS_BACK =
  /\b(?:your (?:reasoning|approach|suggestion|proposal|recommendation|plan|way|format|style|logic)|(?:like|do it|use|keep) (?:that|this)|(?:that|this) way)\b.*\b(?:from now on|going forward|in (?:the )?future|always|next time)\b|\b(?:from now on|going forward|in (?:the )?future|always|next time)\b.*\b(?:your (?:reasoning|approach|suggestion|proposal|recommendation|plan|way|format|style|logic)|(?:like|do it) (?:that|this)|(?:that|this) way)\b/i;

/** The message asks for something to be built. Later rules describe that thing unless they say "from now on". */
const COMMISSIONS =
  /^(?:please |can you |could you |i want you to |i need you to |i['’]d like you to )*(?:implement|build|create|write|draft|generate|design|develop|compose|act as|pretend|imagine|let['’]?s (?:play|pretend|imagine)|you(?:['’]re| are) (?:now )?an?)\b/i;

/** A wish that directly follows another one and adds little is merged into it. */
function continues(sentence: Sentence, last: Candidate, verdict: Verdict): boolean {
  if (last.paragraph !== sentence.paragraph || last.origin !== sentence.origin || last.outcome !== verdict.outcome)
    return false;
  if (verdict.kind === "identity" || last.kind === "identity") return false;
  const terms = subjectTerms(sentence.text);
  const shared = sharedTerms(terms, subjectTerms(last.text));
  return shared >= 1 && terms.size - shared <= 2;
}

const REASON_SENTENCE =
  /^(?:(?:this|that|it|which|these|those|they)(?:['’]s| is| are| was| will| would| has| had| creates?d?| breaks?| broke| causes?d?| interferes?| makes?| made| leads?| keeps?| gets?| got| only| just| takes?| took| does| did| can| helps?)|the (?:reason|point|problem|issue) (?:is|being)|otherwise|because|reason:|why:|we (?:got|were|had|lost|once)|last time)\b|^(?:因为|否则|这样)|^(?:sonst|weil|denn)\b|^(?:parce|sinon|car)\b|^(?:porque|si no|senão)\b|^(?:потому|иначе)/i;
const DETAIL_SENTENCE =
  /^(?:for example|e\.g\.|i\.e\.|for instance|that means|meaning|in other words|none\b|same (?:goes|for|applies)|likewise|instead|i want\b[^.]*\binstead\b|(?:you|we) can (?:continue|still|just|also)|we['’]ll|no one else|nobody else|only\b|unless|except|except(?:ion)?s?:)/i;

/** The sentences after `index` that belong to it: reasons and further details. */
function followers(
  sentences: readonly Sentence[],
  index: number,
  stands: (sentence: Sentence, index: number) => boolean,
): Pick<Candidate, "reasons" | "details" | "following"> {
  const reasons: string[] = [];
  const details: string[] = [];
  const head = sentences[index];
  for (const [offset, next] of sentences.slice(index + 1, index + 4).entries()) {
    if (next.paragraph !== head?.paragraph || next.origin !== head.origin) break;
    if (/[?？]$/u.test(next.plain) || next.text.length > 300) break;
    const plain = trimLead(next.plain);
    if (REASON_SENTENCE.test(plain)) reasons.push(next.text);
    else if (DETAIL_SENTENCE.test(plain) && (!stands(next, index + 1 + offset) || /\binstead\b/i.test(plain)))
      details.push(next.text);
    else break;
  }
  return {
    reasons,
    details,
    following: sentences.slice(index + 1, index + 1 + reasons.length + details.length).map(({ text }) => text),
  };
}

/** "The project is …" is unclear on its own: the sentence before names what it refers to. */
function leansOn(sentences: readonly Sentence[], index: number): readonly string[] {
  const [before, sentence] = [sentences[index - 1], sentences[index]];
  if (before?.origin !== "typed" || before.paragraph !== sentence?.paragraph) return [];
  const plain = trimLead(sentence.plain);
  const leans =
    /^(?:it|they|that|this|those|these)\b(?! (?:is|['’]s) (?:very |really |super )?(?:important|crucial|critical))|^the (?:project|board|channel|workspace|account|dashboard)\b/i.test(
      plain,
    );
  return leans && !/[?？]$/u.test(before.plain) && before.text.length <= 160 && subjectTerms(before.text).size >= 2
    ? [before.text]
    : [];
}

/** The first sentence of the agent's message with enough content, shortened. */
function quoteReply(reply: string): string | undefined {
  const said = splitSentences(reply).find((sentence) => subjectTerms(sentence.text).size >= 3);
  return said === undefined ? undefined : truncate(oneLine(said.text), 140);
}

function previousReply(turns: readonly Turn[], index: number): string {
  const before = turns.slice(0, index).findLast(({ role, text }) => role === "user" || text !== "");
  return before?.role === "assistant" ? before.text : "";
}
