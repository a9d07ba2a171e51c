import { once } from "../shared/once.ts";
import { cutAtWord, oneLine } from "../shared/text.ts";
import { REAL_END } from "./wording/sentence-ends.ts";

/** Words that a title cannot end with, because what they belong to would be missing. */
const DANGLING_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the of in on at to for from by with without about into over under and or but nor if when whenever where while as that which who whose than then so " +
    "is are was were be been being am do does did has have had will would should must can could may might shall i you we he she it they our my your their its this these those such " +
    "before after until unless because since like across whether per between during even every each all any some using de la le les el los las un una une der die das den dem und oder y o e et ou à para pour por com con mit für von zu em no na do da os um uma w z i na do że и в на с для по к"
  ).split(" "),
);

/** A title that ends with one of these would negate what comes before. */
const NEGATIONS: ReadonlySet<string> = new Set(["not", "never", "no", "without", "except", "unless"]);

/**
 * Places where a sentence can be cut and remain a sentence. Never before a part whose loss would change the meaning
 * (", not …", "unless", "if", "instead of").
 */
const CLAUSE_END =
  /(?:\s*[,;]\s+(?!\S+(?: \S+)?(?:,| and | or ))(?!(?:not|never|nor|no|but not|and not|rather|instead|except|unless|until|only|if|when|whenever|or|with|without|like|such|including|e\.g|i\.e)\b)|\s+[–—-]\s+(?!not\b|never\b)|:\s+(?=\S+ \S+)|\s+(?=(?:because|since|so that|so (?:we|you|i|it|they|the|that|don['’]t)|otherwise|and (?:then|we|i|you|it|they|also|don['’]t|do not|never|always|please))\b)|[，；;])/giu;

/** "When …," and similar: the main clause is still to come. */
const SUBORDINATE =
  /^(?:(?:and|but|so) )?(?:when(?:ever)?|if|since|as|because|before|after|while|once|for|in|on|at|instead of|rather than|although|unless|next time|from now on|wenn|falls|quand|si|avant|cuando|se|quando|antes|если|когда|jeśli|gdy|如果|当|每次|下次)(?![\p{L}'’-])/iu;

const SHORTEST = 24;

/** One line of at most `limit` characters: all of it, else its first sentences, else its main clause, else cut. */
export function headline(text: string, limit: number): string {
  const line = oneLine(text);
  if (line.length <= limit) return line;
  const sentences = firstSentences(line, limit);
  if (sentences !== undefined) return sentences;
  const clause = mainClause(line, limit);
  return clause ?? cutAtWord(line, limit);
}

const SENTENCES = once(() => new RegExp(String.raw`[.!?](?=\s+[\p{Lu}\p{Lo}\x60"“])${REAL_END}|[。！？]`, "gu"));

function firstSentences(line: string, limit: number): string | undefined {
  const ends = [...line.matchAll(SENTENCES())]
    .map((match) => match.index + 1)
    .filter((end) => end <= limit && end >= SHORTEST);
  const end = ends.at(-1);
  return end === undefined ? undefined : line.slice(0, end);
}

/** The longest beginning that is a complete sentence; `undefined` if none fits. */
function mainClause(line: string, limit: number): string | undefined {
  const places = [...line.matchAll(CLAUSE_END)].filter((match) => !isInside(line.slice(0, match.index)));
  const end = places.findLast(({ index, 0: mark }, at) => {
    const before = places[at - 1];
    const last = before === undefined ? line : line.slice(before.index + before[0].length);
    // After a colon, commas separate list items.
    const inList = mark.startsWith(",") && places.slice(0, at).some((place) => place[0].startsWith(":"));
    return index <= limit - 1 && index >= SHORTEST && !inList && !SUBORDINATE.test(last);
  })?.index;
  if (end === undefined) return undefined;
  const head = line.slice(0, end).trimEnd();
  return /[.!?。！？)"”]$/u.test(head)
    ? head
    : `${head}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(head) ? "。" : "."}`;
}

/** Whether a text ends inside brackets, a quotation or code. */
function isInside(head: string): boolean {
  const count = (pattern: RegExp): number => head.match(pattern)?.length ?? 0;
  return count(/[([]/gu) > count(/[)\]]/gu) || count(/["`]/gu) % 2 === 1 || count(/“/gu) > count(/”/gu);
}

/** A text up to this length is its own title (characters). */
const WHOLE = 60;

/** The length of a title cut from a longer text; it leaves room in an index line for the rest (characters). */
const CUT = 48;

const DESCRIPTION = 300;

/** Title length in scripts without spaces, where one character says as much as a word elsewhere. */
const SPACELESS_LIMIT = 24;

const SPACELESS = /^[^\s]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][^\s]*$/u;

/** A name for a text without one: its first line, else its first sentence or clause, else cut at a word. */
export function titleOf(prose: string): string {
  const line = firstLineOf(prose);
  const isSpaceless = SPACELESS.test(line.slice(0, CUT));
  const whole = isSpaceless ? SPACELESS_LIMIT : WHOLE;
  if (line.length <= whole) return line;
  const sentence = firstSentence(line);
  if (sentence.length <= whole) return withoutStop(sentence);
  if (isSpaceless) return cutAtWord(sentence, SPACELESS_LIMIT, "");
  const clause = headline(sentence, CUT);
  return clause.endsWith("…") ? cutTitle(sentence) : withoutStop(clause);
}

/** The description next to a name: what the text says beyond the name, else its first sentence. */
export function describeBeside(name: string, prose: string): string {
  const line = firstLineOf(prose);
  const sentence = firstSentence(line);
  if (spelled(name) !== spelled(sentence)) return describe(prose);
  const rest =
    line.slice(sentence.length).trim() || firstLineOf(prose.split("\n").slice(lineCount(prose, line)).join("\n"));
  return rest === "" ? describe(prose) : describe(rest);
}

/** A one-line description of a text: its first sentence. */
export function describe(prose: string): string {
  return cutAtWord(withoutStop(oneLine(firstSentence(firstLineOf(prose)))), DESCRIPTION);
}

/** `description` without the beginning that the title already shows; empty if the title shows all of it. */
export function beyondTitle(title: string, description: string): string {
  const wanted = spelled(title);
  let said = "";
  for (let from = 0; from < description.length;) {
    const space = description.indexOf(" ", from);
    const end = space === -1 ? description.length : space;
    said += spelled(description.slice(from, end));
    if (!wanted.startsWith(said)) return description;
    from = end + 1;
    if (said.length === wanted.length) return from < description.length ? `…${description.slice(from)}` : "";
  }
  return description;
}

/** The first line with words in it, without leading Markdown marks. */
function firstLineOf(prose: string): string {
  return (
    prose
      .split("\n")
      .map(withoutMarks)
      .find((line) => line !== "") ?? oneLine(prose)
  );
}

function lineCount(prose: string, line: string): number {
  return prose.split("\n").findIndex((one) => withoutMarks(one) === line) + 1;
}

function withoutMarks(line: string): string {
  return oneLine(line.replace(/^[#>*\s-]+/u, ""));
}

const FIRST = once(() => new RegExp(String.raw`^.*?(?:[.!?](?=\s|$)${REAL_END}|[。！？](?=\s|$))`, "u"));

function firstSentence(line: string): string {
  return FIRST().exec(line)?.[0] ?? line;
}

function withoutStop(text: string): string {
  return text.replace(/[.。]$/u, "");
}

/** As many words as fit, without dangling words at the end. */
function cutTitle(sentence: string): string {
  const words = cutAtWord(sentence, CUT, "").split(" ");
  let end = words.length;
  while (end > 1 && hangs(words[end - 1] ?? "")) end--;
  return words
    .slice(0, end)
    .join(" ")
    .replace(/[\s,;:(–—-]+$/u, "");
}

function hangs(word: string): boolean {
  const bare = word.toLowerCase().replace(/[^\p{L}\p{N}'’]/gu, "");
  return bare === "" || DANGLING_WORDS.has(bare) || NEGATIONS.has(bare) || /n['’]t$/u.test(bare);
}

/** Letters and digits only, so that a kebab-case name equals the sentence it was made from. */
function spelled(text: string): string {
  const lower = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower) ? lower.replace(/[^a-z0-9]+/g, "") : lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
