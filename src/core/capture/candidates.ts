import { timeOf, type Transcript, type Turn } from "../transcripts/turn.ts";
import { classify, type Verdict } from "./classify.ts";
import { trimLead, keyWords, sharedTerms, subjectTerms } from "../notes/wording/words.ts";
import type { Candidate } from "./draft.ts";
import { isNoWish } from "./passing.ts";
import { splitSentences, type Sentence } from "./sentences.ts";

/** All sentences in the user's messages that explicitly ask to be remembered, in order. */
export function findCandidates({ session, turns }: Transcript): readonly Candidate[] {
  return turns.flatMap((turn) => (turn.role === "user" ? readMessage(session, turn) : []));
}

function readMessage(session: string, turn: Turn): readonly Candidate[] {
  const sentences = splitSentences(turn.text);
  // The first sentence that the user typed, other than greetings and one-word answers.
  const lead = sentences.findIndex(
    ({ origin, text }) =>
      origin === "typed" && (keyWords(trimLead(text)).length >= 2 || COMMISSIONS.test(trimLead(text))),
  );
  const commissions = COMMISSIONS.test(trimLead(sentences[lead]?.plain ?? ""));
  // A wish that means little without the words before it is left to whoever judges the session.
  const judge = (sentence: Sentence, at: number): Verdict | undefined =>
    isNoWish("leans", trimLead(sentence.plain)) ? undefined : classify(sentence, commissions && at > lead);
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
      ...following,
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
