/** Names of features with their amounts. */
export type Features = Map<string, number>;

/** Keeps the largest amount seen for a feature. */
function note(features: Features, name: string, amount: number): void {
  if (amount > (features.get(name) ?? 0)) features.set(name, amount);
}

/** Scales the amounts to unit length, so that a long text weighs no more than a short one. */
export function ofLengthOne(features: Features): Features {
  let squares = 0;
  for (const amount of features.values()) squares += amount * amount;
  const length = Math.sqrt(squares);
  return length === 0 ? features : new Map([...features].map(([name, amount]) => [name, amount / length]));
}

/** The weight of each kind of feature; 0 leaves the kind out. */
export interface TextFeatures {
  readonly word: number;
  readonly pair: number;
  /** The first word and the first two. */
  readonly start: number;
  /** Three words in a row, and the first and third of them. */
  readonly triple: number;
  /** Pieces of a word, `from` to `to` characters long; its beginning and end are marked. */
  readonly piece: { readonly from: number; readonly to: number; readonly amount: number };
  /** Pieces of Chinese, Japanese and Korean, 1 to `to` characters long. */
  readonly unspaced: { readonly to: number; readonly amount: number };
}

/** The features of a text. The caller first replaces what should count as equal (numbers, names in code). */
export function textFeatures(text: string, amounts: TextFeatures): Features {
  const features: Features = new Map();
  const words = wordsOf(text);
  for (const [at, word] of words.entries()) {
    const [next, third] = [words[at + 1], words[at + 2]];
    note(features, `w:${word}`, amounts.word);
    if (next !== undefined) note(features, `b:${word} ${next}`, amounts.pair);
    if (next !== undefined && third !== undefined) {
      note(features, `t:${word} ${next} ${third}`, amounts.triple);
      note(features, `g:${word} ${third}`, amounts.triple);
    }
    if (at === 0) note(features, `s:${word}`, amounts.start);
    if (at === 0 && next !== undefined) note(features, `s:${word} ${next}`, amounts.start);
    if (UNSPACED.test(word)) notePieces(features, "k", word, { from: 1, ...amounts.unspaced });
    else if (/^[\p{L}\p{N}].+$/u.test(word)) notePieces(features, "c", `^${word}$`, amounts.piece);
  }
  return features;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Words, placeholders between `⟦⟧` and punctuation, in lower case. */
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

/** The weight of each feature, for (positive) or against (negative), and the bias without any. */
export interface LinearWeights {
  readonly bias: number;
  /** 0 for a feature that was not learnt. */
  weightOf(name: string): number;
}

export function scoreOf({ bias, weightOf }: LinearWeights, features: Features): number {
  let score = bias;
  for (const [name, amount] of features) score += amount * weightOf(name);
  return score;
}

/**
 * A few weights in a readable data file: each key is a whole number, in units of `unit`, and its value lists the
 * features with that weight. Names contain spaces, so they are separated by tabs.
 */
export interface NamedWeights {
  readonly bias: number;
  readonly unit: number;
  readonly features: Readonly<Record<string, string>>;
}

/** Scores features for several classes at once, in the order of `classes`; each feature is looked up once. */
export type ClassScores = (features: Features) => Readonly<Float64Array>;

export function namedScores<Class extends string>(
  stored: Readonly<Record<Class, NamedWeights>>,
  classes: readonly Class[],
): ClassScores {
  const weights = new Map<string, Float64Array>();
  for (const [at, one] of classes.entries()) {
    const { unit, features } = stored[one];
    for (const [units, names] of Object.entries(features))
      for (const name of names.split("\t")) {
        const row = weights.get(name) ?? new Float64Array(classes.length);
        row[at] = Number(units) * unit;
        weights.set(name, row);
      }
  }
  return (features) => {
    const scores = Float64Array.from(classes, (one) => stored[one].bias);
    for (const [name, amount] of features) {
      const row = weights.get(name);
      if (row !== undefined)
        for (let at = 0; at < row.length; at++) scores[at] = (scores[at] ?? 0) + amount * (row[at] ?? 0);
    }
    return scores;
  };
}

/** Many weights in a data file: `table` is base64 of the places that have a weight, in order. */
export interface PlacedWeights {
  readonly bias: number;
  readonly unit: number;
  readonly table: string;
}

/** Large enough that few unlearnt features collide with a learnt one. */
const PLACES = 1 << 20;

/** The place of a feature's weight. Storing names instead would make the file four times as long. */
export function placeOf(name: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % PLACES;
}

/** A byte that says that the gap continues. */
const MORE = 255;
const ZERO = 128;

/** Each weight is stored as the gap from the place before it, in steps of 255, followed by the weight itself. */
export function placedWeights({ bias, unit, table: text }: PlacedWeights): LinearWeights {
  const bytes = atob(text);
  const table = new Int8Array(PLACES);
  let place = 0;
  for (let at = 0; at < bytes.length; at++) {
    const gap = bytes.charCodeAt(at);
    place += gap;
    if (gap !== MORE) table[place] = bytes.charCodeAt(++at) - ZERO;
  }
  return { bias, weightOf: (name) => unit * (table[placeOf(name)] ?? 0) };
}
