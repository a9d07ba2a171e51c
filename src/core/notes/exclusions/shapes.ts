import { patternOf, startOf } from "../wording/words.ts";
import tables from "./words.json" with { type: "json" };

const {
  HAS,
  MEMBER,
  PIECE,
  SYMPTOM,
  DECISION,
  OUTSIDE,
  PEOPLE,
  REASON,
  RULE,
  SURPRISE,
  ALTERED,
  AUTHORSHIP,
  BEYOND_CODE,
  BUILT,
  BUILT_OF_CODE,
  KNOWN_PART,
  LAST_CHANGE,
  PART,
  PAST_WHEN,
  PROGRESS,
  PUT_RIGHT,
  RECODED,
  WISH,
} = tables;

/*
 * What a sentence is by its shape alone, without a path, a name or a commit in it: who does what to which part of a
 * program, and when. All of it gives way to a wish, a reason, a decision and whatever lies outside the repository.
 */

const piece = patternOf(PIECE);
const part = patternOf(PART);
const symptom = patternOf(SYMPTOM);
const member = patternOf(MEMBER);
const has = patternOf(HAS);
const built = patternOf(BUILT);
const builtOfCode = patternOf(BUILT_OF_CODE);
const pastWhen = patternOf(PAST_WHEN);
const recoded = patternOf(RECODED);
const altered = patternOf(ALTERED);
const lastChange = startOf(LAST_CHANGE);
const authorship = patternOf(AUTHORSHIP);
const putRight = patternOf(PUT_RIGHT);
const progress = patternOf(PROGRESS);
const wish = patternOf(WISH);
const beyondCode = patternOf(BEYOND_CODE);
const knownPart = startOf(KNOWN_PART);
const reason = patternOf(REASON);
const outside = patternOf(OUTSIDE);
/** Whatever else is said, these make it a note. */
const KEPT = [RULE, DECISION, PEOPLE].map(patternOf);
const KEPT_BESIDE = [REASON, SURPRISE, OUTSIDE].map(patternOf);

/** "What the order is for" is asked, not told. */
const ASKED = /[?？]\s*$/u;

function isPart(text: string): boolean {
  return part.test(text) || piece.test(text);
}

/** A wish, a rule, a decision, a question or whom to ask: whatever else is said, it is a note. */
export function isMeant(text: string): boolean {
  return wish.test(text) || ASKED.test(text) || KEPT.some((kept) => kept.test(text));
}

/** Says why, what surprises, or what lies outside the repository. */
export function isExplained(text: string): boolean {
  return KEPT_BESIDE.some((kept) => kept.test(text));
}

/** "All screens …", "each …": what holds of every one of them may be a convention. */
const OF_ALL =
  /^(?:all|each|every|any|new|alle|jede[rs]?|neue|tous|toutes|chaque|todos|todas|cada|ogni|tutti|tutte|tod[oa]s|кажд\p{L}+|все|wszystkie|każd\p{L}+)(?!\p{L})|^\p{L}+s (?:that|which|with|without|of|from)\b|^(?:每|所有|すべて|各|모든)/iu;
/** "handled by a middleware": whose part it is stands behind the verb. */
const BY_PART = /^(?:is|are|wird|werden|est|sont) .* (?:by|through|via|durch|von|par)$/iu;

/** "The order service calls the payment service": a part, a verb of construction, another part. */
export function tellsStructure(text: string): boolean {
  if (OF_ALL.test(text)) return false;
  const code = builtOfCode.exec(text);
  if (code !== null && isPart(text.slice(0, code.index))) return true;
  if (relatesParts(text)) return true;
  const verb = built.exec(text) ?? has.exec(text);
  if (verb === null) return false;
  const rest = text.slice(verb.index + verb[0].length);
  const isOfPart = isPart(text.slice(0, verb.index)) || BY_PART.test(verb[0]);
  return isOfPart && (isPart(rest) || member.test(rest) || isPart(verb[0]));
}

/** The words in which the subject of a sentence stands, behind its article. */
const SUBJECT_WORDS = 3;
const GERMAN = /(?<!\p{L})(?:der|die|das|ein|eine|und|ist|sind|wird|von|im|den|dem)(?!\p{L})/iu;

/** "The invoice module depends on the tax module": a known part and another one, no value, no name and nobody. */
function relatesParts(text: string): boolean {
  const article = knownPart.exec(text)?.[0];
  if (article === undefined || /\d/u.test(text) || beyondCode.test(text) || NOT_DONE.test(text)) return false;
  if (!GERMAN.test(text) && PROPER.test(text)) return false;
  if (pastWhen.test(text)) return false;
  const words = text.slice(article.length).trim().split(/\s+/u);
  if (words.length <= SUBJECT_WORDS) return false;
  return isPart(words.slice(0, SUBJECT_WORDS).join(" ")) && isPart(words.slice(SUBJECT_WORDS).join(" "));
}

/** Capital letters behind the first word: "replaced Jenkins with GitHub" is a change of what is used. */
const PROPER =
  /(?<=\s)(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|I\b)\p{Lu}\p{L}+/u;
const EXCHANGED = /\b(?:replaced|converted|ported|changed|split)\b/iu;
/** "was introduced when …", "wurde entfernt": done to it, by whomever. */
const PASSIVE =
  /\b(?:was|were|has been|have been|got)\b|(?<!\p{L})(?:wurden?|a été|ont été|fueron?|foi|foram|è stat[oa]|sono stat[ei])(?!\p{L})/iu;

/** "Sven implemented …", "We added …". */
const BY_SOMEBODY = /^(?:i|we|\p{Lu}\p{L}+|someone|somebody) (?:just |already |has |have )?\p{L}+ed\b/u;

/** "Branches are deleted", "will be renamed": how it is done, and what is to come. */
const NOT_DONE =
  /\b(?:is|are|gets?) (?=\p{L}+(?:ed|en)\b)\p{L}+|\b(?:will|shall|going to)\b|(?<!\p{L})(?:wird|werden|wirst|será|serán|serão|verrà|verranno|sera|seront|будет|будут|będzie|będą)(?!\p{L})|将|会|予定|예정/iu;

/** "Last week we merged …": a change of code, and when or by whom it was made. */
export function tellsHistory(text: string): boolean {
  if (NOT_DONE.test(text)) return false;
  if (lastChange.test(text) || (authorship.test(text) && isPart(text))) return true;
  const isDated = pastWhen.test(text);
  if (recoded.test(text) && (isDated || (PASSIVE.test(text) && isPart(text)))) return true;
  if (!altered.test(text) || !isPart(text) || (EXCHANGED.test(text) && PROPER.test(text))) return false;
  return isDated || PASSIVE.test(text) || BY_SOMEBODY.test(text);
}

/** "If you see a warning, wrap …": a condition, and a change of code or of the machine. */
const IF_WRONG =
  /^(?:if|when|whenever|should) [^,;:]+[,;:] (?:just |simply |then )?(?:wrap|add|cast|import|install|upgrade|downgrade|pin|prune|rebuild|delete|clear|remove|set|bump|regenerate|reinstall|kill|wipe)\b(?!.*\b(?:first|before|always|only)\b)/iu;

/** "The fix was to …", "went away once I …": what put it right, whether or not the sentence says what was wrong. */
export function tellsRecipe(text: string): boolean {
  const isTold = putRight.test(text) || (IF_WRONG.test(text) && symptom.test(text));
  return isTold && !outside.test(text);
}

/** "Halfway through …", "step two is done": how far the work is. */
export function tellsProgress(text: string): boolean {
  return progress.test(text) && !outside.test(text) && !reason.test(text);
}
