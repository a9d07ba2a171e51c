import table from "./personal.json" with { type: "json" };

/**
 * An e-mail address; neither the login in an address of a server (`https://bob@host`, `git@host:path`) nor the name of a
 * picture of double size (`@2x.png`) or of a unit of systemd.
 */
const ADDRESS =
  /(?<![\p{L}\p{N}._%+-]|:\/\/[^\s/]*)[\p{L}\p{N}._%+-]+@(?!\dx\.)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?!(?:service|timer|socket|target|mount)(?!\p{L}))\p{L}{2,}(?![\p{L}\p{N}.-]*:[\w~/])/gu;

const SENTENCE = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${Object.values(table.words).join("|")})(?![\\p{L}\\p{N}_])|${table.cjk}`,
  "giu",
);

/** What others must not see of a text: e-mail addresses, and beginnings of sentences such as "my manager is …". */
export function personalIn(text: string): readonly string[] {
  return [ADDRESS, SENTENCE].flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found));
}
