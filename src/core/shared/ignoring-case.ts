/**
 * Matching that ignores case with expressions that do not: one with the flags `i` and `u` takes ten times as long to
 * compile. Such an expression is written in small letters and has the flags `d` and `u`.
 */

export type Groups = Readonly<Record<string, string | undefined>>;

/** The named groups as they are written in the text; `undefined` if it does not match. */
export function groupsIn(pattern: RegExp, text: string): Groups | undefined {
  const match = pattern.exec(inSmallLetters(text));
  return match === null ? undefined : asWritten(match, text);
}

/** The named groups of every match, as they are written in the text. */
export function allGroupsIn(pattern: RegExp, text: string): readonly Groups[] {
  return Array.from(inSmallLetters(text).matchAll(pattern), (match) => asWritten(match, text));
}

/** Every character stays at its place: "İ" has two small letters. */
function inSmallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : Array.from(text, smallLetter).join("");
}

function smallLetter(character: string): string {
  const small = character.toLowerCase();
  return small.length === character.length ? small : character;
}

function asWritten({ indices }: RegExpExecArray | RegExpMatchArray, text: string): Groups {
  return Object.fromEntries(
    Object.entries(indices?.groups ?? {}).map(([name, place]) => [name, place && text.slice(...place)]),
  );
}
