/**
 * A light stem of an English word: removes plurals, `-ing`, `-ed`, `-ment`, `-ation` and a final `e`, so that
 * "deploys", "deploying" and "deployment" match. Deliberately cautious: at least three letters remain, and a
 * word with a digit is a name and stays as it is.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutFinalE(withoutEnding(singular(word)));
}

function singular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (/[^sui]s$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutEnding(word: string): string {
  for (const [ending, shortest] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    if (rest.length < shortest || !/[aeiouy]/.test(rest) || word.endsWith("eed")) continue;
    return ending === "ing" || ending === "ed" ? undoubled(rest) : rest;
  }
  return word;
}

/** Endings, each with the fewest letters that must remain; the first match is used. */
const ENDINGS: readonly (readonly [string, number])[] = [
  ["ational", 4],
  ["ation", 4],
  ["ating", 4],
  ["ated", 4],
  ["ate", 4],
  ["ing", 3],
  ["ied", 3],
  ["ed", 3],
  ["ment", 4],
  ["ly", 4],
  ["ion", 4],
];

function undoubled(word: string): string {
  return /([^aeiouylsz])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutFinalE(word: string): string {
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** Raised whenever `analyse` may return other terms for the same text; an index of another version is rebuilt. */
export const ANALYSIS_VERSION = 1;

/** Longer tokens are blobs (hashes, base64); their beginning is enough to find them. */
const LONGEST_TERM = 64;

/**
 * The index terms of a text, in text order, repeated as often as they occur. Terms consist only of lower-case letters,
 * digits, marks and `_`, so terms joined by spaces can be split again.
 * A word yields itself and its stem; an identifier yields the whole (without separators) and its parts; scripts
 * without spaces yield pairs of characters; an emoji yields its code point.
 */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  if (isAscii(text)) {
    for (const word of text.match(ASCII_WORD) ?? []) for (const term of termsOf(word)) terms.push(term);
    return terms;
  }
  const normal = text.normalize("NFKC").replace(INVISIBLE, "");
  token ??= new RegExp(TOKEN, "gv");
  for (const { 0: match, groups } of normal.matchAll(token)) {
    if (groups?.["word"] !== undefined) terms.push(...termsOf(match));
    else if (groups?.["unspaced"] !== undefined) addPairs(terms, match);
    else terms.push(`u${match.codePointAt(0)?.toString(16) ?? ""}`);
  }
  return terms;
}

/** The distinct terms of a prompt, in order of first occurrence. */
export function analyseQuery(text: string): string[] {
  return [...new Set(analyse(text))];
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー`;

const LETTER = String.raw`[[\p{L}\p{N}\p{M}_]--[${UNSPACED}]]`;

// A dot, hyphen or apostrophe joins a word only between letters; slashes, colons and equals signs separate words.
const TOKEN = String.raw`(?<word>${LETTER}+(?:[\-.'’]${LETTER}+)*)|(?<unspaced>[${UNSPACED}]+)|\p{Extended_Pictographic}|\p{RI}`;

/** Created on first use: each pattern of Unicode letters costs a new process more than a millisecond. */
let token: RegExp | undefined;

const ASCII_WORD = /[A-Za-z0-9_]+(?:[-.'][A-Za-z0-9_]+)*/g;

/** Soft hyphens, zero-width characters and variation selectors: invisible inside words and emoji. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060\uFE00-\uFE0F\uFEFF]/gu;

const PLAIN = /^[a-z0-9]+$/;

const ASCII_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** Cache of terms by word. A store's words repeat, so it halves the time of a full index. Bounded and private. */
const remembered = new Map<string, readonly string[]>();

const REMEMBERED_WORDS = 50_000;

function termsOf(word: string): readonly string[] {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const terms: string[] = [];
  addWord(terms, word);
  if (remembered.size >= REMEMBERED_WORDS) remembered.clear();
  remembered.set(word, terms);
  return terms;
}

function addWord(terms: string[], word: string): void {
  if (PLAIN.test(word)) {
    addTerm(terms, word);
    return;
  }
  for (const piece of word.replace(/['’](?:s|d|m|ll|re|ve)$/iu, "").split(/['’](?!t\b)/u))
    addIdentifier(terms, piece.replace(/['’]/gu, ""));
}

function addIdentifier(terms: string[], identifier: string): void {
  const segments = identifier.split(/[-._]+/u).filter((segment) => segment !== "");
  const parts = segments.flatMap(partsOf);
  if (parts.length > 1) {
    const whole = joined(segments).toLowerCase();
    pushTerm(terms, fold(whole));
  }
  for (const part of parts) {
    // A single letter or digit of a longer name says nothing.
    if (parts.length === 1 || part.length > 1) addTerm(terms, fold(part.toLowerCase()));
  }
}

/** Splits `camelCase` at its humps. Digits stay with what precedes them, except in names with humps. */
function partsOf(segment: string): string[] {
  if (isAscii(segment))
    return /.[A-Z]/.test(segment) && /[a-z]/.test(segment) ? (segment.match(ASCII_PART) ?? [segment]) : [segment];
  if (!/\p{Lu}/u.test(segment.slice(1)) || !/\p{Ll}/u.test(segment)) return [segment];
  return segment.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu) ?? [segment];
}

/** `no-verify`, `no_verify` and `noVerify` are one name; `1.2.3` and `12.3` are not. */
function joined(segments: readonly string[]): string {
  let whole = "";
  let before = ""; // tested instead of `whole`, which would be far too slow for many parts
  for (const segment of segments) {
    whole += endsInDigit(before) && beginsWithDigit(segment) ? `_${segment}` : segment;
    before = segment;
  }
  return /^v./i.test(whole) ? whole.replace(/^v(?=\p{N}+_)/iu, "") : whole;
}

function endsInDigit(text: string): boolean {
  return isAscii(text) ? /[0-9]$/.test(text) : /\p{N}$/u.test(text);
}

function beginsWithDigit(text: string): boolean {
  return isAscii(text) ? /^[0-9]/.test(text) : /^\p{N}/u.test(text);
}

/** Removes accents from Latin, Greek and Cyrillic letters; reduces Arabic spelling variants to one. */
function fold(word: string): string {
  if (isAscii(word)) return word;
  const plain = word
    .normalize("NFD")
    .replace(/[\u0300-\u036F]/gu, "")
    .replace(/ß/gu, "ss")
    .normalize("NFC");
  return /\p{sc=Arabic}/u.test(plain) ? foldArabic(plain) : plain;
}

/** Removes vowel signs and the stretching stroke; reduces alef, final ya and ta marbuta to their plain letters. */
function foldArabic(word: string): string {
  return word
    .replace(/[\u064B-\u065F\u0670\u0640]/gu, "")
    .replace(/[أإآٱ]/gu, "ا")
    .replace(/ى/gu, "ي")
    .replace(/ة/gu, "ه");
}

function addTerm(terms: string[], word: string): void {
  if (STOP_WORDS.has(word)) return;
  pushTerm(terms, word);
  const other = variant(word);
  if (other !== word) pushTerm(terms, other);
}

function pushTerm(terms: string[], term: string): void {
  if (term !== "") terms.push(term.length > LONGEST_TERM ? term.slice(0, LONGEST_TERM) : term);
}

/** A second form of a word: its English stem, or an Arabic word without its article. */
function variant(word: string): string {
  const first = word.charCodeAt(0);
  if (first < 0x80) return stem(word);
  return /^(?:[وفبك]?ال|لل)\p{L}{3}/u.test(word) ? word.replace(/^(?:[وفبك]?ال|لل)/u, "") : word;
}

/** Pairs of neighbouring characters; a single character is a term of its own. */
function addPairs(terms: string[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(run);
  for (let index = 0; index + 1 < characters.length; index++)
    terms.push(`${characters[index] ?? ""}${characters[index + 1] ?? ""}`);
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about am an and any are as at be because been before being both but by can cannot cant could did do does doing done dont " +
    "each even for from get gets getting go going got had has have having he her here hers him his how i if im in into is isnt it its " +
    "ive just let lets like me more most my need no not now of off ok okay on once one only or other our ours out over own please " +
    "s same see shall she should so some still such sure t than thank thanks that thats the their theirs them then there these they " +
    "this those though through to too under until up us very via want wants was we well were what when where whether which while who " +
    "whom whose why will with would yes yet you your yours"
  ).split(" "),
);
