import type { NoteDraft, NoteType } from "../notes/note.ts";
import { type DateResolver, withDates } from "../notes/dates/date-resolver.ts";
import { type Candidate, givesReason } from "./candidates.ts";
import { typeOf } from "./classify.ts";
import { trimLead, withoutLeadIn } from "../notes/wording/words.ts";
import { headline } from "../notes/title.ts";
import { nameNote } from "./note-name.ts";
import { reasonIn, withoutReason } from "./passing.ts";
import { hasPhrase } from "./phrases.ts";
import { proseAndCode } from "./sentences.ts";

/** "i'm sure that i am" → "I'm sure that I am", in English text and outside code. */
export function capitaliseI(text: string): string {
  const isEnglish = ENGLISH.test(text) && !/\P{ASCII}/u.test(text.replace(/[‘’“”–—…]/gu, ""));
  const pieces = proseAndCode(text).map((piece, at) => {
    if (at % 2 === 1) return piece;
    const contracted = piece.replace(/(?<![\p{L}\p{N}_.'’/-])i(?=['’](?:m|ve|d|ll)(?!\p{L}))/gu, "I");
    return isEnglish ? contracted.replace(LONE_I, "I") : contracted;
  });
  return pieces.join("");
}

/** Words that do not occur in Polish and other languages that have a word "i". */
const ENGLISH =
  /\b(?:the|and|is|of|that|you|don['’]t|with|not|this|are|we|it|for|because|when|before|i['’](?:m|ve|d|ll))\b/i;

// Excludes loop variables: "i and j", "the index i", "i is".
const LONE_I =
  /(?<![\p{L}\p{N}_.'’/-])(?<!\b(?:index|variable|counter|called|named|int|let|var|for|iterator) )i(?= (?!and\b|or\b|in\b|is\b|as\b|to\b|from\b|by\b|at\b|of\b)[a-z])/gu;

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
  const told = kind === "identity" ? identityIn(worded(text)) : trimRequest(worded(text));
  // A rule's reasons stand apart; a fact is told in its order.
  const reasons = type === "feedback" ? following.filter(givesReason) : [];
  const reason = type === "feedback" ? reasonIn(told) : undefined;
  const rule = asSentence(reason === undefined ? told : withoutReason(told));
  const main = [rule, ...inSentences(following.filter((one) => !reasons.includes(one)))].join(" ");
  const why = [...(reason === undefined ? [] : [asSentence(reason)]), ...inSentences(reasons)].join(" ");
  return {
    type,
    name: nameNote(rule, type),
    description: descriptionOf(type, absolute(rule)),
    body: noteBody(inTheUsersWords(absolute(main)), absolute(why)),
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

/** The text as the note words it: no lead-in, "I" capitalised in English. */
function worded(text: string): string {
  return capitaliseI(withoutLeadIn(text));
}

function inSentences(texts: readonly string[]): readonly string[] {
  return texts.map((text) => asSentence(worded(text)));
}

/** "Could you please always add a test?" → "always add a test": a note states the wish. */
function trimRequest(text: string): string {
  const request = /^(?:could|can|would|will) you (?:please )?(.{6,}?)\s*\?$/is.exec(text)?.[1];
  return request ?? text;
}

/** Only who the person is: "…, I'm bad at bash" at the end of an order is cut out of the order. */
function identityIn(text: string): string {
  const at = text.search(/\b(?:i['’]?m|i am)\b/i);
  const before = text.slice(0, Math.max(at, 0));
  if (at < 20 || /\b(?:i|my|we)\b/i.test(text.slice(at + 4))) return text;
  if (/^[^,]*,?\s*(?:since|as|because)\s*$/i.test(before) && /,/u.test(text.slice(at))) return text;
  return (text.slice(at).split(/[,;)]|\s[:;][\])]/u)[0] ?? text).trim();
}

function descriptionOf(type: NoteType, rule: string): string {
  const line = headline(rule.replace(PERSONAL_PLAN, "."), DESCRIPTION_LIMIT);
  return isFirstPerson(line) && (type === "user" || hasPhrase("speaks", line)) ? `The user says: ${line}` : line;
}

/** "…, so I'll file it there": the user's next step is not part of the fact. */
const PERSONAL_PLAN = /,? (?:so|and) I(?:['’]ll| will|['’]m going to| am going to) [^,.;]+\.$/u;

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
