/**
 * A light stem of an English word: plurals, `-ing`, `-ed`, `-ment`, `-ation` and a final `e` go, so that
 * "deploys", "deploying" and "deployment" meet. Deliberately timid: what is left has three letters or more,
 * and a word with a digit is a name and stays.
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

/** Ending and the fewest letters that must be left; the first that fits is taken. */
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
