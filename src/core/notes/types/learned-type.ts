import { once } from "../../shared/once.ts";
import { placedWeights, scoreOf } from "../../shared/linear.ts";
import { NOTE_TYPES } from "../note.ts";
import { featuresOf } from "./features.ts";
import { EXPLAINED, type InferredType, ruledType } from "./infer-type.ts";
import stored from "./weights.json" with { type: "json" };

const WEIGHTS = once(() => NOTE_TYPES.map((type) => ({ type, of: placedWeights(stored[type]) })));

/** A type whose score is this near to the best one is named. */
const NEAR = 0.4;

/** The type of a note without one, by weights that were learnt from labelled statements. */
export function inferType(text: string): InferredType {
  if (isBrief(text)) return ruledType(text);
  // Notes on how to work say why and how.
  if (EXPLAINED.test(text)) return { type: "feedback" };
  const features = featuresOf(text);
  const scores = WEIGHTS().map(({ type, of }) => ({ type, score: scoreOf(of, features) }));
  const [best, next] = scores.toSorted((a, b) => b.score - a.score);
  if (best === undefined) return { type: "project" };
  return next !== undefined && best.score - next.score < NEAR
    ? { type: best.type, other: next.type }
    : { type: best.type };
}

/** In three words the weights read little more than chance. */
function isBrief(text: string): boolean {
  return !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text) && text.trim().split(/\s+/u).length < 4;
}
