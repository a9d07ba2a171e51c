import { isBarred, type Place, surroundings } from "./direction.ts";

/**
 * Whether a phrase names no day of its own, because its sentence is a rule or a habit ("keep logs from yesterday",
 * "users who signed up last week get the mail") and not a report.
 */
export function isHabit(place: Place): boolean {
  if (isOfMany(place)) return true;
  const { language, sentence, phrase } = place;
  const { before, after, part } = surroundings(place);
  if (language.since.test(before)) return false;
  const isReport = language.past.test(part.replace(language.be, ""));
  const isPossessive = /^['’]s\b/u.test(after);
  if (!looksBack(place)) {
    // "The kiosk sells tomorrow's paper", not "tomorrow's demo is at ten" nor "the demo of tomorrow's release".
    const isObject = isPossessive && before.trim() !== "" && !language.of.test(before);
    return isObject && !isReport && !language.future.test(part);
  }
  if (!isReport && (isPossessive || language.of.test(before) || language.ofAfter.test(after))) return true;
  return language.duty.test(sentence) && (!isReport || language.some[0].test(sentence.slice(0, phrase.start)));
}

/** "Users who signed up last week get the mail": the day moves, unless what happened to them is past. */
function isOfMany(place: Place): boolean {
  const { language, written, sentence, phrase } = place;
  const text = language.words.hasCapitalNouns === true ? written : sentence;
  const [before, after] = [text.slice(0, phrase.start), text.slice(phrase.end)];
  return [...language.which, language.some].some((around) => {
    const [found, rest] = [around[0].exec(before), around[1].exec(after)];
    if (found === null || rest === null) return false;
    const lead = before.slice(0, found.index);
    if (around === language.some && /\p{L}/u.test(lead)) return false;
    const main = `${lead}\u2026 ${after.slice(rest[0].length)}`;
    return /\p{L}/u.test(main) && !language.past.test(main.replace(language.be, ""));
  });
}

function looksBack({ phrase: { meaning } }: Place): boolean {
  return "offset" in meaning ? meaning.offset < 0 : meaning.kind === "weekday" && meaning.which === "last";
}

/** Without days that are named as words: "dates read like yesterday, last week, 3 days ago". */
export function withoutLists(places: readonly Place[]): readonly Place[] {
  const lists: Place[][] = [];
  for (const place of places) {
    const list = lists.at(-1);
    const previous = list?.at(-1);
    const isNext =
      previous !== undefined &&
      isRelative(place) &&
      isRelative(previous) &&
      /^\s*(?:[,、，/](?: \p{L}{1,4})?|\p{L}{1,4})\s*$/u.test(
        place.sentence.slice(previous.phrase.end, place.phrase.start),
      );
    if (list !== undefined && isNext) list.push(place);
    else lists.push([place]);
  }
  return lists
    .filter(([first, ...others]) => others.length === 0 || (others.length === 1 && first && !isBarred(first)))
    .flat();
}

function isRelative({ phrase: { meaning } }: Place): boolean {
  return meaning.kind !== "weekday" && meaning.kind !== "month-day";
}
