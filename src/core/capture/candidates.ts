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
export interface Candidate extends Sentence, Verdict {
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
    const verdict = verdicts[at];
    if (verdict === undefined) return [];
    const next = verdicts.findIndex((other, later) => later > at && other !== undefined);
    const following = followers(sentence, sentences.slice(at + 1, next === -1 ? undefined : next));
    return [{ ...sentence, ...verdict, following, evidence: { session, message: turn.id }, saidAt: timeOf(turn) }];
  });
  return found.length <= DOCUMENT_RULES
    ? found
    : found.slice(0, DOCUMENT_RULES).map((each) => ({ ...each, origin: "quoted" }));
}

/** A message with more rules than this is a pasted document: its rules are not wishes of the user. */
const DOCUMENT_RULES = 40;

/** Most sentences after a wish that belong to it, and the length of the longest. */
const [MOST_FOLLOWING, LONGEST_FOLLOWING] = [3, 300];

/** The sentences right after a wish that give its reason or more about it. */
function followers(wish: Sentence, after: readonly Sentence[]): readonly string[] {
  const near = after.slice(0, MOST_FOLLOWING);
  const end = near.findIndex(
    ({ paragraph, origin, text, plain }) =>
      paragraph !== wish.paragraph ||
      origin !== wish.origin ||
      text.length > LONGEST_FOLLOWING ||
      /[?？]$/u.test(plain) ||
      !(givesReason(plain) || hasPhrase("saysMore", trimLead(plain))),
  );
  return near.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
}

/** Whether a sentence says why the one before holds. */
export function givesReason(sentence: string): boolean {
  return hasPhrase("givesReason", trimLead(sentence));
}
