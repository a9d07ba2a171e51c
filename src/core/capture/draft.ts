import type { NoteDraft, NoteType } from "../notes/note.ts";
import { type DateResolver, withDates } from "../notes/dates/date-resolver.ts";
import { type Candidate, givesReason } from "./candidates.ts";
import { typeOf } from "./classify.ts";
import { keyWords, trimLead, withoutLeadIn } from "../notes/wording/words.ts";
import { headline } from "../notes/title.ts";
import { nameNote } from "./note-name.ts";
import { findPhrase, hasPhrase } from "./phrases.ts";
import { proseAndCode } from "./sentences.ts";

/** Whether the text says "I" or "we", which an agent reading it could take for itself. */
export function isFirstPerson(text: string): boolean {
  const prose = proseAndCode(text).filter((_, at) => at % 2 === 0);
  return prose.some((piece) => hasPhrase("firstPerson", piece));
}

export interface DraftDeps {
  readonly dates: DateResolver;
  /** IANA zone of the session; relative dates are resolved in it. */
  readonly timeZone: string;
}

const DESCRIPTION_LIMIT = 100;

export function draftNote({ kind, text, following, evidence, saidAt }: Candidate, deps: DraftDeps): NoteDraft {
  const type = typeOf(kind, trimLead(text));
  const absolute = (said: string): string => makeDatesAbsolute(said, saidAt, deps);
  const statement = withoutLeadIn(text);
  const told = findPhrase(kind === "identity" ? "identity" : "request", statement)?.[0] ?? statement;
  const more = following.map(withoutLeadIn);
  const isRule = type === "feedback";
  // A rule's reasons stand apart; a fact is told in its order.
  const isReason = (sentence: string): boolean => isRule && givesReason(sentence);
  const [main = told, ...reason] = isRule ? withReasonApart(told) : [told];
  const rule = asSentence(main);
  const all = inSentences([rule, ...more.filter((sentence) => !isReason(sentence))]);
  const why = inSentences([...reason, ...more.filter(isReason)]);
  return {
    type,
    name: nameNote(rule, type),
    description: descriptionOf(type, absolute(rule)),
    body: noteBody(inTheUsersWords(absolute(all)), absolute(why)),
    evidence,
    source: "rules",
    ...(saidAt !== undefined && { said: new Date(saidAt).toISOString() }),
  };
}

/** A note's text; `why` and `how` may be empty. */
export function noteBody(rule: string, why: string, how = ""): string {
  const parts = [rule, why && `**Why:** ${why}`, how && `**How to apply:** ${how}`];
  return parts.filter((part) => part !== "").join("\n\n");
}

function inSentences(texts: readonly string[]): string {
  return texts.map(asSentence).join(" ");
}

/** "… because it breaks the build": the rule, and its reason, which goes under **Why:**, in the person's own words. */
function withReasonApart(text: string): readonly string[] {
  const found = findPhrase("reason", text);
  const rule = text.slice(0, found?.index);
  return found === undefined || keyWords(rule).length < FEWEST_WORDS ? [text] : [rule, ...found.slice(1)];
}

/** A rule with fewer subject words says nothing without its reason. */
const FEWEST_WORDS = 2;

function descriptionOf(type: NoteType, rule: string): string {
  const line = headline(rule, DESCRIPTION_LIMIT);
  return isFirstPerson(line) && (type === "user" || hasPhrase("speaks", line)) ? `The user says: ${line}` : line;
}

/** Marks text that says "I" as the user's words, so that an agent does not take "I" and "we" in it for itself. */
function inTheUsersWords(text: string): string {
  if (!isFirstPerson(text)) return text;
  return `In the user's words: ${text.includes('"') ? `“${text}”` : `"${text}"`}`;
}

/** Capitalises the first letter, unless the text begins with code or a lower-case name, and adds a full stop. */
function asSentence(text: string): string {
  const trimmed = text
    .trim()
    .replace(/[\s,;:–—-]+$/u, "")
    .replace(/(?<!\.)\.{2,}$/u, ".")
    .replace(/(?<=\S) +(?=[,;] )/gu, "");
  const first =
    /^\p{Ll}/u.test(trimmed) && !/^[\w.]*[A-Z_/][\w.]*\b|^[\w-]+\.\w/u.test(trimmed)
      ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
      : trimmed;
  return /[.!?。！？…:)"”'’`]$/u.test(first)
    ? first
    : `${first}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(first) ? "。" : "."}`;
}

/** Adds the dates that relative dates stood for when they were said; unchanged when that day is not known. */
export function makeDatesAbsolute(text: string, saidAt: number | undefined, { dates, timeZone }: DraftDeps): string {
  return saidAt === undefined ? text : withDates(text, { ms: saidAt, timeZone }, dates);
}
