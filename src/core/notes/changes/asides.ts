import { hasValue, haveOneKind, type Pair, pairOf } from "./pair.ts";
import { isIn } from "./slots.ts";
import { namesAnother } from "./subject.ts";

/**
 * The pair without what the statement says of the old value in a clause of its own: "the web app is on Fly.io now" of
 * "…, Heroku got too pricey", where the note says Heroku. `undefined` if it says nothing of that kind.
 */
export function withoutAside(whole: Pair): Pair | undefined {
  const { after, before, shared } = whole;
  const clauses = after.clauses();
  if (clauses.length < 2 || namesAnother(whole)) return undefined;
  const known = clauses.map(({ content }) => shared.filter((word) => isIn(content, word)));
  const most = Math.max(...known.map((words) => words.length));
  const at = known.findIndex((words) => words.length === most);
  const main = clauses[at];
  const old = shared.filter((word) => !known[at]?.some((one) => one.term === word.term));
  if (main === undefined || old.length === 0 || !old.every((word) => hasValue([word]))) return undefined;
  const pair = pairOf(main, before);
  return haveOneKind(pair.onlyBefore, pair.onlyAfter) ? pair : undefined;
}
