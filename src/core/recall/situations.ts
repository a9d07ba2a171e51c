import { analyse } from "../notes/terms.ts";
import { SITUATION_LINES } from "./situation-lines.ts";
import { linesThatMayHave } from "./vocabulary.ts";

/** A word that notes have which matter in what the prompt is about to do. */
export interface SituationTerm {
  /** In the form that `analyse` gives last: a word's stem. */
  readonly term: string;
  /**
   * How surely the situation calls for it, 0 to 1: near 1 where notes with this word mostly rule the situation
   * ("freeze" of a release), near 0.5 where they may touch it ("friday"). By hand, not measured. It compares these
   * terms with one another; what they are worth next to words that were said is for the score to decide. They were
   * not asked for: a note that lacks them owes nothing.
   */
  readonly share: number;
  /** The prompt's terms that call for it, each once, in the prompt's order. More of them from several situations is surer. */
  readonly because: readonly string[];
}

/** Of words before the bar of a line, and of those behind it. */
const NEAR_SHARE = 1;
const FAR_SHARE = 0.5;

interface Situation {
  /** Any of these says that the situation is at hand; where one has several terms, the prompt has all of them. */
  readonly signs: readonly (readonly string[])[];
  readonly near: readonly string[];
  readonly far: readonly string[];
}

/**
 * The words of notes that a prompt calls for without saying them: who commits needs what was said of messages, and
 * not the other way round, which is why these are no related words (vocabulary.ts).
 *
 * @param promptTerms Terms of the prompt in its order, words and stems as `analyse` gives them.
 * @param lines One situation a line, `SIGN ... -> NEAR ... | FAR ...`, all single words; `open+pr` is a sign of two
 * words that must both be said, in any order. `#` begins a comment. Lines without an arrow are passed over.
 * @returns Each term once, never one of the prompt's own, the surer first.
 */
export function situationsOf(promptTerms: readonly string[], lines = SITUATION_LINES): readonly SituationTerm[] {
  const said = new Set(promptTerms);
  const atHand = new Set([...said].flatMap((term) => linesThatMayHave(term, lines)));
  const found = new Map<string, { share: number; because: Set<string> }>();
  for (const line of atHand) {
    const { signs, near, far } = parseSituation(line);
    const because = signs.filter((sign) => sign.every((term) => said.has(term))).flat();
    if (because.length === 0) continue;
    for (const [terms, share] of [[near, NEAR_SHARE], [far, FAR_SHARE]] as const) {
      for (const term of terms) {
        if (said.has(term)) continue;
        const earlier = found.get(term);
        found.set(term, { share: Math.max(share, earlier?.share ?? 0), because: new Set([...(earlier?.because ?? []), ...because]) });
      }
    }
  }
  return [...found]
    .map(([term, { share, because }]) => ({ term, share, because: [...said].filter((word) => because.has(word)) }))
    .toSorted((a, b) => b.share - a.share || b.because.length - a.because.length);
}

function parseSituation(line: string): Situation {
  const [written = ""] = line.split("#", 1);
  const [signs = "", notes = ""] = written.split("->", 2);
  const [near = "", far = ""] = notes.split("|", 2);
  return { signs: words(signs).map((sign) => sign.split("+").flatMap(lastTerm)).filter((sign) => sign.length > 0), near: words(near).flatMap(lastTerm), far: words(far).flatMap(lastTerm) };
}

function words(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

function lastTerm(word: string): readonly string[] {
  return analyse(word).slice(-1);
}
