import { cutAtWord, oneLine } from "../shared/text.ts";

/**
 * Where a sentence can stop and still be one. What changes the sense when it is lost (", not …", "unless",
 * "if", "instead of") is not such a place.
 */
const CLAUSE_END =
  /(?:\s*[,;]\s+(?!\S+(?: \S+)?(?:,| and | or ))(?!(?:not|never|nor|no|but not|and not|rather|instead|except|unless|until|only|if|when|whenever|or|with|without|like|such|including|e\.g|i\.e)\b)|\s+[–—-]\s+(?!not\b|never\b)|:\s+(?=\S+ \S+)|\s+(?=(?:because|since|so that|so (?:we|you|i|it|they|the|that|don['’]t)|otherwise|and (?:then|we|i|you|it|they|also|don['’]t|do not|never|always|please))\b)|[，；;])/giu;
/** "When …," and its like: the clause that it belongs to is still to come. */
const SUBORDINATE =
  /^(?:(?:and|but|so) )?(?:when(?:ever)?|if|since|as|because|before|after|while|once|for|in|on|at|instead of|rather than|although|unless|next time|from now on|wenn|falls|quand|si|avant|cuando|se|quando|antes|если|когда|jeśli|gdy|如果|当|每次|下次)(?![\p{L}'’-])/iu;
const SHORTEST = 24;

/** One line of at most `limit` characters: whole, else its first sentences, else its main clause, else cut. */
export function headline(text: string, limit: number): string {
  const line = oneLine(text);
  if (line.length <= limit) return line;
  const sentences = firstSentences(line, limit);
  if (sentences !== undefined) return sentences;
  const clause = mainClause(line, limit);
  return clause ?? cutAtWord(line, limit);
}

function firstSentences(line: string, limit: number): string | undefined {
  const ends = [...line.matchAll(/[.!?](?=\s+[\p{Lu}\p{Lo}`"“])|[。！？]/gu)]
    .map((match) => match.index + 1)
    .filter((end) => end <= limit && end >= SHORTEST);
  const end = ends.at(-1);
  return end === undefined ? undefined : line.slice(0, end);
}

/** The longest beginning that is a sentence of its own; `undefined` when none fits. */
function mainClause(line: string, limit: number): string | undefined {
  const places = [...line.matchAll(CLAUSE_END)].filter((match) => !isInside(line.slice(0, match.index)));
  const end = places.findLast(({ index, 0: mark }, at) => {
    const before = places[at - 1];
    const last = before === undefined ? line : line.slice(before.index + before[0].length);
    // After a colon commas part the items of a list.
    const inList = mark.startsWith(",") && places.slice(0, at).some((place) => place[0].startsWith(":"));
    return index <= limit - 1 && index >= SHORTEST && !inList && !SUBORDINATE.test(last);
  })?.index;
  if (end === undefined) return undefined;
  const head = line.slice(0, end).trimEnd();
  return /[.!?。！？)"”]$/u.test(head)
    ? head
    : `${head}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(head) ? "。" : "."}`;
}

/** Whether a text stops within brackets, a quotation or code. */
function isInside(head: string): boolean {
  const count = (pattern: RegExp): number => head.match(pattern)?.length ?? 0;
  return count(/[([]/gu) > count(/[)\]]/gu) || count(/["`]/gu) % 2 === 1 || count(/“/gu) > count(/”/gu);
}
