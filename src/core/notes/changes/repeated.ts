import { changeOf, isBrief, saysOtherwise } from "./change.ts";
import { chancesOf } from "./learned.ts";
import { hasValue, type Pair, pairOf } from "./pair.ts";
import type { Said } from "./reading.ts";
import { has, swapsOf } from "./slots.ts";

/**
 * Whether a statement says, or probably says, what a text says that stays in sight. Of 77 labelled statements near a line
 * of an instruction file that it does not say, none does; of 94 that it says, 56.
 */
export function repeats(statement: Said, text: Said): boolean {
  // A second sentence may say what the text does not.
  if (statement.more > 0 || !isBrief(statement)) return false;
  const pair = pairOf(statement.wording(), text.wording());
  if (pair.old < LEAST || namesPlace(pair) || saysOtherwise(statement, text)) return false;
  if (changeOf(statement, text).kind === "same") return true;
  // "… of Zürich …", "… of Berlin …": nothing else differs.
  if (swapsOf(pair).length > 0 && Math.min(pair.known, pair.old) >= NEARLY_ALL) return false;
  const { same, replaces, contradicts } = chancesOf(pair);
  const isCovered = pair.known >= MUCH && pair.old >= MUCH && !hasValue(pair.onlyAfter);
  return same >= LIKELY || (same >= POSSIBLE && isCovered && replaces + contradicts <= SLIGHT);
}

/** "In the docs", where the text says nothing of them; "before" and "when" may be worded otherwise. */
function namesPlace({ after, onlyAfter }: Pair): boolean {
  return after.words.some(
    ({ setting, term }) => setting !== undefined && setting !== "condition" && has(onlyAfter, term),
  );
}

/** Of the words of the statement; less is not worth a look. */
const LEAST = 0.25;
const LIKELY = 0.6;
const POSSIBLE = 0.35;
/** Of the words of each. */
const MUCH = 0.35;
const NEARLY_ALL = 0.75;
const SLIGHT = 0.3;
