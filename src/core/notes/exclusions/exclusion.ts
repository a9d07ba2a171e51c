import { oneLine, truncate } from "../../shared/text.ts";
import { saidAlready } from "./instructions-know.ts";
import { judgeSentence, type SentenceVerdict } from "./judge-sentence.ts";
import { piecesOf } from "./pieces.ts";

/** What a note is not for, whoever writes it: the repository, an instruction file or the next hour says it better. */
export type ExclusionReason = "code-structure" | "git-history" | "debugging-recipe" | "instructions" | "task-at-hand";

export interface Exclusion {
  readonly reason: ExclusionReason;
  /** The sentence that shows it, shortened. */
  readonly sentence: string;
}

/** Longer texts are documents: their beginning decides. */
const MOST_CHARACTERS = 6_000;

const SHOWN_CHARACTERS = 120;

/**
 * Why a text is not kept as a note; `undefined` for one that is. It is excluded only where all of it is: one sentence
 * with a rule, a reason, a decision or a cause outside the code keeps the whole.
 */
export function excludedBy(text: string, instructions = ""): Exclusion | undefined {
  const told = instructions === "" ? undefined : saidAlready(text, instructions);
  if (told !== undefined) return exclusion("instructions", told);
  return text.length > MOST_CHARACTERS ? undefined : ruledOut(piecesOf(text));
}

function ruledOut(pieces: readonly string[]): Exclusion | undefined {
  const judged: Judged[] = [];
  for (const sentence of pieces) {
    const verdict = judgeSentence(sentence, judged.findLast((one) => one.verdict !== "neutral")?.verdict);
    if (verdict === "kept") return undefined;
    judged.push({ verdict, sentence });
  }
  // Something that goes wrong is worth a note where nobody says how it was put right.
  const isRecipe = judged.some(({ verdict }) => verdict === "debugging-recipe");
  if (!isRecipe && judged.some(({ verdict }) => verdict === "symptom")) return undefined;
  for (const { verdict, sentence } of judged)
    if (verdict !== "neutral" && verdict !== "symptom" && verdict !== "kept") return exclusion(verdict, sentence);
  return undefined;
}

interface Judged {
  readonly verdict: SentenceVerdict;
  readonly sentence: string;
}

function exclusion(reason: ExclusionReason, sentence: string): Exclusion {
  return { reason, sentence: truncate(oneLine(sentence), SHOWN_CHARACTERS) };
}

/** The same in the words of capture's refusals. */
export function refusalFor(reason: ExclusionReason): "derivable" | "ephemeral" {
  return reason === "task-at-hand" ? "ephemeral" : "derivable";
}

const WHY: Readonly<Record<ExclusionReason, string>> = {
  "code-structure": "the code says where things are and how they are built",
  "git-history": "git knows what was changed, when and by whom",
  "debugging-recipe": "the fix is in the code and its commit",
  instructions: "an instruction file says it already, and every session loads that",
  "task-at-hand": "it is about the task at hand and means nothing after it",
};

const SURPRISING: Readonly<Record<ExclusionReason, string>> = {
  "code-structure": "What is surprising about it, or why is it so?",
  "git-history": "Why was it done, or what must nobody do since?",
  "debugging-recipe": "What outside the code caused it, or which rule follows from it?",
  instructions: "What about it does the file not say?",
  "task-at-hand": "What of it holds in later sessions?",
};

/** Why it was not kept, and what to say instead, as two or three sentences without a full stop at the end. */
export function explainExclusion({ reason, sentence }: Exclusion): string {
  return `"${sentence}" is not kept as a note: ${WHY[reason]}. ${SURPRISING[reason]} Remember that instead`;
}
