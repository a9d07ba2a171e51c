import type { NoteType } from "../note.ts";
import { piecesOf } from "../exclusions/pieces.ts";
import { withoutLeadIn, patternOf, startOf, keyWords } from "../wording/words.ts";
import words from "./words.json" with { type: "json" };
import type { WorkingTree } from "../claims/claim.ts";
import { mask } from "../exclusions/masked.ts";

const { ABOUT_ME, CHANGED_WAY, COMMENTED, FORBIDS_ALL, HOW_TO_WORK, LOOKED_UP, NOUN_START } = words;
const { OF_THE_PROJECT, ON_THIS, ORDER_START, STATED, STOPPED, SYSTEMS } = words;

/** The likeliest type of a text, and another plausible one. */
export interface InferredType {
  readonly type: NoteType;
  /** Nearly as likely; absent if none is. */
  readonly other?: NoteType;
}

const aboutMe = startOf(ABOUT_ME);
const howToWork = patternOf(HOW_TO_WORK);
const leadsIn = startOf(HOW_TO_WORK);
const changedWay = patternOf(CHANGED_WAY);
const leadsToo = startOf(CHANGED_WAY);
const stated = startOf(STATED);
const order = startOf(ORDER_START);
const nounStart = startOf(NOUN_START);
const commented = startOf(COMMENTED);
const systems = patternOf(SYSTEMS);
const lookedUp = patternOf(LOOKED_UP);
const ofTheProject = patternOf(OF_THE_PROJECT);
const forbidsAll = startOf(FORBIDS_ALL);
const stopped = patternOf(STOPPED);
const onThis = patternOf(ON_THIS);

/** The first sentences of a text decide; the rest explains. */
const SENTENCES = 3;
/** The share of the best score that another type must reach to be named. */
const NEARLY = 0.6;

/** The type of a text by words that tell it: who the user is, how to work, where to look, else the project. */
export function ruledType(text: string): InferredType {
  const scores = new Map<NoteType, number>([["project", 1]]);
  for (const [index, sentence] of piecesOf(text).slice(0, SENTENCES).entries())
    for (const [type, score] of scoresOf(withoutLeadIn(sentence), sentence))
      scores.set(type, (scores.get(type) ?? 0) + score / (index + 1));
  if (EXPLAINED.test(text)) scores.set("feedback", (scores.get("feedback") ?? 0) + 2);
  const [best, next] = [...scores].toSorted((a, b) => b[1] - a[1]);
  if (best === undefined) return { type: "project" };
  return next !== undefined && next[1] >= best[1] * NEARLY ? { type: best[0], other: next[0] } : { type: best[0] };
}

/** Whether a text is a pointer that contains an address, even if worded as an order. */
export function namesAddress(text: string): boolean {
  return ADDRESS.test(text) && ruledType(text).type === "reference";
}

/** Notes on how to work say why and how. */
const EXPLAINED = /^\s*\*\*(?:Why|How to apply):?\*\*/mu;
const ADDRESS =
  /https?:\/\/|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/[\w-]|(?<![\p{L}\p{N}])#[a-z][\w-]{2,}|\b[\w-]+\.(?:internal|local|corp)\b/iu;
/** "… is in X", "see X for …", "X: team Platform". */
const POINTS =
  /\b(?:is|are|lives?|live|goes?|go|tracked|kept|stored|managed|found|find|see|ask|posts?|posted|receives?|reported|documented|filed|recorded|maintained|published|in|on|at|under)\b|:|(?<!\p{L})(?:lieg\p{L}+|steh\p{L}+|ist|sind|est|sont|se trouve\p{L}*|suivis|está[n]?|se ven?|se encuentran?|fica[m]?|estão|лежат|находятся|ведём|в|są|w|si trova\p{L}*)(?!\p{L})|在|にあり|에 있/iu;
const DUE =
  /\b\d{4}-\d{2}-\d{2}\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\d{1,2}月/iu;
const OF_THE_WORK =
  /\b(?:commits?|pull requests?|prs?|tests?|code|comments?|branch\p{L}*|functions?|mocks?|lint\p{L}*|refactor\p{L}*|reviews?|types?|imports?|dependenc\p{L}+|plans?|diffs?)\b/iu;

/** "Look up incidents at …": an order that only gives a place. */
const LOOK_UP = /^(?:look (?:up|for)|find|see|read|check|consult|search)\b/iu;

/** `whole` includes the lead-in words, because a leading "No" may belong to "No one …". */
function* scoresOf(sentence: string, whole: string): Generator<readonly [NoteType, number]> {
  const isAboutMe = aboutMe.test(sentence);
  const isOrder = [sentence, withoutStart(sentence), withoutComment(sentence)].some(isAnOrder);
  // "I prefer short commits" is about the user and about how to work. Preferred answers are only about the user.
  const isBoth = isAboutMe && PREFERENCE.test(sentence) && OF_THE_WORK.test(sentence);
  if (isAboutMe) yield ["user", isBoth ? 2.5 : 4];
  if (isBoth) yield ["feedback", 3];
  if (isOrder || (forbidsAll.test(whole) && !stopped.test(whole))) yield ["feedback", 3];
  const isOtherWay = changedWay.test(sentence) && !stated.test(withoutStart(sentence));
  if ((howToWork.test(sentence) || isOtherWay) && !isBoth) yield ["feedback", 2];
  else if (OBLIGES.test(sentence)) yield ["feedback", 1.4];
  if (ofTheProject.test(sentence)) yield ["project", 1.5];
  if (DUE.test(sentence)) yield ["project", 1];
  const named = systems.test(sentence) || ADDRESS.test(sentence);
  const isLookUp = LOOK_UP.test(sentence) && ADDRESS.test(sentence);
  if (isLookUp || (named && POINTS.test(sentence) && !isAboutMe))
    yield ["reference", isLookUp || lookedUp.test(sentence) || !isOrder ? 4 : 2];
}

/** "Build agent 3 has 16 GB" begins with a noun. */
function isAnOrder(sentence: string): boolean {
  return order.test(sentence) && !nounStart.test(sentence);
}

/** "From now on never …": removes the words that precede the order. */
function withoutStart(sentence: string): string {
  return withoutFirst(sentence, (leadsIn.exec(sentence) ?? leadsToo.exec(sentence))?.[0]);
}

/** "That was perfect, keep …": removes the comment before the order. */
function withoutComment(sentence: string): string {
  return withoutFirst(sentence, commented.exec(sentence)?.[0]);
}

function withoutFirst(sentence: string, first = ""): string {
  return sentence.slice(first.length).replace(/^[\s,:;–—-]+/u, "");
}

/** About the agent's work or the product: only the rest of the sentence shows which. */
const OBLIGES = /\b(?:must|should|ought to)\b/iu;

const PREFERENCE =
  /\b(?:prefers?|likes?|hates?|dislikes?|wants?|bevorzug\p{L}*|mag|préfèr\p{L}*|prefier\p{L}*|prefiro|wolę|предпочита\p{L}+)\b|喜欢|偏好|好み|선호/iu;

/** "in the billing module", "of our API", "in this repo". */
const NAMED =
  /\b(?:this|our) (?:project|repo(?:sitory)?|app(?:lication)?|codebase|monorepo|product|service)\b|\b(?:module|service|component|package|crate|library|endpoint|worker|screen|workspace)\b|(?<!\p{L})(?:in diesem (?:projekt|repo)|dans ce (?:projet|dépôt)|en este (?:proyecto|repo)|neste (?:projeto|repo)|в этом (?:проекте|репозитории)|w tym (?:projekcie|repozytorium))(?!\p{L})|这个(?:项目|仓库|模块)|このプロジェクト|이 프로젝트/iu;
const MOST_WORDS = 12;
const BUDGET_MS = 40;

/** Whether a preference is about a part of this project, so that it has no meaning in others. */
export function isOfThisProject(text: string, tree: WorkingTree | undefined): boolean {
  const { paths, names, signatures } = mask(text);
  if (paths + names + signatures > 0 || NAMED.test(text) || onThis.test(text)) return true;
  // A bare word may be the name of a directory: "for local runs of quota".
  const bare = keyWords(text)
    .filter((word) => /^[a-z][a-z\d_-]{3,}$/u.test(word) && !EVERYWHERE.has(word))
    .slice(0, MOST_WORDS);
  if (tree === undefined || bare.length === 0) return false;
  const directories = bare.map((word) => `${word}/`);
  const facts = tree.ask({ paths: directories, words: [], scripts: [], packages: [], branches: [] }, BUDGET_MS);
  return directories.some((directory) => facts.paths.get(directory)?.state === "here");
}

/** Directories that every project has, and words with another meaning in a preference. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  "tests test docs scripts build dist examples tools code lib src public assets config bin components hooks utils styles types pages english german french spanish terminal editor comments answers commits review reviews".split(
    " ",
  ),
);
