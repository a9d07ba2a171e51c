import { piecesOf } from "./pieces.ts";
import { withoutLeadIn, WordPattern } from "../wording/words.ts";
import table from "./forgetting.json" with { type: "json" };

const asks = new WordPattern(`^(?:${Object.values(table.words).join("|")})(?![\\p{L}\\p{N}_])|${table.cjk}`);

/** What follows says something new, which may be worth a note. */
const GOES_ON = /[;:—–]|\s-\s|,(?!\s*(?:that|what|was|dass|co|że|что|please|bitte)(?![\p{L}]))/iu;

/** Whether a text only asks memory to forget something. */
export function asksToForget(text: string): boolean {
  const pieces = piecesOf(text);
  const [only] = pieces;
  if (only === undefined || pieces.length > 1 || GOES_ON.test(only)) return false;
  return asks.test(withoutLeadIn(only)) || asks.test(only);
}
