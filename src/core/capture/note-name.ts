import { DANGLING_WORDS } from "../notes/title.ts";
import type { NoteType } from "../notes/note.ts";
import type { Verdict } from "./classify.ts";
import { withoutLeadIn } from "../notes/wording/lead-ins.ts";

/** A title, not a sentence: the file name carries it, and the index shows it. */
const WORD_LIMIT = 6;
const LENGTH_LIMIT = 44;
/** Scripts without spaces say in one character what takes a word elsewhere. */
const SPACELESS_LIMIT = 16;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A name in kebab-case from the words of the main clause, in their order; the same for the same text. */
export function nameNote(text: string, type: NoteType, kind: Verdict["kind"]): string {
  const spaceless =
    (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) * 3 > text.length;
  const name = spaceless ? spacelessName(text) : spacedName(text, type, kind);
  return name === "" ? `${type}-note` : name;
}

function spacelessName(text: string): string {
  const clauses = withoutLeadIn(text)
    .split(/[，,。；;：:！!？?]/u)
    .map((clause) => clause.trim().replace(/^(?:你|请|我们|还|也)(?=\p{Script=Han}{3})/u, ""))
    .filter((clause) => clause !== "");
  const [first = "", second] = clauses;
  const conditional = /^(?:下次|如果|当|每次|每当|次回|もし)/u.test(first);
  const clause = second !== undefined && (first.length < 5 || conditional) && second.length >= 5 ? second : first;
  const joined = clause
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const cut = [...joined].slice(0, SPACELESS_LIMIT).join("");
  return (cut === joined ? cut : cut.replace(/-.?$/u, "")).replace(/^-+|-+$/gu, "");
}

function spacedName(text: string, type: NoteType, kind: Verdict["kind"]): string {
  const prose = plainProse(text);
  const clauses = clausesOf(kind === "identity" ? fromSelf(prose) : prose, type);
  let words: readonly string[] = [];
  let chosen = "";
  for (const clause of clauses) {
    chosen = chosen === "" ? clause : `${chosen} ${clause}`;
    words = wordsIn(chosen);
    if (words.filter((word) => !DANGLING_WORDS.has(word) && !FILLERS.has(word)).length >= 2) break;
  }
  const whole = trimEnds(words.filter((word) => !FILLERS.has(word)));
  if (fits(whole)) return whole.join("-");
  const bare = trimEnds(whole.filter((word) => !ARTICLES.has(word)));
  return fits(bare) ? bare.join("-") : firstThatFit(bare).join("-");
}

/** "Since I'm alone here, keep it simple": who somebody is comes before what follows from it. */
function fromSelf(prose: string): string {
  const at = prose.search(/(?<![\p{L}\p{N}'’])i(?:['’](?:m|ve))?(?![\p{L}\p{N}'’])/iu);
  return prose.slice(Math.max(at, 0)).replace(/\s+so\s+/iu, ", ");
}

/** Without what a title cannot hold: brackets, dates, addresses beyond their host, hedges. */
function plainProse(text: string): string {
  return withoutLeadIn(text)
    .replace(/\([^)]*\)/gu, " ")
    .replace(/\bhttps?:\/\/([^\s/:?#"'`)]+)[^\s"'`)]*/giu, "$1")
    .replace(/(?<![\w/.])([a-z][\w-]*)(?:\.[a-z][\w-]*)+\/[\w./#?=&%-]+/giu, "$1")
    .replace(/\b\d{4}-\d{2}-\d{2}\b/gu, " ")
    .replace(DATES, " ")
    .replace(/\b(?:is|are|was) +(?=(?:and|but|or)\b|[,.;]|$)/giu, "")
    .replace(HEDGES, " ")
    .replace(/[`"“”«»]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

const DATES =
  /\b(?:around |by |on |since |before |after )?(?:(?:last|next|this|coming) (?:week|month|year|quarter|weekend|sprint)|yesterday|today|tomorrow|tonight|(?:in|for|within|over) (?:\d+|a|one|two|three|four|five|six|a few|a couple of) (?:days?|weeks?|months?)|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)\b(?: \d{4}\b)?/giu;
const HEDGES =
  /(?<![\p{L}\p{N}])(?:from now on|going forward|moving forward|from here on(?: out)?|for now|at the moment|for the moment|in general|as always|in (?:the )?future|as well|for everything|if possible|in (?:this|our|my) (?:repo|repository|project|codebase|team|company)|a partir de (?:ahora|agora)|de (?:ahora en|agora em) (?:adelante|diante)|ab (?:jetzt|sofort)(?: bitte)?|d[ée]sormais|dorénavant|od teraz|отныне|впредь)(?![\p{L}\p{N}]),?/giu;

/** Clauses in order, the main one first: a condition in front ("When I say release, …") moves behind it. */
function clausesOf(prose: string, type: NoteType): readonly string[] {
  const clauses = prose
    .split(
      /[,;]\s+(?!(?:not|never)\b)|(?<!\d)[:;](?=\s)|\s+[–—-]+\s+|[.!?…](?=\s|$)|\s+(?=(?:because|since|so (?:that|we|you|i|it|they|the|don['’]t)|otherwise|and (?:does|do|is|are|don['’]t|then|we|i|you|it|also|never|always))\b)/iu,
    )
    .map((clause) => withoutOpening(withoutLeadIn(clause), type))
    .filter((clause) => clause !== "");
  const main = clauses.findIndex((clause) => !CONDITION.test(clause));
  return main > 0 ? [...clauses.slice(main), ...clauses.slice(0, main)] : clauses;
}

const CONDITION =
  /^(?:when(?:ever)?|if|since|as|because|before|after|while|once|for|in|instead of|rather than|although|next time|every time|each time|wenn|falls|bevor|quand|si|avant|cuando|antes de|se|quando|если|когда|перед|jeśli|gdy|zanim)(?![\p{L}'’-])/iu;

/** How sentences to an agent begin before they say what they want. */
const OPENINGS: readonly RegExp[] = [
  /^(?:(?:could|can|would|will) you|you can) (?:please )?/iu,
  /^(?:and|but|so|then|also|just)\s+/iu,
  /^i (?:told|asked) you (?:to|that)\s+/iu,
  /^i(?:['’]d| would)? (?:also |really |just )?(?:like|love|want|need)(?: (?:for )?(?:you|this|it))? to (?:eventually )?(?:be )?/iu,
  /^(?:the|our|my) (?:\S+ )?(?:goal|plan|idea|decision) is to\s+/iu,
  /^(?:i|we)(?:['’](?:m|re)| am| are) going to\s+/iu,
  /^(?:this|it|that)(?:['’]s| is)\s+(?=\S+ \S+)/iu,
  /^(?:i|we)(?:['’]d)? (?:would )?(?:really |strongly |much |generally |usually )*prefer\s+/iu,
  /^(?:make sure|be sure|ensure)(?: to| that)?\s+/iu,
  /^it(?:['’]s| is) (?:very |really )?(?:important|crucial) (?:that|to)\s+/iu,
  /^let['’]?s\s+/iu,
  /^there(?:['’]?s| is| are)\s+/iu,
  /^(?:i|we)(?:['’](?:m|re)| am| are)(?: (?:the|an?)(?= ))?\s+/iu,
  /^(?:i|we)(?:['’]ve| have) (?:been )?(?:just |all )?/iu,
  /^(?:i|we|you)(?:['’]ll)?\s+(?!['’])/iu,
  /^(?:the|an?|our|my)\s+(?=\S+ \S+)/iu,
];

function withoutOpening(clause: string, type: NoteType): string {
  // A fact about a person must not read as an order: "does not know bash", not "do not know bash".
  let rest = type === "user" ? clause.replace(/^i (?:don['’]?t|do not)\s/iu, "does not ") : clause;
  for (const opening of [...OPENINGS, ...OPENINGS]) rest = rest.replace(opening, "");
  return rest.trim();
}

function wordsIn(clause: string): readonly string[] {
  const spelled = clause
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/(?<=\b[cf])#/gu, "sharp")
    .replace(/\bc\+\+/gu, "cpp")
    .replace(/(?<=[\p{L}\p{N}])\+(?=\p{N})/gu, " plus ")
    .replace(/\bdon'?t\b/gu, "do not")
    .replace(/\bwon't\b/gu, "will not")
    .replace(/\bcan't\b|\bcannot\b/gu, "can not")
    .replace(/n't\b/gu, " not")
    .replace(/(?<=\p{L})'(?:m|re|s|ve|d|ll)\b/gu, "");
  return (spelled.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['_./-]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu) ?? []).map(
    (word) => word.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-"),
  );
}

const ARTICLES = new Set("a an the i you our my your their this that very".split(" "));
const FILLERS = new Set(
  "really very just simply actually basically please also too anyway successfully kind sort".split(" "),
);
function trimEnds(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 1 && DANGLING_WORDS.has(words[end - 1] ?? "")) end--;
  return words.slice(0, end);
}

/** "do not", "no need" and the like count as one word: the limit must not cost the negation. */
function weigh(words: readonly string[]): number {
  return words.length - words.filter((word, index) => word === "not" && index > 0).length - (words[0] === "no" ? 1 : 0);
}

function fits(words: readonly string[]): boolean {
  return weigh(words) <= WORD_LIMIT && words.join("-").length <= LENGTH_LIMIT;
}

/** As many words as fit; a tail that a preposition opens and that was cut short goes with it. */
function firstThatFit(words: readonly string[]): readonly string[] {
  let count = 1;
  while (count < words.length && fits(words.slice(0, count + 1))) count++;
  const kept = words.slice(0, count);
  const opener = kept.findLastIndex((word) => DANGLING_WORDS.has(word));
  const cut = opener >= 3 && count - opener <= 2 ? kept.slice(0, opener) : kept;
  // A negation whose object did not fit would deny what stands before it.
  const shortened = count < words.length && /^(?:not|never|no)$/u.test(cut.at(-1) ?? "") ? cut.slice(0, -1) : cut;
  return trimEnds(shortened).map((word) =>
    SPACELESS.test(word) ? [...word].slice(0, SPACELESS_LIMIT).join("") : word.slice(0, LENGTH_LIMIT),
  );
}
