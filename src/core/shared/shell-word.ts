/** Quoted where a shell would take it apart. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.:/@+,-]+$/u.test(text) && !text.startsWith("-")
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
