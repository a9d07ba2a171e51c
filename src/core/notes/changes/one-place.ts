/**
 * Whether two texts are the same but for one place, and there each has something: "the job for `npm publish`", "the job
 * for `make lint`". Who says the same in other words changes more than that.
 */
export function differInOnePlace(after: string, before: string): boolean {
  const [now, then] = [wordsIn(after), wordsIn(before)];
  const least = Math.min(now.length, then.length);
  let start = 0;
  while (start < least && now[start] === then[start]) start++;
  let end = 0;
  while (end < least - start && now.at(-1 - end) === then.at(-1 - end)) end++;
  return start + end < least && start + end >= LEAST_SHARED;
}

/** "< 80", ">= 80"; "5 €", "5 %". */
export function haveOtherSigns(after: string, before: string): boolean {
  const [now, then] = [signsIn(after), signsIn(before)];
  return now !== "" && then !== "" && now !== then;
}

function signsIn(text: string): string {
  return (text.match(/[<>≤≥]=?|[%€$£¥°](?![\p{L}(])/gu) ?? []).toSorted().join(" ");
}

/** A shorter sentence may well have another verb: "the module needs zstd", "the module requires zstd". */
const LEAST_SHARED = 7;

/** In small letters, without the punctuation around them. */
function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(/^["'`“„«(]+|["'`”“»),.;:!?。！？]+$/gu, ""))
    .filter((word) => word !== "");
}
