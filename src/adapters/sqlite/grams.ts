/** Bytes that a search never asks for: JSON's own, and what its writers may escape. */
const PASSED_OVER: ReadonlySet<number> = new Set([34, 38, 60, 62, 92, 127]);

/** Each byte as it is indexed: ASCII letters small, 0 for what is passed over. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 || PASSED_OVER.has(byte) ? 0 : byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

/** One bit for each three bytes, and the words that stand for them. */
const seen = new Uint8Array(1 << 21);
const words = new Map<number, string>();

/** Every three bytes in a row that a text has, each once, as words for the index. */
export function addGrams(bytes: Uint8Array): string {
  const grams = distinctGrams(bytes);
  return grams.map(wordOf).join(" ");
}

/** The query for texts that may have `text` in them; `undefined` where it is too short to be looked up. */
export function queryOfGrams(text: string): string | undefined {
  const grams = distinctGrams(Buffer.from(text));
  return grams.length === 0
    ? undefined
    : grams
        .slice(0, 40)
        .map((gram) => `"${wordOf(gram)}"`)
        .join(" AND ");
}

function distinctGrams(bytes: Uint8Array): number[] {
  const grams: number[] = [];
  let gram = 0;
  let length = 0;
  for (const byte of bytes) {
    const folded = FOLDED[byte] ?? 0;
    if (folded === 0) {
      length = 0;
      continue;
    }
    gram = ((gram << 8) | folded) & 0xffffff;
    if (++length < 3) continue;
    const at = gram >> 3;
    const bit = 1 << (gram & 7);
    const before = seen[at] ?? 0;
    if ((before & bit) !== 0) continue;
    seen[at] = before | bit;
    grams.push(gram);
  }
  for (const one of grams) seen[one >> 3] = 0;
  return grams;
}

function wordOf(gram: number): string {
  const known = words.get(gram);
  if (known !== undefined) return known;
  const word = gram.toString(36);
  words.set(gram, word);
  return word;
}
