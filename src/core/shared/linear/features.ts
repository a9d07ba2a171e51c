/** Names of features, each with how much of it there is. */
export type Features = Map<string, number>;

/** A number so large as the largest of the feature that was seen. */
function note(features: Features, name: string, amount: number): void {
  if (amount > (features.get(name) ?? 0)) features.set(name, amount);
}

/** Divides by the length, so that a long text has no more to say than a short one. */
export function ofLengthOne(features: Features): Features {
  let squares = 0;
  for (const amount of features.values()) squares += amount * amount;
  const length = Math.sqrt(squares);
  return length === 0 ? features : new Map([...features].map(([name, amount]) => [name, amount / length]));
}

/** How much each kind of feature counts; 0 leaves it out. */
export interface TextFeatures {
  readonly word: number;
  readonly pair: number;
  /** The first word and the first two. */
  readonly start: number;
  /** Pieces of a word, its beginning and end marked, of `from` to `to` characters. */
  readonly piece: { readonly from: number; readonly to: number; readonly amount: number };
  /** Pieces of Chinese, Japanese and Korean, of one to so many characters. */
  readonly unspaced: { readonly to: number; readonly amount: number };
}

/** What a text is made of. What is to be seen alike (numbers, names of code) must be replaced before. */
export function textFeatures(text: string, amounts: TextFeatures): Features {
  const features: Features = new Map();
  const words = wordsOf(text);
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    note(features, `w:${word}`, amounts.word);
    if (next !== undefined) note(features, `b:${word} ${next}`, amounts.pair);
    if (at === 0) note(features, `s:${word}`, amounts.start);
    if (at === 0 && next !== undefined) note(features, `s:${word} ${next}`, amounts.start);
    if (UNSPACED.test(word)) notePieces(features, "k", word, { from: 1, ...amounts.unspaced });
    else if (/^[\p{L}\p{N}].+$/u.test(word)) notePieces(features, "c", `^${word}$`, amounts.piece);
  }
  return features;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Words, stand-ins between `⟦⟧` and punctuation, in small letters. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/⟦.⟧|[\p{L}\p{N}\p{M}']+|[.,:;?!()]/gu) ?? []
  );
}

function notePieces(
  features: Features,
  kind: string,
  word: string,
  { from, to, amount }: { readonly from: number; readonly to: number; readonly amount: number },
): void {
  if (amount === 0) return;
  for (let size = from; size <= to; size++)
    for (let at = 0; at + size <= word.length; at++) note(features, `${kind}:${word.slice(at, at + size)}`, amount);
}
