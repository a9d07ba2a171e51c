/**
 * A word that a POSIX shell reads back as `text`. After a `$` the quotes are closed and opened again: some
 * clients put variables of their own into a command before the shell sees it.
 */
export function shellWord(text: string): string {
  return `"${text.replace(/[\\"`]/gu, "\\$&").replace(/\$/gu, '\\$""')}"`;
}

/** The words of a simple command, quotes and backslashes undone; what a shell would expand stays as it is written. */
export function shellWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part, single, double, escaped] of command.matchAll(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|\s+|[^\s'"\\]+|['"\\]/gu)) {
    if (/^\s/u.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (single ?? double?.replace(/\\([\\"`$])/gu, "$1") ?? escaped ?? part);
  }
  return word === undefined ? words : [...words, word];
}
