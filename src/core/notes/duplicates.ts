import { changeOfTexts, saysOtherwise } from "./changes/change.ts";
import { NO_JUDGEMENT } from "./changes/learned.ts";
import { nameOpposites } from "./changes/poles.ts";
import { readSaid } from "./changes/reading.ts";
import { isContained, isPerhapsContained, statementOf } from "./statement.ts";
import type { NoteDraft } from "./note.ts";

/** How much of a draft an existing note says. What the draft changes is for `changes` to decide. */
export type Overlap =
  | "new"
  /** The note contains every sentence of the draft. */
  | "duplicate"
  /** The note contains every word of the draft and says more: the draft may mean the same or something broader. */
  | "may-be-known";

interface Comparable {
  readonly description: string;
  readonly body: string;
}

/** The opposite of a rule is never its duplicate, and two wishes that differ in a meaningful word are distinct. */
export function overlapOf(draft: NoteDraft, note: Comparable): Overlap {
  const [said, known] = [statementOf(ruleText(draft)), statementOf(`${note.description}\n\n${ruleText(note)}`)];
  if (said.sentences.length === 0 || known.sentences.length === 0) return "new";
  const isWhole = isContained(said, known);
  // Few notes contain a draft, so only these are compared in full.
  if (!isWhole && !isPerhapsContained(said, known)) return "new";
  if (changes(draft, note) || isOfOtherThings(ruleText(draft), ruleText(note))) return "new";
  return isWhole && hasReasons(draft, note) ? "duplicate" : "may-be-known";
}

/** Whether two rules of the same words say something else: "Ann reviews Bo's code", "Bo reviews Ann's"; "on", "off". */
function isOfOtherThings(rule: string, known: string): boolean {
  const [said, noted] = [readSaid(rule), readSaid(known)];
  if (nameOpposites(said.wording().stance(), noted.wording().stance())) return true;
  return isPerhapsContained(statementOf(known), statementOf(rule)) && saysOtherwise(said, noted);
}

/** Whether a draft replaces or contradicts a note, by the rules alone. */
export function changes(draft: NoteDraft, note: Comparable): boolean {
  const before = note.body.trim() === "" ? note.description : note.body;
  const { kind } = changeOfTexts(draft.body, before, () => NO_JUDGEMENT);
  return kind === "replaces" || kind === "contradicts";
}

/** Whether the note contains the Why and How to apply that the draft gives. */
function hasReasons(draft: NoteDraft, note: Comparable): boolean {
  const [, ...reasons] = draft.body.split(REASONS);
  const known = statementOf(note.body.replace(REASONS, "\n\n"));
  const all = new Set([...known.terms, ...statementOf(note.description).terms]);
  return reasons.every((reason) => [...statementOf(reason).terms].every((term) => all.has(term)));
}

const REASONS = /\n\s*\*\*(?:Why|How to apply):?\*\*/u;

/** The rule itself, without its Why and How to apply. */
function ruleText(note: { readonly body: string }): string {
  const rule = note.body.split(REASONS)[0] ?? note.body;
  return rule.replace(/^In the user's words: /u, "");
}
