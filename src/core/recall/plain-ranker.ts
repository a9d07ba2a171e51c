const COMMON_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or our " +
    "please should so some than that the their them then there these they this to us was we were what when where which who why will with would you your"
  ).split(" "),
);

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/**
 * The baseline that recall is measured against: plain BM25 over whole files, common English words left out, no
 * stemming, no fields. Gives the keys of texts that share a word with the prompt, best first.
 */
export function plainRanker(texts: ReadonlyMap<string, string>): (prompt: string) => readonly string[] {
  const counted = [...texts].map(([key, text]) => {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { key, counts, length: words.length };
  });
  const average = Math.max(1, counted.reduce((total, { length }) => total + length, 0) / Math.max(1, counted.length));
  const frequency = new Map<string, number>();
  for (const { counts } of counted)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => {
    const present = frequency.get(word) ?? 0;
    return Math.log(1 + (counted.length - present + 0.5) / (present + 0.5));
  };
  return (prompt) => {
    const words = [...new Set(wordsOf(prompt))];
    const scoreOf = ({
      counts,
      length,
    }: {
      readonly counts: ReadonlyMap<string, number>;
      readonly length: number;
    }): number =>
      words.reduce((score, word) => {
        const count = counts.get(word) ?? 0;
        return (
          score +
          (weightOf(word) * count * (SATURATION + 1)) /
            (count + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average))
        );
      }, 0);
    return counted
      .map((text) => ({ key: text.key, score: scoreOf(text) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
      .map(({ key }) => key);
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON_WORDS.has(word));
}
