import { type Features, ofLengthOne, textFeatures } from "../../shared/linear.ts";
import { mask } from "../exclusions/masked.ts";
import { withoutLeadIn } from "../wording/words.ts";

/** Chosen for how well they generalise to authors left out: `npm run learn:types`. */
const AMOUNTS = {
  word: 1,
  pair: 1,
  start: 1,
  triple: 0,
  piece: { from: 4, to: 5, amount: 0.5 },
  unspaced: { to: 3, amount: 1 },
};

/** The features by which the type of a text is told: its words, with names and numbers masked. */
export function featuresOf(text: string): Features {
  const masked = mask(withoutLeadIn(text)).text.replace(/\d+/gu, "0");
  return ofLengthOne(textFeatures(masked, AMOUNTS));
}
