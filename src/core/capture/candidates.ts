import type { Evidence } from "../notes/note.ts";
import { timeOf, type Transcript, type Turn } from "../transcripts/turn.ts";
import { classify, type Verdict } from "./classify.ts";
import { keyWords, trimLead } from "../notes/wording/words.ts";
import { hasPhrase } from "./phrases.ts";
import { splitSentences, type Sentence } from "./sentences.ts";

/**
 * A sentence that asks to be remembered, or that would if it were the user's own, lasting and not derivable, with the
 * sentences around it that explain it.
 */
export interface Candidate extends Sentence {
  readonly kind: Verdict;
  /** Sentences after it that give its reason or more about it, in order. */
  readonly following: readonly string[];
  readonly evidence: Evidence;
  /** When it was said (ms), to resolve dates. */
  readonly saidAt: number | undefined;
}

/** All sentences in the user's messages that explicitly ask to be remembered, in order. */
export function findCandidates({ session, turns }: Transcript): readonly Candidate[] {
  return turns.flatMap((turn) => (turn.role === "user" ? readMessage(session, turn) : []));
}

function readMessage(session: string, turn: Turn): readonly Candidate[] {
  const sentences = splitSentences(turn.text);
  const lead = sentences.findIndex(({ origin, text }) => origin === "typed" && keyWords(trimLead(text)).length >= 2);
  const commissions = hasPhrase("commissions", trimLead(sentences[lead]?.plain ?? ""));
  const verdicts = sentences.map((sentence, at) =>
    // A wish that means little without the words before it is left to whoever judges the session.
    hasPhrase("leans", trimLead(sentence.plain)) ? undefined : classify(sentence, commissions && at > lead),
  );
  const found = sentences.flatMap((sentence, at): readonly Candidate[] => {
    const kind = verdicts[at];
    if (kind === undefined) return [];
    const after = sentences.slice(at + 1, at + 1 + MOST_FOLLOWING);
    const end = after.findIndex((next, later) => verdicts[at + 1 + later] !== undefined || !belongs(next, sentence));
    const following = after.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
    return [{ ...sentence, kind, following, evidence: { session, message: turn.id }, saidAt: timeOf(turn) }];
  });
  return found.length <= DOCUMENT_RULES
    ? found
    : found.slice(0, DOCUMENT_RULES).map((each) => ({ ...each, origin: "quoted" }));
}

/** A message with more rules than this is a pasted document: its rules are not wishes of the user. */
const DOCUMENT_RULES = 40;

/** Most sentences after a wish that belong to it, and the length of the longest. */
const [MOST_FOLLOWING, LONGEST_FOLLOWING] = [3, 300];

/** Whether a sentence gives the reason of the wish before it, or says more about it. */
function belongs({ paragraph, origin, text, plain }: Sentence, wish: Sentence): boolean {
  const isNear = paragraph === wish.paragraph && origin === wish.origin && text.length <= LONGEST_FOLLOWING;
  return isNear && !/[?？]$/u.test(plain) && (givesReason(plain) || hasPhrase("saysMore", trimLead(plain)));
}

/** Whether a sentence says why the one before holds. */
export function givesReason(sentence: string): boolean {
  return hasPhrase("givesReason", trimLead(sentence));
}
