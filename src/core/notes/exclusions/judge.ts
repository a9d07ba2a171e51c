import { once } from "../../shared/once.ts";
import { placedWeights, scoreOf } from "../../shared/linear.ts";
import { startOf, withoutLeadIn } from "../wording/words.ts";
import { doubtOf, featuresOf, saysLittle, statementsOf } from "./features.ts";
import { mask } from "./masked.ts";
import { piecesOf } from "./pieces.ts";
import standing from "./standing.json" with { type: "json" };
import model from "./weights.json" with { type: "json" };

/** The reasons that can be found from the words alone, whatever the instruction files say. */
export type LearntReason = keyof typeof model.reasons;

const REASONS = [
  "code-structure",
  "git-history",
  "debugging-recipe",
  "public-knowledge",
  "task-at-hand",
] as const satisfies readonly LearntReason[];

/** Loaded on first use, since most commands do not need them and most texts are kept. */
const EXCLUDED = once(() => placedWeights(model.excluded));
const OF_REASONS = once(() => REASONS.map((reason) => ({ reason, of: placedWeights(model.reasons[reason]) })));

/** "src/a.ts and src/b.ts": names of code with hardly a word between them. */
function isMostlyNames(text: string): boolean {
  const { text: masked, paths, names, signatures } = mask(text);
  const marks = paths + names + signatures;
  const words = masked.replace(/⟦.⟧/gu, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return marks >= 2 && words <= marks * MOST_WORDS;
}

/** Words per name. */
const MOST_WORDS = 2;

const STANDING = startOf(standing);
/** "In auth, always split commits": where or when a rule holds may come first. */
const WHERE = /^[^,.;:]{1,40}[,:]\s+/u;

/** "Rotate the keys only with Ana": says who has to agree. */
const APPROVED = new RegExp(`(?<!\\p{L})(?:${standing.approved.phrases}) (?:\\p{Lu}|asking (?!for))`, "u");

function isStandingRule(text: string): boolean {
  const said = withoutLeadIn(text);
  return STANDING.test(said) || STANDING.test(said.replace(WHERE, "")) || APPROVED.test(said);
}

/** Judges a text: `kept` if it suits a note, else the likeliest reason why it does not. */
export function judge(text: string): LearntReason | "kept" {
  if (piecesOf(text).every((piece) => saysLittle(piece) && !mask(piece).text.includes("⟦"))) return "kept";
  const least = model.threshold + doubtOf(text);
  const [all, ...parts] = statementsOf(text);
  if ([all, ...parts].some(isStandingRule)) return "kept";
  const features = featuresOf(all);
  const scores = [features, ...parts.map(featuresOf)].map((one) => scoreOf(EXCLUDED(), one));
  if (Math.min(...scores) <= least) return isMostlyNames(text) ? "code-structure" : "kept";
  const [likeliest] = OF_REASONS()
    .map(({ reason, of }) => ({ reason, score: scoreOf(of, features) }))
    .toSorted((a, b) => b.score - a.score);
  return likeliest?.reason ?? "kept";
}
