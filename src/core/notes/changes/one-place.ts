import { once } from "../../shared/once.ts";
import lists from "./values.json" with { type: "json" };

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
  const units = Array.from(text.matchAll(UNIT), ([, unit = ""]) => ALIKE.get(unit) ?? unit);
  return [...(text.match(/[<>≤≥]=?|[%€$£¥°](?![\p{L}(])/gu) ?? []), ...units].toSorted().join(" ");
}

/** "30秒", "7일": in scripts without spaces a unit is no word. */
const UNIT = /\d ?(分钟|小时|時間|时间|个月|か月|ヶ月|개월|시간|秒|分|天|日|周|週|月|年|초|분|일|주|년)/gu;
const ALIKE: ReadonlyMap<string, string> = new Map(
  ["分 分钟", "時間 小时", "日 天", "週 周", "月 个月 か月 ヶ月"].flatMap((names) =>
    names.split(" ").map((name) => [name, names.split(" ")[0] ?? name] as const),
  ),
);

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

/** "Must", "may"; "until", "from": each names one side of what tells two statements of the same words apart. */
export function areTurnedApart(after: string, before: string): boolean {
  const [now, then] = [after.toLowerCase(), before.toLowerCase()];
  return APART().some(([one, other]) => {
    const sides = [now, then].map((text) => `${one.test(text)} ${other.test(text)}`);
    return sides.includes("true false") && sides.includes("false true");
  });
}

const APART = once(() =>
  lists.apart.map(([one = "", other = ""]) => [new RegExp(one, "u"), new RegExp(other, "u")] as const),
);
