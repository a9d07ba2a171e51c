/** Words of one meaning, by language: alternatives as in a regular expression. Scripts without spaces stand in `cjk`. */
export interface WordTable {
  readonly words: Readonly<Record<string, string>>;
  /** Chinese, Japanese, Korean: found anywhere, since nothing marks where a word begins. */
  readonly cjk?: string;
}

/** One pattern of a table, whole words only. */
export function patternOf({ words, cjk }: WordTable): RegExp {
  const whole = `(?<![\\p{L}\\p{N}_])(?:${Object.values(words).join("|")})(?![\\p{L}\\p{N}_])`;
  return new RegExp(cjk === undefined ? whole : `${whole}|${cjk}`, "iu");
}

/** The same at the beginning of a sentence. */
export function startOf({ words, cjk }: WordTable): RegExp {
  const whole = `(?:${Object.values(words).join("|")})(?![\\p{L}\\p{N}_])`;
  return new RegExp(cjk === undefined ? `^${whole}` : `^(?:${whole}|${cjk})`, "iu");
}
