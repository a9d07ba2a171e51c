import leadIns from "./lead-ins.json" with { type: "json" };

/** Words of one meaning, by language, as alternatives of a regular expression. Scripts without spaces are in `cjk`. */
interface WordTable {
  readonly words: Readonly<Record<string, string>>;
  /** Chinese, Japanese, Korean: matched anywhere, since nothing marks the start of a word. */
  readonly cjk?: string;
}

/** Used like a regular expression; compiled on first use, since most commands need none. */
export class WordPattern {
  readonly source: string;
  #plain: RegExp | undefined;
  #caseless: RegExp | undefined;

  constructor(source: string) {
    this.source = source;
  }

  test(text: string): boolean {
    const [expression, read] = this.#ready(text);
    return expression.test(read);
  }

  /** The first match, as written in the text. */
  exec(text: string): { readonly 0: string; readonly index: number } | null {
    const [expression, read] = this.#ready(text);
    const found = expression.exec(read);
    return found && { 0: text.slice(found.index, found.index + found[0].length), index: found.index };
  }

  /**
   * Ignoring case takes three times as long to compile (V8 closes every class over its cases), and the first note of a
   * process pays for all patterns. So lower-case patterns are matched against the lower-case text.
   */
  #ready(text: string): readonly [RegExp, string] {
    const small = inSmallLetters(text);
    return small === undefined
      ? [(this.#caseless ??= new RegExp(this.source, "iu")), text]
      : [(this.#plain ??= new RegExp(smallLetters(this.source), "u")), small];
  }
}

let last: { readonly text: string; readonly small: string | undefined } | undefined;

/** The text in lower case; `undefined` if that moves letters or matches differently from ignoring case. */
function inSmallLetters(text: string): string | undefined {
  // Many patterns ask for the same text in turn.
  if (last?.text === text) return last.small;
  const small = text.toLowerCase();
  last = { text, small: small.length === text.length && !small.includes("ſ") ? small : undefined };
  return last.small;
}

/** Lower-cases the letters of an expression, not its escapes; a class of capitals then matches either case. */
function smallLetters(source: string): string {
  return source
    .replace(/\\p\{[^}]*\}|\\.|[^\\]+/gu, (part) => (part.startsWith("\\") ? part : part.toLowerCase()))
    .replaceAll("\\p{Lu}", "[\\p{Lu}\\p{Ll}]");
}

const patterns = new WeakMap<WordTable, WordPattern>();

/** The pattern of a table, whole words only; compiled once and shared. */
export function patternOf(table: WordTable): WordPattern {
  const known = patterns.get(table);
  if (known !== undefined) return known;
  const { words, cjk } = table;
  const whole = `(?<![\\p{L}\\p{N}_])(?:${Object.values(words).join("|")})(?![\\p{L}\\p{N}_])`;
  const pattern = new WordPattern(cjk === undefined ? whole : `${whole}|${cjk}`);
  patterns.set(table, pattern);
  return pattern;
}

/** The pattern of a table at the beginning of a sentence. */
export function startOf({ words, cjk }: WordTable): WordPattern {
  const whole = `(?:${Object.values(words).join("|")})(?![\\p{L}\\p{N}_])`;
  return new WordPattern(cjk === undefined ? `^${whole}` : `^(?:${whole}|${cjk})`);
}

/** Words that say nothing about a note's subject, in the languages that capture reads. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the and or but if then so as at by for from in into of on onto to with without about over under is are was were be been being am do does did done has have had having it its this that these those there here he she they them their we our us you your i me my mine not no nor yes too very just also only even more most much many some any all each every both one another such same own than when while where which who whom what why how can could may might must shall should will would let lets get got make made go goes going use used using user want wants wanted need needs please ok okay don't dont doesn't doesnt didn't won't can't isn't aren't i'm im i'd id i'll i've we're we've we'll we'd you're you've you'll it's that's there's let's always never ever now remember keep mind sure ensure like really actually thing things way again going forward future next time instead rather because since therefore still already yet doing stop " +
    "de la el los las un una y o que en por para con no se lo le del al es son les des du et ou qui dans pour avec ne pas sur une est sont der die das und oder ein eine in zu mit nicht ist sind den dem os as um uma e em na ao não sempre nunca siempre jamais toujours immer nie i w z na do się nie aby zawsze nigdy и в на не что это как для по всегда никогда"
  ).split(/\s+/u),
);

export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const CJK_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/** Words in order, in lower case. CJK runs stay whole. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’_-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
  ).map((word) => word.replaceAll("’", "'"));
}

/** Words that carry the subject, in order and without repeats; not stemmed. */
export function keyWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text).filter((word) => !STOP_WORDS.has(word) && (word.length > 1 || CJK.test(word))))];
}

/** "sub-task" and "subtask" are one word. */
const PREFIX_HYPHEN = /^(sub|pre|re|non|co|e|multi|micro|auto)-/u;

/** Subject terms for comparing texts: stemmed words, CJK as bigrams. */
export function subjectTerms(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const word of keyWords(text).flatMap((key) => key.replace(PREFIX_HYPHEN, "$1").split(/[-_']/u))) {
    for (const run of word.match(CJK_RUNS) ?? []) {
      if (!CJK.test(run)) {
        if (run.length > 1 && !STOP_WORDS.has(run)) terms.add(stem(run));
      } else if (run.length === 1) terms.add(run);
      else for (let index = 0; index + 1 < run.length; index++) terms.add(run.slice(index, index + 2));
    }
  }
  return terms;
}

/** Deliberately crude: it only has to map "commits", "committed" and "committing" to one stem. */
function stem(word: string): string {
  if (word.length <= 3 || /\d/u.test(word)) return word;
  const cut = word.replace(/(?:ations?|ings?|ied|ies|edly|ed|es|ly|s)$/u, (end) =>
    end === "ied" || end === "ies" ? "y" : "",
  );
  const base = cut.length < 3 ? word : cut;
  return base.replace(/([bdfgklmnprt])\1$/u, "$1").replace(/e$/u, "");
}

export function sharedTerms(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  return shared;
}

/** How many subject terms a text has: a sentence needs some to be understood alone. CJK characters count by pairs. */
export function substance(text: string): number {
  return subjectTerms(text).size;
}

/** Lower-case letters and digits only, single spaces: for comparing texts. */
export function flatten(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The sentence without a leading greeting, answer or filler: "ok so, …", "no, …", "great! also …". */
export function trimLead(text: string): string {
  let rest = text.trim();
  for (let previous = ""; previous !== rest;) {
    previous = rest;
    rest = rest.replace(LEAD, "").trimStart();
  }
  return rest === "" ? text.trim() : rest;
}

const LEAD = new RegExp(
  String.raw`^(?:(?:(?:no|nope|nah|yes|yeah|yep|yup|ok|okay|k|so|great|perfect|nice|cool|thanks|thank you|awesome|fantastic|phenomenal|excellent|good|looks good|lgtm|right|sure|well|hey|hi|hello|hmm+|btw|by the way|oh|ah|oops|dude|man|bro|no man|go ahead|actually|again|anyway|alright|wait|stop|exactly|one more thing|another thing|fyi|listen|look|nein|ja|non|oui|sí|si|não|sim|nie|tak|нет|да)(?:[,.!:;…]+|\s*[-–—]+)\s*)|(?:(?:and|but|so|also|ok|okay|yeah|yep|yup|btw|fyi|then|now|moreover|furthermore|additionally|plus|well|actually|likewise|however|finally)\s*,?\s+)|(?:不是?|对|好的?|嗯|いや|はい|違う|아니요?|네)[,，、。!！]\s*|[-–—:,.;!\])]+\s*)`,
  "i",
);

/*
 * Words before the statement that only announce it: "For context:", "Remember to". Removed at the start repeatedly,
 * until none is left. If a language needs the words for its grammar ("Merk dir, dass …"), only the form with a colon
 * is in the list.
 */
const LEAD_IN = new RegExp(`^(?:${Object.values(leadIns).flat().join("|")})\\s*`, "iu");

/** The sentence without its lead-in; unchanged if nothing would be left. */
export function withoutLeadIn(text: string): string {
  let rest = trimLead(text);
  for (let previous = ""; previous !== rest;) {
    previous = rest;
    const next = trimLead(rest.replace(LEAD_IN, ""));
    if (keyWords(next).length > 0) rest = next;
  }
  return rest;
}
