import type { FoundSecret } from "./found-secret.ts";
import { isMachineMade, isPlaceholder } from "./judge-value.ts";

/** What a secret is called, in code, settings and talk. */
const LABEL =
  /secret|token|password|passwd|credentials?|api[ _-]?key|key|access|private|auth|api|login|pat|pwd|passcode|license/giu;

/** Keys that are not secret, and names of things, by the word before the label and the one after it. */
const OPEN_BEFORE =
  /(?:public|primary|foreign|cache|idempotency|partition|sort|object|s3|routing|composite|unique|index|dedup|dedupe|query|hash|lookup|storage|tree|react|translation|host|natural|surrogate|publishable|memory|config|map|sorting|redis)[ _-]*$/iu;
const OPEN_AFTER = /^[ _-]?(?:id|ids|name|hash|fingerprint|sha|commit|count|limit|budget|log|logs|version)(?![a-z])/iu;

/** `SECRETKEY`, `licensekey`. */
const COMPOUND = /(?:api|secret|access|auth|license|private)$/iu;

/** What a label with one of these behind it names is not secret: `AUTH0_DOMAIN`, `token_url`. */
const OPEN_WORD =
  /^(?:ids?|domain|urls?|uri|host|endpoint|callback|user|username|email|region|project|bucket|path|file|dir|name|type|expires?|expiry|at|date|time|port|scopes?|count|limit|hash|fingerprint|issuer|audience|version)$/iu;

/** Words that may stand between a label and its value. */
const GLUE = new Set(
  "is was are the my our your a new old default value key token tok tkn secret access private api auth login test live prod dev bearer basic string set to be will const var let export v".split(
    " ",
  ),
);

const GAP_CHARACTERS = 40;
const LABEL_CHARACTERS = 40;

/** Runs that may be a value: a UUID, letters and digits, the same with punctuation inside. */
const RUNS = [
  /(?<![A-Za-z0-9])[0-9A-Za-z]{8}-(?:[0-9A-Za-z]{4}-){3}[0-9A-Za-z]{12,16}(?![A-Za-z0-9])/gu,
  /[A-Za-z0-9]{12,}/gu,
  /[A-Za-z0-9][\w.+/~=@!-]{13,}/gu,
];

/** A value that looks machine-made, after a word that says what it is: `ACME_ACCESS_KEY 4f…`, `acme token: "…"`. */
export function findLabelled(text: string): readonly FoundSecret[] {
  if (!/\d|[A-Za-z]{20}/u.test(text)) return [];
  return RUNS.flatMap((runs) => [...text.matchAll(runs)])
    .filter((match) => isLabelled(text, match.index, match[0]))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, rule: "labelled" }));
}

function isLabelled(text: string, start: number, value: string): boolean {
  if (!isMachineMade(value, 12) || isPlaceholder(value)) return false;
  const before = text.slice(Math.max(0, start - GAP_CHARACTERS - LABEL_CHARACTERS), start);
  return [...before.matchAll(LABEL)].some((label) => {
    const end = label.index + label[0].length;
    return (
      isWholeLabel(before, label.index, end) &&
      !OPEN_BEFORE.test(before.slice(0, label.index)) &&
      !OPEN_AFTER.test(before.slice(end)) &&
      isGap(before.slice(end))
    );
  });
}

/** Not a part of another word ("keyboard", "monkey", "author"), though one in capitals may follow one in small letters. */
function isWholeLabel(text: string, start: number, end: number): boolean {
  const label = text.slice(start, end);
  const before = text.slice(start - 1, start);
  const after = text
    .slice(end)
    .replace(/^s(?![a-z])|^S(?![A-Z])/u, "")
    .slice(0, 1);
  const goesOn = isSmall(label.at(-1) ?? "") ? isSmall(after) : isCapital(after);
  if (goesOn) return false;
  if (label.length > 5 || COMPOUND.test(text.slice(0, start))) return true;
  return isSmall(label.slice(0, 1)) ? !isSmall(before) : !isCapital(before) || isSmall(label.slice(1, 2));
}

function isSmall(character: string): boolean {
  return /^[a-z]$/u.test(character);
}

function isCapital(character: string): boolean {
  return /^[A-Z]$/u.test(character);
}

/** What stands between a label and its value: signs, and a word or two that carry nothing. */
function isGap(gap: string): boolean {
  if (gap.length > GAP_CHARACTERS || /[.!?] |\n[^\n]*\n/u.test(gap)) return false;
  const words = gap.match(/[A-Za-z]+|\d+/gu) ?? [];
  const other = words.filter((word) => !GLUE.has(word.toLowerCase()));
  if (other.length === 0) return true;
  if (other.some((word) => OPEN_WORD.test(word))) return false;
  // A word that is joined to the label or the value is a part of its name.
  return (
    other.length <= 2 &&
    (/^[A-Za-z0-9_.-]+["'`]?\s*[=:,-]?\s*["'`]?$/u.test(gap) ||
      /^["'`)]?\s*[=:,]+\s*["'`]?[\w.+-]{1,24}$/u.test(gap) ||
      /^[ ]{1,4}[\w]{1,16}[-_.]$/u.test(gap))
  );
}
