import { exchangeIn, placesIn } from "../wording/exchange.ts";
import { ARTICLES } from "./grammar.ts";
import { ALIKE, isMeasure, isName, type Pair } from "./pair.ts";
import { nameOpposites } from "./poles.ts";
import lists from "./values.json" with { type: "json" };
import { areOfOneTopic, likeness, type Word, type Wording } from "./wording.ts";

/**
 * Whether two statements share their words but not what they say of each: "Alice reviews Bob's code", "Bob reviews
 * Alice's code"; "security and legal", "security or legal"; "X calls Y", "X is called by Y"; "dropped", "will drop".
 */
export function isRearranged({ after, before }: Pair): boolean {
  if ([EITHER, FUTURE].some((words) => hasOneOf(words, after) !== hasOneOf(words, before))) return true;
  if (joinsOthers(after, before) || nameOpposites(after.stance(), before.stance())) return true;
  const [now, then] = [sharedIn(after, before), sharedIn(before, after)];
  const places = placesIn(now, then, (one, other) => isAlike(one.word, other.word));
  if (now.length !== places.length) return false;
  // "Service 0-1", "service 1-0"
  if (!isAscending(places.filter((_, at) => /^\d/u.test(now[at]?.word.term ?? "")))) return true;
  if (isTurned(after) !== isTurned(before)) return isPlain(places);
  const exchange = exchangeIn(places);
  if (exchange === undefined || hasCases(after) || movesWhole(after, before)) return false;
  // "The seed is 7", "7 is the seed"; "Marcos mantiene los paquetes", "los paquetes los mantiene Marcos".
  const kinds = [exchange.first, exchange.last].map((at) => kindOf(now[at]?.word, then[places[at] ?? -1]?.word));
  if (kinds[0] !== kinds[1]) return false;
  const areMarkedAlike = (at: number, other: number): boolean => now[at]?.mark === then[places[other] ?? -1]?.mark;
  return areMarkedAlike(exchange.first, exchange.last) && areMarkedAlike(exchange.last, exchange.first);
}

/** A word that both statements have, and the light words before it, articles aside, which tell what it does. */
interface Marked {
  readonly word: Word;
  readonly mark: string;
}

function sharedIn({ words }: Wording, other: Wording): readonly Marked[] {
  const found: Marked[] = [];
  let mark: string[] = [];
  for (const word of words) {
    if (word.isLight && !ARTICLES.has(word.lower)) mark.push(word.lower);
    if (word.isLight) continue;
    if (other.words.some((one) => !one.isLight && isAlike(one, word))) found.push({ word, mark: mark.join(" ") });
    mark = [];
  }
  return found;
}

/** Words of one topic, such as "start" and "run", are two words in one sentence. */
function isAlike(one: Word, other: Word): boolean {
  return one.term === other.term || (!areOfOneTopic(one, other) && likeness(one, other) >= ALIKE);
}

/** In their order, and more than two of them. */
function isPlain(places: readonly number[]): boolean {
  return places.length > 2 && isAscending(places);
}

function isAscending(places: readonly number[]): boolean {
  return places.every((place, at) => place > (places[at - 1] ?? -1));
}

/** "Before you restart, migrate", "before you migrate, restart": another of their words follows one that joins. */
function joinsOthers(after: Wording, before: Wording): boolean {
  const then = joinedIn(before);
  return [...joinedIn(after)].some(([joint, word]) => {
    const other = then.get(joint);
    const isKnown = before.words.some((one) => !one.isLight && isAlike(one, word));
    return other !== undefined && !isAlike(other, word) && isKnown;
  });
}

/** What a word is in either statement: at its beginning, a capital letter does not make a name. */
function kindOf(one: Word | undefined, other: Word | undefined): "measure" | "name" | "word" {
  const is = (test: (word: Word) => boolean): boolean => [one, other].some((word) => word !== undefined && test(word));
  return is(isMeasure) ? "measure" : is(isName) ? "name" : "word";
}

/** "Plan before you apply", "before you apply, plan": a part that a word joins moved as a whole. */
function movesWhole(after: Wording, before: Wording): boolean {
  const then = partsJoined(before);
  return [...partsJoined(after)].some(([joint, part]) => {
    const other = then.get(joint) ?? [];
    const isWithin = (words: readonly Word[], all: readonly Word[]): boolean =>
      words.length > 0 && words.every((word) => all.some((one) => isAlike(one, word)));
    return isWithin(part, other) && isWithin(other, part);
  });
}

/** For each word that joins, the words with a meaning from there to the end of its clause. */
function partsJoined({ clauses }: Wording): ReadonlyMap<string, readonly Word[]> {
  return new Map(
    clauses().flatMap(({ words }) =>
      words.flatMap(({ lower }, at) =>
        JOINING.has(lower) ? [[lower, words.slice(at + 1).filter(({ isLight }) => !isLight)] as const] : [],
      ),
    ),
  );
}

/** For each word that joins and is there once, the next word with a meaning. */
function joinedIn({ words }: Wording): ReadonlyMap<string, Word> {
  const found = new Map<string, Word>();
  const twice = new Set<string>();
  for (const [at, { lower }] of words.entries()) {
    const next = JOINING.has(lower) ? words.slice(at + 1).find(({ isLight }) => !isLight) : undefined;
    if (next === undefined) continue;
    if (found.has(lower)) twice.add(lower);
    found.set(lower, next);
  }
  return new Map([...found].filter(([lower]) => !twice.has(lower)));
}

/** Endings tell who does what to whom, so the order is free. */
function hasCases({ grams }: Wording): boolean {
  return [...grams].some((gram) => CASES.test(gram));
}

const CASES = /[\p{sc=Cyrillic}\p{sc=Hangul}\p{sc=Hiragana}ąćęłńśźż]/u;

function hasOneOf(wanted: ReadonlySet<string>, { words }: Wording): boolean {
  return words.some(({ lower }) => wanted.has(lower));
}

const JOINING: ReadonlySet<string> = new Set(lists.joining.split(" "));
/** "We dropped it", "we will drop it". */
const FUTURE: ReadonlySet<string> = new Set(lists.future.split(" "));
const EITHER: ReadonlySet<string> = new Set(lists.either.split(" "));
/** "Edited by Ann", but not "edited by hand". */
function isTurned({ words }: Wording): boolean {
  return words.some(({ lower }, at) => TURNING.has(lower) && !NOT_TURNED.has(words[at + 1]?.lower ?? ""));
}

const NOT_TURNED: ReadonlySet<string> = new Set(lists["not turned"].split(" "));
/** Words of the passive. */
const TURNING: ReadonlySet<string> = new Set(lists.turning.split(" "));
