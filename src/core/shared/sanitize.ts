import { stripHidden } from "./hidden.ts";
import { oneLine, truncate } from "./text.ts";
import { sha256 } from "./hash.ts";
import { findSecrets } from "./secrets/find-secrets.ts";
import { switches } from "./secrets/find-labelled.ts";

/** Replaces a secret. */
export const REDACTED = "[redacted]";

/** `password = …`, `token: …`, `api key is …`, `Bearer …`; after "is" or "was" the value must look like a secret. */
const ASSIGNED =
  /((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|account[ _-]?key|credentials?|sig)["'`]?\s{0,3}(?:(?::=|=>|[:=])\s{0,3}|\s(?:is|was)\s{1,3})["'`]?|\b(?:bearer|basic)\s{1,3})([^\s"'`,;<>(){}[\]]{6,})/giu;

const LONG_RUN = /[A-Za-z0-9+/_=-]{20,}/gu;

/** Text without a match needs no redaction, so no slower pattern is compiled. No `u` flag: it doubles the time. */
const SUSPECT =
  /[\d_=+]|[^\t\n\r -~]|:\/\/|-{4}|[a-z]{16}|pass|pwd|\bpw\b|secret|token|key|credential|sig|bearer|basic|confidential|sshpass|-u|--user|auth|cookie/i;

/**
 * A text without secrets and without anything that looks like one. It delays a prompt, so it is cheap and therefore
 * cautious: commit hashes go too. The result is for a log on the user's own disk.
 */
export function redactTokens(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const redact = (): string => REDACTED;
  return withoutLookalikes(secretsReplaced(text, redact), redact);
}

/** A text in which each character that `redactTokens` would remove is masked: lines and positions do not move. */
export function maskLines(text: string): string {
  const blot = (part: string): string => part.replace(/[^\n]/gu, (character) => "•".repeat(character.length));
  return withoutLookalikes(secretsReplaced(text, blot), blot);
}

/**
 * A note's text as memdir shows it: without secrets, otherwise unchanged. A user may have written a secret into the
 * file by hand.
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

/** Words seldom change between lower case, upper case and digits; tokens do so about every third character. */
function looksRandom(run: string): boolean {
  if (!/\d/u.test(run)) return false;
  if (/[0-9a-f]{32}/iu.test(run)) return true;
  return switches(run) >= run.length * 0.3;
}

/** Rules for random values after a mere prefix: clients name sessions and calls this way (`ses_…`, `chatcmpl-…`). */
const LIKE_AN_ID: ReadonlySet<string> = new Set(["prefixed-token", "named-value"]);

/** Whether a text certainly contains a token, a key or a password; merely random values, such as ids, do not count. */
export function holdsToken(text: string): boolean {
  return (
    findSecrets(text).some(({ rule }) => !LIKE_AN_ID.has(rule)) ||
    [...text.matchAll(ASSIGNED)].some(([, name = "", value = ""]) => isAssigned(name, value))
  );
}

/** Ids as clients make them, a UUID or OpenCode's `ses_…`: never a token, and scanning them would slow every hook. */
const MADE_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_[0-9a-f]{12}[0-9A-Za-z]{14})$/iu;

/** The last id and its safe form: one event asks for the same id several times. */
let lastId: readonly [id: string, safe: string] = ["", ""];

/** An id that is safe to write down: one that contains a token becomes a hash, always the same. */
export function safeId(id: string): string {
  if (MADE_ID.test(id)) return id;
  if (lastId[0] !== id) lastId = [id, holdsToken(id) ? `hidden-${sha256(id).slice(0, 24)}` : id];
  return lastId[1];
}

/** An outside name, for a message: without terminal control characters, invisible characters or secrets. */
export function shownName(name: string): string {
  return truncate(oneLine(redactTokens(stripHidden(name))), 80);
}

/** Marks the memory given to an agent, so that it is never captured as something new. */
const CONTEXT_TAG = "memdir-context";

export function opening(source: string): string {
  return `<${CONTEXT_TAG} source="${source}">`;
}

export function closing(): string {
  return `</${CONTEXT_TAG}>`;
}

/** Text marked as data from memory. The caller has sanitized it. */
export function fenced(source: string, lines: readonly string[]): string {
  return [opening(source), ...lines, closing()].join("\n");
}

/** What may represent the opening bracket of a tag: itself, its wide and small forms, and its escapes. */
const BRACKET = String.raw`(?:[<＜﹤]|&(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)`;

/** Between the words of a tag's name: nothing, or characters that a reader would overlook. */
const SEPARATOR = String.raw`[\s\p{P}\p{S}]{0,3}`;

/** Names that clients, models and memdir itself use to mark who speaks. */
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

/** A tag in letters of two alphabets that can pass for another tag. */
const mixedTag = (): RegExp =>
  new RegExp(
    String.raw`${BRACKET}(?=[\s/]*[\w\-]{0,20}(?:[a-z][\p{sc=Cyrillic}\p{sc=Greek}]|[\p{sc=Cyrillic}\p{sc=Greek}][a-z]))`,
    "giu",
  );

/** Wide and mathematical letters, which read as plain ones. */
const LOOKALIKE = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/gu;

const MODEL_MARK = /\[(?=\s*\/?\s*INST\s*\])|<<(?=\s*\/?\s*SYS\s*>>)/giu;

let speaking: RegExp | undefined;

let mixed: RegExp | undefined;

/** ASCII without hidden characters and without anything that can open a tag: most names and descriptions. */
const PLAIN = /^[\t\n\r -$'-;=-Z\]-~]*$/;

/** Every tag begins with one of these. Otherwise the patterns above (some 8 ms to compile) are not needed. */
const MAY_OPEN_TAG = /[<＜﹤&\\%[]/u;

/**
 * Makes a note's text harmless: no secret, nothing hidden, and no tag that could end the enclosing block or impersonate
 * another speaker. The opening bracket of such a tag becomes a look-alike, so the text stays readable.
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

/** A name on one line of at most `limit` characters. Secrets stay: a file must be found by its exact name. */
export function label(text: string, limit = 200): string {
  // Nothing after this is shown, so a description of megabytes need not be scanned.
  return truncate(oneLine(harmless(text.slice(0, 8 * limit))), limit);
}
