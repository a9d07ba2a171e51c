/** Quoted if a shell would split or interpret it. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.:/@+,-]+$/u.test(text) && !text.startsWith("-")
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
