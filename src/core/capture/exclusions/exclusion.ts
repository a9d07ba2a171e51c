import { oneLine, truncate } from "../../shared/text.ts";
import { saidAlready } from "./instructions-know.ts";
import { EXPLAINS, judgeSentence, type SentenceVerdict } from "./judge-sentence.ts";
import { piecesOf } from "./pieces.ts";
import { withoutLeadIn } from "../lead-ins.ts";
import { patternOf, startOf } from "../words.ts";
import { mask } from "./masked.ts";
import { isExplained, isMeant } from "./shapes.ts";
import weights from "./weights.json" with { type: "json" };
import tables from "./words.json" with { type: "json" };

/*
 * What many small signs together make of a text that no rule knows: its words, pairs of words, beginnings and ends of
 * words, its length. The weights are fitted to labelled sentences by `npm run calibrate:exclusions -- DIR --write`,
 * which also says how well they do on each author's sentences when that author's are left out.
 */

const TOKEN =
  /⟦.⟧|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)?|[:;,.!?()`/–—-]/gu;

/** Longer words count by their beginning and their end too, so that one form tells of another. */
const BEGINNING = 5;

const END = 3;

const WORDS_A_STEP = 4;

const MOST_STEPS = 6;

/** The signs of a text: a stand-in for each piece of code, its words and their pairs. */
export function signsOf(sentences: readonly string[]): ReadonlySet<string> {
  const signs = new Set<string>([`#s${Math.min(3, sentences.length)}`]);
  for (const sentence of sentences) {
    const plain = mask(withoutLeadIn(sentence)).text.toLowerCase().replaceAll("’", "'").replace(/\d+/gu, "0");
    // A note has a full stop or none: that tells nothing.
    const found = plain.replace(/[\s.!。！]+$/u, "").match(TOKEN) ?? [];
    signs.add(`#w${Math.min(MOST_STEPS, Math.floor(found.length / WORDS_A_STEP))}`);
    const tokens = ["^", ...found, "$"];
    for (const [at, token] of tokens.entries()) {
      signs.add(token);
      if (token.length > BEGINNING) signs.add(`${token.slice(0, BEGINNING)}*`);
      if (token.length > END + 1) signs.add(`*${token.slice(-END)}`);
      const next = tokens[at + 1];
      if (next !== undefined) signs.add(`${token} ${next}`);
    }
  }
  return signs;
}

const WEIGHTS: ReadonlyMap<string, number> = new Map(
  Object.entries(weights.signs).flatMap(([weight, signs]) =>
    signs.split("|").map((sign) => [sign, Number(weight)] as const),
  ),
);

function oddsOf(sentences: readonly string[]): number {
  const known = [...signsOf(sentences)].flatMap((sign) => WEIGHTS.get(sign) ?? []);
  return weights.base + known.reduce((sum, weight) => sum + weight, 0) / Math.sqrt(Math.max(1, known.length));
}

/** Log odds from which a text is no note, and how much more it takes where it states a reason or is of many. */
const ENOUGH = -0.3;

const MORE_IF_EXPLAINED = 1.2;

/** What a text takes that has none of the words which tell what it is: else one in six facts of one line was refused. */
const MORE_IF_UNTOLD = 0.8;

/** The weights were learned from texts of few sentences. */
const MOST_SENTENCES = 3;

/** What a text of few sentences is by its signs; `undefined` where they do not suffice. */
function learnedVerdict(sentences: readonly string[]): LearnedVerdict | undefined {
  const needed = oddsNeeded(sentences);
  if (needed === undefined) return undefined;
  const odds = oddsOf(sentences);
  if (odds <= needed) return undefined;
  const text = sentences.join(" ");
  const told = KINDS.find(({ words }) => words.some((pattern) => pattern.test(text)))?.verdict;
  return told ?? (odds > needed + MORE_IF_UNTOLD ? "code-structure" : undefined);
}

/** "Tests that need Docker …", "If two tests disagree, …": of more than one, so perhaps a convention. */
const OF_MANY =
  /^(?:\p{L}+s (?:that|which|with|in|are|get|belong|sit|go|run|say)\b|(?:if|when(?:ever)?|before|after|wenn|falls|quand|si|cuando|quando|se) [^,]+,)|\bnothing\b/iu;

/** Fewer words are a fragment, which no weight knows. */
const LEAST_WORDS = 4;

/**
 * The odds that it takes to refuse these sentences; `undefined` where the rules alone decide: a wish, a rule, a decision,
 * whom to ask and an address are never weighed.
 */
export function oddsNeeded(sentences: readonly string[]): number | undefined {
  if (sentences.length > MOST_SENTENCES || sentences.some((sentence) => EXPLAINS.test(sentence))) return undefined;
  const masked = sentences.map((sentence) => mask(withoutLeadIn(sentence)));
  if (masked.some(({ text, addresses }) => addresses > 0 || isMeant(text))) return undefined;
  const texts = masked.map(({ text }) => text);
  if ((texts.join(" ").match(TOKEN)?.length ?? 0) < LEAST_WORDS) return undefined;
  return ENOUGH + (texts.some((text) => isExplained(text) || OF_MANY.test(text)) ? MORE_IF_EXPLAINED : 0);
}

type LearnedVerdict = "code-structure" | "git-history" | "debugging-recipe" | "task-at-hand";

const GOES_WRONG =
  /\bE[A-Z]{5,}\b|\b(?:5\d\d|40\d)\b|\b(?:errors? (?!bound|mess|hand|page|code)|fail(?:ed|s)\b|hung\b|crash)|fehler\b|schlug|nachdem ich|bucle|fallaba|falhava|vider le|venait d|spariva|原因|消失|报错/iu;

const CHANGED = /\b(?:merge|files? (?:were|changed)|upgraded|v\d+\.\d+|commits?)\b/iu;

const HOW_FAR = /\b(?:finished|let['’]s|currently|start with|right now|isn['’]t yet|next up|bezig|gerade|ahora)\b/iu;

/** What it is called, by its clearest words; the first that fits. */
const KINDS: readonly { readonly verdict: LearnedVerdict; readonly words: readonly RegExp[] }[] = [
  { verdict: "debugging-recipe", words: [...[tables.PUT_RIGHT, tables.REMEDY].map(patternOf), GOES_WRONG] },
  {
    verdict: "git-history",
    words: [...[tables.PAST_WHEN, tables.RECODED, tables.LAST_CHANGE, tables.AUTHORSHIP].map(patternOf), CHANGED],
  },
  {
    verdict: "task-at-hand",
    words: [
      ...[tables.THIS_TASK, tables.IN_PROGRESS, tables.PROGRESS, tables.FOR_NOW].map(patternOf),
      startOf(tables.ONE_OFF),
      HOW_FAR,
    ],
  },
];

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
 * with a rule, a reason, a decision or a cause outside the code keeps the whole. Texts that no rule knows are weighed.
 */
export function excludedBy(text: string, instructions = ""): Exclusion | undefined {
  const byRule = excludedByRule(text, instructions);
  if (byRule !== undefined || text.length > MOST_CHARACTERS) return byRule;
  const learned = learnedVerdict(piecesOf(text));
  return learned && exclusion(learned, text);
}

/** The same by the rules alone: for words that were chosen already, as a wish said outright or by a model with evidence. */
export function excludedByRule(text: string, instructions = ""): Exclusion | undefined {
  const told = instructions === "" ? undefined : saidAlready(text, instructions);
  if (told !== undefined) return exclusion("instructions", told);
  return text.length > MOST_CHARACTERS ? undefined : ruledOut(piecesOf(text));
}

export function ruledOut(pieces: readonly string[]): Exclusion | undefined {
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
