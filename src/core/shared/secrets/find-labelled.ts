/** Where a secret is in a text, and the rule that found it. Half-open UTF-16 range. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** Placeholders in the place of a secret: they are to be replaced, or code computes them. */
const PLACEHOLDER =
  /^(?:(?:replace|insert|put|enter|fill[_-]in|add|set|paste)[_-](?:[a-z]+[_-]){0,8}(?:password|passwd|secret|token|key|credentials?|value|here|me|this|yours?)|replace-?me|(?:password|secret|token|key)[_-]here|x{3,}|\*+|\.{3,}|…|change[_-]?(?:me|it)|example|placeholder|dummy|redacted|todo|none|null|nil|undefined|true|false|required|optional|string|your[_-].*|my[_-]?(?:password|secret|token|api[_-]?key)[a-z_-]*|<.*|\$.*|%.*|\{\{?.*|process\.env.*|os\.environ.*|env\.?.*|secrets\..*)$/iu;

const JUDGED_CHARACTERS = 300;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value.slice(0, JUDGED_CHARACTERS));
}

/** A password inside a URL, even a dull one such as "password". Not a variable, a placeholder, or a port and path. */
export function isPasswordInUrl(value: string): boolean {
  return !isPlaceholder(value) && !/[{}$]/u.test(value) && !/^\d{1,5}[/?#]/u.test(value);
}

/** A password that is a literal value, not a variable or the word "password". */
export function isCredential(value: string): boolean {
  return !isPlaceholder(value) && !/^(?:pass(?:word|wd)?|pwd|secret)$/iu.test(value) && !/[{}$]/u.test(value);
}

/** A value a user would assign to a secret: mixed, and neither a placeholder nor an expression. */
export function isAssignedSecret(raw: string): boolean {
  const value = raw.slice(0, JUDGED_CHARACTERS).replace(/[.!?]{1,9}$/u, "");
  if (value.length < 6 || isPlaceholder(value)) return false;
  if (/^[\w$]+(?:\.[\w$]+)+$/u.test(value) && !/\d/u.test(value)) return false;
  if (/^(?:\.{0,2}\/|~|[A-Za-z]:\\|https?:\/\/)/u.test(value)) return false;
  const kinds = [/[a-z]/u, /[A-Z]/u, /\d/u, /[^A-Za-z0-9]/u].filter((kind) => kind.test(value)).length;
  return (
    (/\d/u.test(value) && kinds >= 2) ||
    kinds >= 4 ||
    (kinds >= 3 && looksRandom(value)) ||
    (value.length >= 24 && looksRandom(value))
  );
}

/** Shannon entropy of the characters above what words and identifiers reach at that length. */
export function looksRandom(whole: string): boolean {
  const value = whole.slice(0, JUDGED_CHARACTERS);
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= (value.length >= 20 ? 3.5 : 2.9) && /\d/u.test(value);
}

const UUID = /^[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12,16}$/iu;

/**
 * Whether a value looks machine-made: a UUID, a long run of hexadecimal or decimal digits, a mix of letters and digits
 * that words and names do not reach, or unpronounceable letters. `shortest` is the minimum number of characters.
 */
export function isMachineMade(whole: string, shortest: number): boolean {
  const value = whole.slice(0, JUDGED_CHARACTERS);
  const plain = value.replace(/[^A-Za-z0-9]/gu, "");
  if (plain.length < shortest || isDateOrVersion(value) || new Set(plain).size < 5) return false;
  if (UUID.test(value) || /^[0-9a-f]{24,}$/iu.test(value)) return /\d/u.test(value);
  const digits = plain.replace(/\D/gu, "").length;
  if (plain.length === value.length && plain.length >= 40) return digits > 0 || isUnspoken(plain);
  if (digits === 0) return plain.length >= Math.max(20, shortest) && plain.length === value.length && isUnspoken(plain);
  if (digits === plain.length) return plain.length >= Math.max(20, shortest);
  if (plain.length === value.length) return digits >= 3 || (plain.length >= 20 && isUnspoken(plain));
  // With punctuation inside it may be a path, a file name or words joined by hyphens.
  return digits >= 3 && switches(plain) >= plain.length * 0.2 && !/[a-z]{4,}[-_./][a-z]{4,}/u.test(value);
}

/** `20260302T090000Z`, `2026-03-02`, `1.2.3-beta4`. */
function isDateOrVersion(value: string): boolean {
  return (
    /^\d{4}-?\d\d-?\d\d(?:[T_-]?[\d:.-]{4,12}Z?)?$/u.test(value) || /^v?\d{1,5}(?:\.\d{1,8}){1,4}(?:-|$)/u.test(value)
  );
}

/** Letters of one case longer than any word, or in an unpronounceable order; camelCase words do not count. */
function isUnspoken(letters: string): boolean {
  if (/^(?:[a-z]+|[A-Z]+)$/u.test(letters)) return letters.length >= 20;
  const humps = letters.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/gu) ?? [];
  return /[bcdfghjklmnpqrstvwxz]{5}/u.test(letters) || letters.length / humps.length < 3;
}

/** How often the kind of character changes: seldom in words, about every third character in tokens. */
export function switches(run: string): number {
  let count = 0;
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const kind = kindOf(run.charCodeAt(at));
    if (kind !== 0 && before !== 0 && kind !== before) count++;
    before = kind;
  }
  return count;
}

/** 1 digit, 2 capital, 3 lower-case letter, 0 anything else. */
function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 3 : 0;
}

/** `acme_9f8e…`, `ac-live-9f8e…`: a short name and a value in one word, as used by vendors who publish no format. */
const PREFIXED = /(?<![\w./@#-])([a-z]{2,12})[_-](?:[a-z0-9]{1,8}[_-]){0,2}([A-Za-z0-9]{24,})(?![A-Za-z0-9])/gu;

/** Prefixes of values that are not secret: identifiers of calls, files, digests. */
const OPEN_PREFIX =
  /^(?:hidden|sha|md|toolu|call|msg|req|resp|run|thread|file|img|image|id|user|usr|org|proj|cus|price|prod|sub|evt|acct|session|sess|ses|prt|chatcmpl|job|task|build|commit|rev|hash|digest|etag|trace|span|node|chunk|asst|step|batch|cid|uid|urn|layer|index|main|vendor|app|chunkhash|bundle|temp|tmp|backup|snapshot|claude|agent|gpt|model|vol|snap|subnet|vpc|ami|sg|eni|rtb|igw|arn|key|worker|page|static|test|data|db|table|branch|wt|pr|wf|css|js|svelte|jss|makeStyles)$/u;

/** A line that holds only a name and a value: `acme 9f8e…`, `"acme": "9f8e…",`, `acme=9f8e…`. */
const NAMED =
  /^[^\S\n]{0,40}(?:export |const |let |var |[-*] )?["'`$]?([A-Za-z][\w.-]{1,40}?)["'`]?(?:[^\S\n]{0,8}(?:=>|[:=])[^\S\n]{0,8}|[^\S\n]{1,8}(?:-[^\S\n]{1,8})?)["'`]?((?:[a-z]{1,10}[_-])?[A-Za-z0-9][A-Za-z0-9_-]{17,300})["'`]?[,;]?[^\S\n]{0,8}$/gmu;

/** Last words of names whose value is not a secret, however random it looks. */
const OPEN_WORDS = new Set(
  "id ids hidden oid stash upstream onto uuid guid uid sha sha1 sha256 sha512 hash commit rev revision digest checksum md5 etag version session sessions origin head parent tree tag object integrity fingerprint sum merge cherry pick fixup squash reword ref blob image container node file path url branch trace span request deployment build run job task user org team project account tenant device machine instance cursor seed nonce signature class style test thread conversation agent model name slug workspace database db bucket channel page folder drive sheet doc index address wallet contract tx txid block public pub publishable message event entity item record row ticket issue order customer entry correlation transaction plan prompt todo note memory challenge from to at in on by and or of the is was".split(
    " ",
  ),
);

/** Values on their own, or after nothing but the name of a service. */
export function findBare(text: string): readonly FoundSecret[] {
  if (!/[A-Za-z0-9]{16}|[0-9a-f]{8}-/u.test(text)) return [];
  const prefixed = [...text.matchAll(PREFIXED)].filter(
    ([, name = "", value = ""]) => !OPEN_PREFIX.test(name) && isToken(value),
  );
  const named = [...text.matchAll(NAMED)].filter(
    ([, name = "", value = ""]) => !isOpen(name) && isMachineMade(value, 20) && isMixed(value) && !isPlaceholder(value),
  );
  return [
    ...prefixed.map((match) => ({ start: match.index, end: match.index + match[0].length, rule: "prefixed-token" })),
    ...named.map((match) => {
      const start = match.index + match[0].lastIndexOf(match[2] ?? "");
      return { start, end: start + (match[2] ?? "").length, rule: "named-value" };
    }),
  ];
}

function isToken(value: string): boolean {
  const kinds = [/[a-z]/u, /[A-Z]/u, /\d/u].filter((kind) => kind.test(value)).length;
  return (
    (kinds === 3 || /^[0-9a-f]{32,}$/u.test(value) || (kinds === 2 && value.length >= 30 && /\d/u.test(value))) &&
    isMachineMade(value, 24)
  );
}

function isOpen(name: string): boolean {
  const words = name.split(/[._-]|(?<=[a-z0-9])(?=[A-Z])/u).filter((word) => word !== "");
  return OPEN_WORDS.has((words.at(-1) ?? "").toLowerCase());
}

/** Excludes a name with a number in it, such as `draft2020Vocabularies`. */
function isMixed(value: string): boolean {
  return value.replace(/\D/gu, "").length >= 5 || switches(value) >= value.length * 0.3;
}

/** Names for a secret in code, settings and conversation. */
const LABEL =
  /secret|token|password|passwd|credentials?|api[ _-]?key|key|access|private|auth|api|login|pat|pwd|passcode|license/giu;

/** Keys that are not secret: the word before the label says so, or (next pattern) the word after it. */
const OPEN_BEFORE =
  /(?:public|primary|foreign|cache|idempotency|partition|sort|object|s3|routing|composite|unique|index|dedup|dedupe|query|hash|lookup|storage|tree|react|translation|host|natural|surrogate|publishable|memory|config|map|sorting|redis)[ _-]*$/iu;

const OPEN_AFTER = /^[ _-]?(?:id|ids|name|hash|fingerprint|sha|commit|count|limit|budget|log|logs|version)(?![a-z])/iu;

/** `SECRETKEY`, `licensekey`. */
const COMPOUND = /(?:api|secret|access|auth|license|private)$/iu;

/** A label followed by one of these words does not name a secret: `AUTH0_DOMAIN`, `token_url`. */
const OPEN_WORD =
  /^(?:ids?|domain|urls?|uri|host|endpoint|callback|user|username|email|region|project|bucket|path|file|dir|name|type|expires?|expiry|at|date|time|port|scopes?|count|limit|hash|fingerprint|issuer|audience|version)$/iu;

/** Words that may appear between a label and its value. */
const GLUE = new Set(
  "is was are the my our your a new old default value key token tok tkn secret access private api auth login test live prod dev bearer basic string set to be will const var let export v".split(
    " ",
  ),
);

const GAP_CHARACTERS = 40;

const LABEL_CHARACTERS = 40;

/** Runs that may be a value: a UUID, letters and digits, or those with punctuation inside. */
const RUNS = [
  /(?<![A-Za-z0-9])[0-9A-Za-z]{8}-(?:[0-9A-Za-z]{4}-){3}[0-9A-Za-z]{12,16}(?![A-Za-z0-9])/gu,
  /[A-Za-z0-9]{12,}/gu,
  /[A-Za-z0-9][\w.+/~=@!-]{13,}/gu,
];

/** A value that looks machine-made, after a word that labels it: `ACME_ACCESS_KEY 4f…`, `acme token: "…"`. */
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

/** Not part of another word ("keyboard", "monkey", "author"); a capitalised label may follow a lower-case letter. */
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

/** What may separate a label from its value: punctuation, and a word or two without meaning. */
function isGap(gap: string): boolean {
  if (gap.length > GAP_CHARACTERS || /[.!?] |\n[^\n]*\n/u.test(gap)) return false;
  const words = gap.match(/[A-Za-z]+|\d+/gu) ?? [];
  const other = words.filter((word) => !GLUE.has(word.toLowerCase()));
  if (other.length === 0) return true;
  if (other.some((word) => OPEN_WORD.test(word))) return false;
  // A word joined to the label or the value is part of its name.
  return (
    other.length <= 2 &&
    (/^[A-Za-z0-9_.-]+["'`]?\s*[=:,-]?\s*["'`]?$/u.test(gap) ||
      /^["'`)]?\s*[=:,]+\s*["'`]?[\w.+-]{1,24}$/u.test(gap) ||
      /^[ ]{1,4}[\w]{1,16}[-_.]$/u.test(gap))
  );
}
