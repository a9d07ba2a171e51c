import { allGroupsIn } from "../../shared/ignoring-case.ts";
import { once } from "../../shared/once.ts";
import lists from "./signs.json" with { type: "json" };

/** What a text turns down: "Black" of "Ruff, not Black", "Slack" of "Teams instead of Slack". */
export function rejectedIn(text: string): readonly string[] {
  const spaced = allGroupsIn(REJECTING(), text).map(({ what }) => what ?? "");
  const unspaced = [...text.matchAll(UNSPACED())].map(({ groups }) => groups?.["next"] ?? groups?.["last"] ?? "");
  return [...spaced, ...unspaced].filter((what) => what !== "");
}

/** What is turned down stands in the next few words. */
const REJECTING = once(() => {
  const phrases = lists.rejecting
    .flatMap((row) => row.split("|"))
    .map((phrase) => phrase.replaceAll(" ", "\\s+").replaceAll("'", "['’]"));
  const afterComma = phrases.filter((phrase) => phrase.startsWith(","));
  const others = phrases.filter((phrase) => !phrase.startsWith(","));
  const all = [...afterComma, `(?<![\\p{L}\\p{N}])(?:${others.join("|")})`, lists["rejecting between"]];
  return new RegExp(`(?:${all.join("|")})(?:\\s+|(?<=['’]))(?<what>[^\\s,.;:!?]+(?:\\s+[^\\s,.;:!?]+){0,3})`, "dgu");
});

const UNSPACED = once(() => new RegExp(lists["rejecting unspaced"], "gu"));
