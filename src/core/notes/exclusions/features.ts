import { type Features, ofLengthOne, textFeatures } from "../../shared/linear.ts";
import { withoutLeadIn } from "../wording/words.ts";
import { mask } from "./masked.ts";
import { piecesOf } from "./pieces.ts";

/** Chosen for how well they generalise to held-out authors: `npm run learn:exclusions`. */
const AMOUNTS = {
  word: 1,
  pair: 1,
  start: 1,
  triple: 1,
  piece: { from: 4, to: 6, amount: 0.5 },
  unspaced: { to: 3, amount: 1 },
};

/** The features a statement is judged by. Identifiers, tickets and numbers are masked, as they vary by repository. */
export function featuresOf(statement: string): Features {
  const masked = mask(withoutLeadIn(statement)).text.replace(TICKET, "⟦t⟧").replace(/\d+/gu, "0");
  return ofLengthOne(textFeatures(masked, AMOUNTS));
}

const TICKET = /(?<![\p{L}\p{N}])[A-Z][A-Z0-9]{1,9}-\d+(?![\p{L}\p{N}])|#\d+/gu;

/**
 * The parts a text is judged by: all of it, each sentence and item, and what precedes and follows a dash ("Rounding —
 * the bank asks for it"). The text is excluded only if each part is.
 */
export function statementsOf(text: string): readonly [string, ...string[]] {
  const parts = piecesOf(text).flatMap((piece) => piece.split(/\s+[—–]\s+|\s-\s/u));
  const [first = text, ...more] = parts.filter((part) => !saysLittle(part));
  return more.length === 0 ? [first] : [text, first, ...more];
}

/** "Done.", "Phase 2", "x y z": says nothing for or against the text around it. */
export function saysLittle(statement: string): boolean {
  if (UNSPACED.test(statement)) return statement.length < 4;
  return statement.split(/\s+/u).filter((word) => word.length > 1).length < 3;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/**
 * How much surer than the threshold a refusal must be: a long text may say more than is seen first, and a short one
 * shows little of what it is.
 */
export function doubtOf(text: string): number {
  const width = text.length + WIDER * (text.match(UNSPACED_EACH)?.length ?? 0);
  return PER_MISSING * Math.max(0, SHORT - width) + PER_MORE * Math.min(MOST_MORE, Math.max(0, width - LONG));
}

/** A Chinese, Japanese or Korean character says as much as this many additional letters. */
const WIDER = 1.5;
const UNSPACED_EACH = new RegExp(UNSPACED, "gu");
const SHORT = 60;
const PER_MISSING = 0.006;
const LONG = 70;
const PER_MORE = 0.003;
const MOST_MORE = 150;
