import { changeOfTexts } from "./changes/change.ts";
import { NO_JUDGEMENT } from "./changes/learned.ts";
import { isContained, isPerhapsContained, statementOf } from "./statement.ts";
import type { NoteDraft } from "./note.ts";
import { sharedTerms, subjectTerms } from "./wording/words.ts";

/** How a draft relates to an existing note. */
export type Relation =
  | "unrelated"
  /** The note contains every sentence of the draft. */
  | "duplicate"
  /** The note contains every word of the draft and says more: the draft may mean the same or something broader. */
  | "may-be-known"
  | "contradicts"
  | "may-contradict";

const SUBJECT_FLOOR = 0.5;
/** Between this and `SUBJECT_FLOOR`, a person decides. */
const DOUBT_FLOOR = 0.34;
const SUBJECT_TERMS = 2;

interface Comparable {
  readonly description: string;
  readonly body: string;
}

/**
 * Compares a draft with a note: by the one rule for changes (`notes/changes`), and for opposites that are worded
 * differently. The opposite of a rule is never its duplicate. Two wishes that differ in a meaningful word are distinct.
 */
export function relate(draft: NoteDraft, note: Comparable): Relation {
  const mine = subjectTerms(ruleText(draft));
  const theirs = subjectTerms(`${note.description} ${ruleText(note)}`);
  if (mine.size === 0 || theirs.size === 0) return "unrelated";
  const shared = sharedTerms(mine, theirs);
  const jaccard = shared / (mine.size + theirs.size - shared);
  const change = changeOfTexts(draft.body, note.body.trim() === "" ? note.description : note.body, () => NO_JUDGEMENT);
  if (change.kind === "replaces") return "contradicts";
  if (contradicts(draft, note, jaccard, SUBJECT_FLOOR)) return "contradicts";
  const [said, known] = [statementOf(ruleText(draft)), statementOf(`${note.description}\n\n${ruleText(note)}`)];
  if (said.sentences.length > 0) {
    if (isContained(said, known) && hasReasons(draft, note)) return "duplicate";
    if (isPerhapsContained(said, known) || isContained(said, known)) return "may-be-known";
  }
  return change.kind === "contradicts" || contradicts(draft, note, jaccard, DOUBT_FLOOR)
    ? "may-contradict"
    : "unrelated";
}

/** Returns a test for notes that say, or may say, what the draft says. It reads the draft once for many notes. */
export function knownIn(draft: NoteDraft): (note: Comparable) => boolean {
  const said = statementOf(ruleText(draft));
  return (note) => {
    const known = statementOf(`${note.description}\n\n${ruleText(note)}`);
    if (!isContained(said, known) && !isPerhapsContained(said, known)) return false;
    const relation = relate(draft, note);
    return relation === "duplicate" || relation === "may-be-known";
  };
}

/** Whether the note contains the Why and How to apply that the draft gives. */
function hasReasons(draft: NoteDraft, note: Comparable): boolean {
  const [, ...reasons] = draft.body.split(REASONS);
  const known = statementOf(note.body.replace(REASONS, "\n\n"));
  const all = new Set([...known.terms, ...statementOf(note.description).terms]);
  return reasons.every((reason) => [...statementOf(reason).terms].every((term) => all.has(term)));
}

/** Whether the draft rejects what the note asks for, or only one of them negates the same words. */
function contradicts(draft: NoteDraft, note: Comparable, jaccard: number, floor: number): boolean {
  const asked = subjectTerms(note.description);
  const about = sharedTerms(subjectTerms(draft.body), asked);
  const rejected = rejectedTerms(draft.body);
  const rejects = sharedTerms(rejected, asked) / rejected.size >= SUBJECT_FLOOR;
  if (rejects && about >= SUBJECT_TERMS && about / asked.size >= floor) {
    // If both reject the same thing, they agree.
    return sharedTerms(rejected, rejectedTerms(ruleText(note))) / rejected.size < SUBJECT_FLOOR;
  }
  if (jaccard < floor || about < SUBJECT_TERMS || isNegative(ruleText(draft)) === isNegative(note.description))
    return false;
  // "…, never mocks" adds to a rule; "don't squash" negates one. Only negated terms count.
  const denied = rejectedTerms(isNegative(note.description) ? note.description : ruleText(draft));
  const subject = [...asked].filter((term) => subjectTerms(draft.body).has(term));
  return sharedTerms(new Set(subject), denied) / subject.length >= SUBJECT_FLOOR;
}

/** What a rule rejects: "instead of X", "not X", "never X", "no longer X". */
function rejectedTerms(text: string): ReadonlySet<string> {
  const rejected = new Set<string>();
  for (const match of text.matchAll(
    /\b(?:instead of|rather than|in place of|no longer|not|never|don['’]?t|do not|avoid|stop|over)\s+([^,.;]+)|而不是([^，。]+)|statt ([^,.]+)|en (?:lugar|vez) de ([^,.]+)|au lieu d[e'’] ?([^,.]+)/giu,
  )) {
    for (const term of subjectTerms(match.slice(1).find((group) => group !== undefined) ?? "")) rejected.add(term);
  }
  return rejected;
}

const NEGATIVE =
  /\b(?:don['’]?t|do not|never|not|no longer|stop|avoid|without|shouldn['’]?t|must not|mustn['’]?t|no)\b|不要|别|禁止|ない|마(?:세요|라)|\bnicht\b|\bkeine?\b|\bnie\b|\bjamais\b|\bne\b|\bnunca\b|\bnão\b|(?<!\p{L})не(?!\p{L})|никогда/iu;

export function isNegative(text: string): boolean {
  return NEGATIVE.test(text);
}

const REASONS = /\n\s*\*\*(?:Why|How to apply):?\*\*/u;

/** The rule itself, without its Why and How to apply. */
function ruleText(note: { readonly body: string }): string {
  const rule = note.body.split(REASONS)[0] ?? note.body;
  return rule.replace(/^In the user's words: /u, "");
}
