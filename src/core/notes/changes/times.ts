import { once } from "../../shared/once.ts";
import { isDoubting } from "./learned.ts";
import { hasValue, pairOf } from "./pair.ts";
import type { Said } from "./reading.ts";
import { type SignName, signsIn } from "./signs.ts";
import lists from "./times.json" with { type: "json" };

const oneOf = (patterns: readonly string[], start = ""): (() => RegExp) =>
  once(() => new RegExp(`${start}(?:${patterns.join("|")})`, "u"));
const WAS = oneOf(lists.was);
const PASSING = oneOf(lists.passing);
const PASSING_FIRST = oneOf(lists["passing first"], "^");
/** "We have not switched from Helm to Kustomize yet" */
const UNDONE = oneOf(lists.undone);

/** What a statement tells of that does not hold from now on; `past` only where the note has another value. */
export function otherTimeOf(after: Said, before: Said): "past" | "never" | "passing" | undefined {
  const said = after.wording();
  const hasOther = (): boolean => hasValue(pairOf(said, before.wording()).onlyBefore);
  if (!isDoubting(said) && tellsWhatWas(after.body) && hasOther()) return "past";
  if (UNDONE().test(after.body.toLowerCase())) return "never";
  return isPassing(after) ? "passing" : undefined;
}

/** "The API used to listen on 8080": it says what held before, and nothing of what holds now. */
function tellsWhatWas(text: string): boolean {
  const small = text.toLowerCase();
  if (!WAS().test(small)) return false;
  const others = signsIn(small.replace(WAS(), " "));
  return !NEWS.some((sign) => others.has(sign));
}

const NEWS: readonly SignName[] = ["since", "moved", "instead", "over", "adjusted"];

/** "Tomorrow the daily is at 10", "for one week it moves to 10": a temporary exception. */
function isPassing({ body, wording }: Said): boolean {
  const small = body.toLowerCase().trim();
  if (PASSING().test(small)) return true;
  const { signs } = wording();
  return PASSING_FIRST().test(small) && !CHANGES.some((sign) => signs.has(sign));
}

const CHANGES: readonly SignName[] = ["moved", "over", "adjusted", "departed", "reversed"];
