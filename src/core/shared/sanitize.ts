import { stripHidden } from "./hidden.ts";
import { redactTokens, withoutSecrets } from "./redact.ts";
import { oneLine, truncate } from "./text.ts";

/** A name that came from outside, for a message: without what a terminal takes for a command, a reader cannot see, or is a secret. */
export function shownName(name: string): string {
  return truncate(oneLine(redactTokens(stripHidden(name))), 80);
}

/** How memory that an agent is given is recognised again, so that it is never captured as something new. */
const CONTEXT_TAG = "memdir-context";

export function opening(source: string): string {
  return `<${CONTEXT_TAG} source="${source}">`;
}

export function closing(): string {
  return `</${CONTEXT_TAG}>`;
}

/** Text marked as what it is: data from memory. Whatever stands in it was sanitized before. */
export function fenced(source: string, lines: readonly string[]): string {
  return [opening(source), ...lines, closing()].join("\n");
}

/** What may stand for the bracket that opens a tag: itself, its wide and small forms, and its escapes. */
const BRACKET = String.raw`(?:[<＜﹤]|&(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)`;

/** Between the letters of a tag's name: nothing, or what a reader would pass over. */
const SEPARATOR = String.raw`[\s\p{P}\p{S}]{0,3}`;

/** Names with which clients, models and memdir itself mark who speaks. */
const SPEAKERS = [
  "memdir context",
  "system reminder",
  "system",
  "assistant",
  "human",
  "user prompt",
  "instructions?",
  "developer message",
  "hook",
  "loaded context",
  "untrusted context",
  "persisted output",
  "function calls?",
  "function results?",
  "tool calls?",
  "tool uses?",
  "tool results?",
  "invoke",
  "antml",
  "im start",
  "im end",
  "endoftext",
];

const speakingTag = (): RegExp =>
  new RegExp(
    String.raw`${BRACKET}(?=[\s/\\|!?]*(?:${SPEAKERS.map((name) => name.replaceAll(" ", SEPARATOR)).join("|")})(?![\p{L}\p{N}]|\.\p{L}))`,
    "giu",
  );

/** A tag in letters of two alphabets passes for another. */
const mixedTag = (): RegExp =>
  new RegExp(
    String.raw`${BRACKET}(?=[\s/]*[\w\-]{0,20}(?:[a-z][\p{sc=Cyrillic}\p{sc=Greek}]|[\p{sc=Cyrillic}\p{sc=Greek}][a-z]))`,
    "giu",
  );

/** Wide and mathematical letters read as plain ones. */
const LOOKALIKE = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/gu;

const MODEL_MARK = /\[(?=\s*\/?\s*INST\s*\])|<<(?=\s*\/?\s*SYS\s*>>)/giu;

let speaking: RegExp | undefined;

let mixed: RegExp | undefined;

/** ASCII in which nothing is hidden and nothing can open a tag: most names and descriptions. */
const PLAIN = /^[\t\n\r -$'-;=-Z\]-~]*$/;

/** What every tag begins with: only then are the patterns above made, which cost a process that has just started some 8 ms. */
const MAY_OPEN_TAG = /[<＜﹤&\\%[]/u;

/**
 * Text of a note made harmless: no secret, nothing hidden, and no tag that could end the block it stands in or speak with
 * somebody else's voice. The bracket of such a tag becomes a look-alike, so the text stays readable.
 */
export function sanitize(text: string): string {
  return harmless(withoutSecrets(text));
}

function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  const visible = stripHidden(text).replace(LOOKALIKE, (character) => character.normalize("NFKC"));
  if (!MAY_OPEN_TAG.test(visible)) return visible;
  speaking ??= speakingTag();
  mixed ??= mixedTag();
  return visible.replace(speaking, "‹").replace(mixed, "‹").replace(MODEL_MARK, "‹");
}

/** A name in one line of at most `limit` characters. Secrets are left in: it may be the name of a file, which must be found by it. */
export function label(text: string, limit = 200): string {
  // Nothing after this is shown: a description of megabytes need not be looked through.
  return truncate(oneLine(harmless(text.slice(0, 8 * limit))), limit);
}
