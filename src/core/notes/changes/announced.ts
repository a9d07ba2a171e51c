import list from "./announced.json" with { type: "json" };
import { contentOf, type Said, type Token } from "./reading.ts";

/** Of what the older note speaks of, so much stands in the new statement. */
const LEAST_SHARED = 2;
const CLEAR = 0.6;
const LIKELY = 0.45;

/** Sentences beside the first. */
const MOST_BESIDE = 1;

/**
 * A statement that says in its own words that something changed, and speaks of most of what a note speaks of: the order of
 * its words does not matter. `undefined` where it announces nothing, or speaks of too little of it.
 */
export function announcedChange(after: Said, before: Said): "replaces" | "contradicts" | undefined {
  if (before.isEnded || before.dropped !== undefined || before.from !== undefined) return undefined;
  if (!announces(after) || before.more > MOST_BESIDE) return undefined;
  const leaves = leaving().test(after.whole);
  if (!leaves && gathers(after.all)) return undefined;
  const [old, now] = [termsOf(before.clause), termsOf(after.all)];
  const shared = [...old.keys()].filter((term) => now.has(term));
  const share = shared.length / old.size;
  if (shared.length < LEAST_SHARED || share < LIKELY || hasOtherSetting(before.clause, after.all)) return undefined;
  const left = [...old].flatMap(([term, token]) => (now.has(term) ? [] : [token]));
  const fresh = [...now].flatMap(([term, token]) => (old.has(term) ? [] : [token]));
  const hasOther = left.some((token) => fresh.some((one) => areOfOneKind(token, one)));
  return hasOther || (leaves && share >= CLEAR) ? "replaces" : share >= CLEAR ? "contradicts" : undefined;
}

/**
 * Whether a statement announces a change and shares a word with a note: too little to judge by rules, enough to ask the
 * agent that heard the person.
 */
export function mayConcern(after: Said, before: Said): boolean {
  if (before.isEnded || !announces(after)) return false;
  const [old, now] = [termsOf(before.clause), termsOf(after.all)];
  return !hasOtherSetting(before.all, after.all) && [...old.keys()].some((term) => now.has(term));
}

/** In its own words, and it is no account of many sentences, of which one may say that something changed. */
function announces({ more, whole }: Said): boolean {
  return more <= MOST_BESIDE && (leaving().test(whole) || since().test(whole));
}

/** "The app now supports Windows": several hold at once. */
function gathers(tokens: readonly Token[]): boolean {
  return tokens.some(({ written }) => GATHERING.has(written.toLowerCase()));
}

const GATHERING: ReadonlySet<string> = new Set(list.gathering.split(" "));

/** What a statement speaks of, by term; scripts that write no spaces by pairs of characters. */
function termsOf(tokens: readonly Token[]): ReadonlyMap<string, Token> {
  const terms = new Map<string, Token>();
  for (const token of contentOf(tokens)) {
    if (LIGHT.has(token.written.toLowerCase())) continue;
    const parts = UNSPACED.test(token.term) ? pairsOf(token.term) : [token.term];
    for (const part of parts) terms.set(part, token);
  }
  return terms;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

function pairsOf(text: string): readonly string[] {
  return [...text].slice(1).map((character, at) => `${[...text][at] ?? ""}${character}`);
}

/** An environment, a place, a component or people that only the new statement names. */
function hasOtherSetting(before: readonly Token[], after: readonly Token[]): boolean {
  const old = new Set(before.map(({ term }) => term));
  return after.some(({ isSetting, term, written }) => isSetting && !old.has(term) && !WHEN.has(written.toLowerCase()));
}

const WHEN: ReadonlySet<string> = new Set(["before", "after", "until", "only", "while", "during"]);

/** A time and a time, a number and a number, a name and a name. */
function areOfOneKind(one: Token, other: Token): boolean {
  return one.kind === other.kind && (one.kind !== "word" || (one.isName && other.isName));
}

const LIGHT: ReadonlySet<string> = new Set(list.light.split(" "));

const [leaving, since] = [whenAsked(list.leaving), whenAsked(list.since)];

/** Made when first asked for: most commands judge no statement, and every one would pay for it. */
function whenAsked(phrases: readonly string[]): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= patternOf(phrases));
}

function patternOf(phrases: readonly string[]): RegExp {
  const said = phrases.map((phrase) => {
    const words = phrase
      .replaceAll(/[.+?^${}()|[\]\\]/gu, "\\$&")
      .replaceAll(/(?<=\S)\*/gu, "\\p{L}*")
      .replaceAll(" * ", " (?:\\S+ ){1,4}")
      .replaceAll("'", "['’]");
    return UNSPACED.test(phrase) ? words : `(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(said.join("|"), "iu");
}
