import { stripHidden } from "./hidden.ts";
import { oneLine, truncate } from "./text.ts";
import { sha256 } from "./hash.ts";
import { findSecrets } from "./secrets/find-secrets.ts";
import { switches } from "./secrets/find-labelled.ts";

/** What stands where something secret stood. */
export const REDACTED = "[redacted]";

/** `password = …`, `token: …`, `api key is …`, `Bearer …`; a value that was only said must look like one. */
const ASSIGNED =
  /((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|account[ _-]?key|credentials?|sig)["'`]?\s{0,3}(?:(?::=|=>|[:=])\s{0,3}|\s(?:is|was)\s{1,3})["'`]?|\b(?:bearer|basic)\s{1,3})([^\s"'`,;<>(){}[\]]{6,})/giu;

const LONG_RUN = /[A-Za-z0-9+/_=-]{20,}/gu;

/** Without any of it there is nothing to find; to compile the patterns takes a process that has just started some milliseconds. Without the Unicode flag, which doubles its time. */
const SUSPECT =
  /[\d_=+]|[^\t\n\r -~]|:\/\/|-{4}|[a-z]{16}|pass|pwd|\bpw\b|secret|token|key|credential|sig|bearer|basic|confidential|sshpass|-u|--user|auth|cookie/i;

/**
 * A text without what the scan for secrets finds, and without what only looks like one. Cheap, because it stands
 * in the way of a prompt, and so cautious: a commit's hash goes too. What it leaves is for a log on the person's
 * own disk.
 */
export function redactTokens(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const redact = (): string => REDACTED;
  return withoutLookalikes(secretsReplaced(text, redact), redact);
}

/** A text with whatever `redactTokens` takes for a secret blotted out letter by letter: lines and positions stay where they were. */
export function maskLines(text: string): string {
  const blot = (part: string): string => part.replace(/[^\n]/gu, (character) => "•".repeat(character.length));
  return withoutLookalikes(secretsReplaced(text, blot), blot);
}

/**
 * A note's text as memdir shows it: without what the scan for secrets finds, and otherwise as it stands. A note may
 * hold a secret that a person wrote into its file by hand.
 */
export function withoutSecrets(text: string): string {
  return SUSPECT.test(text) ? secretsReplaced(text, () => REDACTED) : text;
}

function secretsReplaced(text: string, replacement: (part: string) => string): string {
  let replaced = "";
  let from = 0;
  for (const { start, end } of findSecrets(text)) {
    replaced += text.slice(from, start) + replacement(text.slice(start, end));
    from = end;
  }
  return replaced + text.slice(from);
}

function withoutLookalikes(text: string, replacement: (part: string) => string): string {
  return text
    .replace(ASSIGNED, (whole, name: string, value: string) =>
      isAssigned(name, value) ? name + replacement(value) : whole,
    )
    .replace(LONG_RUN, (run) => (looksRandom(run) ? replacement(run) : run));
}

function isAssigned(name: string, value: string): boolean {
  return /[=:]\s*["'`]?$/u.test(name) || /[\d\W]/u.test(value.replace(/\W+$/u, ""));
}

/** Words change between small letters, capitals and digits now and then, tokens at every third character. */
function looksRandom(run: string): boolean {
  if (!/\d/u.test(run)) return false;
  if (/[0-9a-f]{32}/iu.test(run)) return true;
  return switches(run) >= run.length * 0.3;
}

/** Rules for random values after a mere prefix: clients name sessions and calls just so (`ses_…`, `chatcmpl-…`). */
const LIKE_AN_ID: ReadonlySet<string> = new Set(["prefixed-token", "named-value"]);

/** Whether a text holds what is certainly a token, a key or a password; what is only random, as ids are, is none. */
export function holdsToken(text: string): boolean {
  return (
    findSecrets(text).some(({ rule }) => !LIKE_AN_ID.has(rule)) ||
    [...text.matchAll(ASSIGNED)].some(([, name = "", value = ""]) => isAssigned(name, value))
  );
}

/** Ids as clients make them, a UUID or OpenCode's `ses_…`: nothing of them can be a token, and each hook would pay for the scan. */
const MADE_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_[0-9a-f]{12}[0-9A-Za-z]{14})$/iu;

/** The last id with what it became: one event asks for the same one several times. */
let lastId: readonly [id: string, safe: string] = ["", ""];

/** An id as it may be written down: one that holds a token becomes a hash, the same each time. */
export function safeId(id: string): string {
  if (MADE_ID.test(id)) return id;
  if (lastId[0] !== id) lastId = [id, holdsToken(id) ? `hidden-${sha256(id).slice(0, 24)}` : id];
  return lastId[1];
}

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
 * someone else's voice. The bracket of such a tag becomes a look-alike, so the text stays readable.
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
