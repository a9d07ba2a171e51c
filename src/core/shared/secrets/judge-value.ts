/** Values that stand where a secret would: somebody is to replace them, or code computes them. */
const PLACEHOLDER =
  /^(?:(?:replace|insert|put|enter|fill[_-]in|add|set|paste)[_-](?:[a-z]+[_-]){0,8}(?:password|passwd|secret|token|key|credentials?|value|here|me|this|yours?)|replace-?me|(?:password|secret|token|key)[_-]here|x{3,}|\*+|\.{3,}|…|change[_-]?(?:me|it)|example|placeholder|dummy|redacted|todo|none|null|nil|undefined|true|false|required|optional|string|your[_-].*|my[_-]?(?:password|secret|token|api[_-]?key)[a-z_-]*|<.*|\$.*|%.*|\{\{?.*|process\.env.*|os\.environ.*|env\.?.*|secrets\..*)$/iu;

const JUDGED_CHARACTERS = 300;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value.slice(0, JUDGED_CHARACTERS));
}

/** A password inside a URL, dull ones such as "password" too: nobody can tell whether the server takes it. Not a variable, "put it here" or a port with a path. */
export function isPasswordInUrl(value: string): boolean {
  return !isPlaceholder(value) && !/[{}$]/u.test(value) && !/^\d{1,5}[/?#]/u.test(value);
}

/** A password that is a value, not a variable or the word "password". */
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
 * Whether a value was made by a machine, as far as its characters tell: a UUID, a long run of hexadecimal or
 * decimal digits, letters and digits in a mixture that words and names do not reach, letters that cannot be spoken.
 * `shortest` is the fewest characters that are enough.
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

/** Letters of one case in a length no word has, or in an order that cannot be spoken; not words set together with capitals. */
function isUnspoken(letters: string): boolean {
  if (/^(?:[a-z]+|[A-Z]+)$/u.test(letters)) return letters.length >= 20;
  const humps = letters.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/gu) ?? [];
  return /[bcdfghjklmnpqrstvwxz]{5}/u.test(letters) || letters.length / humps.length < 3;
}

/** How often the kind of character changes: in words now and then, in tokens at every third character. */
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

/** 1 digit, 2 capital, 3 small letter, 0 anything else. */
function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 3 : 0;
}
