import { ARTICLES, PREPOSITIONS } from "./grammar.ts";
import { isOfLetters, likeness, type Word, type Wording } from "./wording.ts";

/** Two wordings, and the words that only one of them has. */
interface Compared {
  readonly after: Wording;
  readonly before: Wording;
  readonly onlyBefore: readonly Word[];
  readonly onlyAfter: readonly Word[];
}

/**
 * Where two statements name different things in the same place: "tax API" and "shipping API" (`modifier`), "for Berlin"
 * and "for Rome" (`preposition`), "Bezahlmodul" and "Berichtsmodul" (`compound`). `early`: in the first half of both,
 * where the subject is.
 */
export function contrastsOf({ before, after, onlyBefore, onlyAfter }: Compared): ReadonlySet<string> {
  const found = new Set<string>();
  const [isOld, isNew] = [oneOf(onlyBefore), oneOf(onlyAfter)];
  for (const [i, then] of before.words.entries()) {
    if (then.isLight) continue;
    for (const [j, now] of after.words.entries()) {
      if (now.isLight) continue;
      const place = `${half(before.words, i)} ${half(after.words, j)}`;
      const modifiers = [before.words[i - 1], after.words[j - 1]] as const;
      if (areApart(modifiers, isOld, isNew) && likeness(then, now) >= 0.8) {
        const isValue = modifiers[0]?.kind !== "word" && modifiers[0]?.kind !== "name";
        found.add(isValue ? "modifying value" : "modifier");
        if (!isValue) addPlace(found, "modifier", place);
      }
      if (!isOld(then) || !isNew(now)) continue;
      const preposition = prepositionAt(before.words, i);
      if (preposition !== undefined && preposition === prepositionAt(after.words, j)) {
        for (const name of ["preposition", `preposition ${then.kind} ${now.kind}`, `preposition ${preposition}`])
          found.add(name);
        addPlace(found, "preposition", place);
      }
      if (isOfLetters(then) && isOfLetters(now) && areCompounds(then.lower, now.lower))
        for (const name of ["compound", "early"]) found.add(name);
    }
  }
  return found;
}

function oneOf(words: readonly Word[]): (word: Word) => boolean {
  const all = new Set(words.map(({ lower }) => lower));
  return ({ lower }) => all.has(lower);
}

function half(words: readonly Word[], at: number): "first" | "second" {
  return at < words.length / 2 ? "first" : "second";
}

function addPlace(found: Set<string>, name: string, place: string): void {
  found.add(`${name} ${place}`);
  if (place === "first first") found.add("early");
}

type Test = (word: Word) => boolean;

function areApart([old, fresh]: readonly [Word | undefined, Word | undefined], isOld: Test, isNew: Test): boolean {
  return old !== undefined && fresh !== undefined && !old.isLight && !fresh.isLight && isOld(old) && isNew(fresh);
}

/** The preposition before a word, with or without an article between them. */
function prepositionAt(words: readonly Word[], at: number): string | undefined {
  const [previous, earlier] = [words[at - 1]?.lower, words[at - 2]?.lower];
  if (previous === undefined || PREPOSITIONS.has(previous)) return previous;
  return earlier !== undefined && ARTICLES.has(previous) && PREPOSITIONS.has(earlier) ? earlier : undefined;
}

const LONG_END = 5;

function areCompounds(one: string, other: string): boolean {
  const least = Math.min(one.length, other.length);
  return (
    least > LONG_END && one.slice(-LONG_END) === other.slice(-LONG_END) && !one.endsWith(other) && !other.endsWith(one)
  );
}
