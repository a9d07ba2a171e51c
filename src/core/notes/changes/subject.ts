import { haveOneMeasure, isName, type Pair } from "./pair.ts";
import { RELATIONS } from "./relations.ts";
import { clauseThatEnds, saidOnlyIn, type Swap, swapsOf } from "./slots.ts";
import lists from "./values.json" with { type: "json" };
import type { Word, Wording } from "./wording.ts";

/**
 * Whether a statement that says what held before says it of another thing than the note: "the Linux build moved from
 * Clang 15 to Clang 17", of a note that the macOS build uses Clang 15; or "no longer 8090", of a note about 8085.
 */
export function isOfAnotherSubject(pair: Pair): boolean {
  const left = leftBehind(pair.after);
  if (left.length === 0) return false;
  const isLeft = ({ term }: Word): boolean => left.some((word) => word.term === term);
  if (!pair.shared.some(isLeft)) return holdsAnother(left, pair);
  const isSubject = ({ old, own, isFirst }: Swap): boolean =>
    isFirst && !isVerb(old) && !isVerb(own) && !haveOneMeasure([own], [own]);
  return swapsOf(pair).some(isSubject) || hasOtherModifier(pair);
}

/** What it turns down, the amounts that it says are over, and what stands between "from" and "to". */
function leftBehind(after: Wording): readonly Word[] {
  const { words, rejected } = after;
  const ended = after.clauses().length > 1 ? (clauseThatEnds(after)?.words ?? []) : [];
  const over = ended.filter((word) => haveOneMeasure([word], [word]));
  return [...words.filter(({ term }) => rejected().has(term)), ...over, ...betweenFromAndTo(words)].filter(isThing);
}

function isThing({ kind, tool, isLight }: Word): boolean {
  return !isLight && (kind !== "word" || tool !== undefined);
}

/** X of "from X to Y", if both are of one kind; in many languages the words for "from" and "to" mean much else. */
function betweenFromAndTo(words: readonly Word[]): readonly Word[] {
  const from = words.findIndex(({ lower }) => FROM.has(lower));
  const to = words.findIndex(({ lower }, at) => at > from && TOWARDS.has(lower));
  if (from === -1 || to === -1 || to - from > MOST_BETWEEN) return [];
  const [between, then] = [words.slice(from + 1, to), words.slice(to + 1, to + MOST_BETWEEN)];
  return between.filter((word) => then.some((one) => isThing(one) && one.kind === word.kind));
}

/** Words of a value, articles included. */
const MOST_BETWEEN = 5;

/** The note has a value of the kind that is left behind, but another. */
function holdsAnother(left: readonly Word[], { onlyBefore }: Pair): boolean {
  return onlyBefore.some(({ kind }) => kind !== "word" && left.some((word) => word.kind === kind));
}

/** "The Windows build", "the Linux build"; "panel of the seller", "panel of the buyer": beside a word that both have. */
function hasOtherModifier(pair: Pair): boolean {
  const { after, before, onlyBefore, shared } = pair;
  const own = saidOnlyIn(pair);
  const follow = ({ words }: Wording, all: readonly Word[]): ReadonlyMap<string, Word> => {
    const content = words.filter(({ isLight }) => !isLight);
    const half = content.slice(0, Math.ceil(content.length / 2));
    return new Map(
      half.flatMap((word, at) => {
        const next = content[at + 1];
        const isHead = shared.some(({ term }) => term === word.term) && (word.kind === "word" || isName(word));
        return isHead && next !== undefined && all.some(({ term }) => term === next.term) ? [[word.term, next]] : [];
      }),
    );
  };
  const then = follow(before, onlyBefore);
  return [...follow(after, own)].some(([head, word]) => {
    const other = then.get(head);
    return other !== undefined && !isVerb(other) && !isVerb(word);
  });
}

function isVerb({ lower }: Word): boolean {
  return VERBS.has(lower);
}

/** The words by which a thing has a value: "uses", "runs". */
const VERBS: ReadonlySet<string> = new Set(
  RELATIONS.flatMap(({ forms }) => forms.flatMap((form) => (form.split(" ")[0] ?? "").split("|"))),
);

const FROM: ReadonlySet<string> = new Set(lists.from.split(" "));
const TOWARDS: ReadonlySet<string> = new Set(lists.towards.split(" "));
