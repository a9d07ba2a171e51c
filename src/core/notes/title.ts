import { cutAtWord, oneLine } from "../shared/text.ts";
import { DANGLING_WORDS, NEGATIONS } from "./dangling-words.ts";
import { headline } from "./headline.ts";

/** A text of at most this length is its own title (characters). */
const WHOLE = 60;
/** A title that is cut out of a longer text leaves room in an index line for the rest of it. */
const CUT = 48;
const DESCRIPTION = 300;
/** Scripts without spaces say in one character what takes a word elsewhere: there a title is this long. */
const SPACELESS_LIMIT = 24;
const SPACELESS = /^[^\s]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][^\s]*$/u;

/** A name for a text that nobody named: its first line, else its first sentence or clause, else cut at a word. */
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

/** The line beside a name: what the text says and the name does not, else its first sentence. */
export function describeBeside(name: string, prose: string): string {
  const line = firstLineOf(prose);
  const sentence = firstSentence(line);
  if (spelled(name) !== spelled(sentence)) return describe(prose);
  const rest =
    line.slice(sentence.length).trim() || firstLineOf(prose.split("\n").slice(lineCount(prose, line)).join("\n"));
  return rest === "" ? describe(prose) : describe(rest);
}

/** A text in one line: its first sentence. */
export function describe(prose: string): string {
  return cutAtWord(withoutStop(oneLine(firstSentence(firstLineOf(prose)))), DESCRIPTION);
}

/** `description` without the beginning that a title shows already; empty when the title shows all of it. */
export function beyondTitle(title: string, description: string): string {
  const words = description.split(" ");
  let said = "";
  for (const [at, word] of words.entries()) {
    said = said === "" ? word : `${said} ${word}`;
    if (spelled(said).length < spelled(title).length) continue;
    if (spelled(said) !== spelled(title)) return description;
    const rest = words.slice(at + 1).join(" ");
    return rest === "" ? "" : `…${rest}`;
  }
  return description;
}

/** The first line with words in it, without the marks of Markdown before them. */
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

function firstSentence(line: string): string {
  return /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
}

function withoutStop(text: string): string {
  return text.replace(/[.。]$/u, "");
}

/** As many words as fit, without an end that hangs in the air. */
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

/** Letters and digits only: a name in kebab-case and the sentence that it was made from are the same. */
function spelled(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
