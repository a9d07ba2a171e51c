import { once } from "../../shared/once.ts";
import { placedWeights, scoreOf } from "../../shared/linear.ts";
import { NOTE_TYPES } from "../note.ts";
import { featuresOf } from "./features.ts";
import { type InferredType, ruledType } from "./infer-type.ts";
import stored from "./weights.json" with { type: "json" };

const WEIGHTS = once(() => NOTE_TYPES.map((type) => ({ type, of: placedWeights(stored[type]) })));

const WORDS = /\S+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** A text with fewer words shows little of what it is. */
const FEWEST_WORDS = 4;

/**
 * The type of a text without one. What the rules tell by words stands; of what they leave to the project, for want of
 * any sign, weights learnt from labelled statements may say that it is of another type.
 */
export function inferType(text: string): InferredType {
  const ruled = ruledType(text);
  const isShort = !UNSPACED.test(text) && (text.match(WORDS)?.length ?? 0) < FEWEST_WORDS;
  if (ruled.type !== "project" || isShort) return ruled;
  const features = featuresOf(text);
  const scores = WEIGHTS().map(({ type, of }) => ({ type, score: scoreOf(of, features) }));
  const project = scores.find(({ type }) => type === "project")?.score ?? 0;
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score - project < stored.margin) return ruled;
  return { type: best.type, other: "project" };
}
