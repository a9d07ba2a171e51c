import { oneLine, truncate } from "../../shared/text.ts";
import { saidAlready } from "./instructions-know.ts";
import { asksToForget } from "./forgetting.ts";
import { judge } from "./judge.ts";
import { piecesOf } from "./pieces.ts";

/** What does not belong in any note: the repository, an instruction file or the next hour says it better. */
export type ExclusionReason =
  | "code-structure"
  | "git-history"
  | "debugging-recipe"
  | "public-knowledge"
  | "instructions"
  | "task-at-hand"
  | "wish-to-forget";

export interface Exclusion {
  readonly reason: ExclusionReason;
  /** The sentence that shows it, shortened. */
  readonly sentence: string;
}

/** Longer texts are documents. */
const MOST_CHARACTERS = 6_000;
/** A longer sentence says more than one thing. */
const LONG_SENTENCE = 600;

const SHOWN_CHARACTERS = 120;

/**
 * Why a text is not kept as a note; `undefined` if it is kept. It is excluded only as a whole: one sentence with a
 * rule, a reason, a decision or a cause outside the code keeps all of it.
 */
export function excludedBy(text: string, instructions = ""): Exclusion | undefined {
  const told = instructions === "" ? undefined : saidAlready(text, instructions);
  if (told !== undefined) return exclusion("instructions", told);
  if (text.length > MOST_CHARACTERS) return undefined;
  if (asksToForget(text)) return exclusion("wish-to-forget", text);
  const sentences = piecesOf(text);
  if (sentences.some((one) => EXPLAINS.test(one) || one.length > LONG_SENTENCE)) return undefined;
  const verdict = judge(text);
  return verdict === "kept" ? undefined : exclusion(verdict, sentences[0] ?? text);
}

/** "**Why:** …", "**How to apply:** …": the author knows what a note is for. */
const EXPLAINS = /^[*_]*(?:why|how to apply)\b[*_]*:/iu;

function exclusion(reason: ExclusionReason, sentence: string): Exclusion {
  return { reason, sentence: truncate(oneLine(sentence), SHOWN_CHARACTERS) };
}

/** The reason in terms of capture's refusals. */
export function refusalFor(reason: ExclusionReason): "derivable" | "ephemeral" {
  return reason === "task-at-hand" || reason === "wish-to-forget" ? "ephemeral" : "derivable";
}

type Said = Exclude<ExclusionReason, "wish-to-forget">;

const WHY: Readonly<Record<Said, string>> = {
  "code-structure": "the code says where things are and how they are built",
  "git-history": "git knows what was changed, when and by whom",
  "debugging-recipe": "the fix is in the code and its commit",
  "public-knowledge": "the documentation says it to everybody",
  instructions: "an instruction file says it already, and every session loads that",
  "task-at-hand": "it is about the task at hand and means nothing after it",
};

const SURPRISING: Readonly<Record<Said, string>> = {
  "code-structure": "What is surprising about it, or why is it so?",
  "git-history": "Why was it done, or what must nobody do since?",
  "debugging-recipe": "What outside the code caused it, or which rule follows from it?",
  "public-knowledge": "What about it is different here, or what did you decide because of it?",
  instructions: "What about it does the file not say?",
  "task-at-hand": "What of it holds in later sessions?",
};

/** Why it was not kept, and what to say instead, as two or three sentences without a full stop at the end. */
export function explainExclusion({ reason, sentence }: Exclusion): string {
  if (reason === "wish-to-forget")
    return `"${sentence}" asks to forget something, and a note would only repeat it. \`memdir list WORD\` finds the note that is meant, and \`memdir forget NOTE\` (for an agent: the tool \`forget\`) purges it`;
  return `"${sentence}" is not kept as a note: ${WHY[reason]}. ${SURPRISING[reason]} Remember that instead`;
}
