import { withoutLeadIn, patternOf, startOf, WordPattern } from "../wording/words.ts";
import { type Masked, mask } from "./masked.ts";
import { isExplained, isMeant, tellsHistory, tellsProgress, tellsRecipe, tellsStructure } from "./shapes.ts";
import tables from "./words.json" with { type: "json" };

const {
  ARCHITECTURE,
  CHANGED,
  CONVENTION_AT,
  COUNTED,
  FOR_NOW,
  HABIT,
  HAS,
  HISTORY,
  IN_PROGRESS,
  MEMBER,
  ONE_OFF,
  ORDER,
  PIECE,
  PLACE,
  RELATION,
  REMEDY,
  SYMPTOM,
  THIS_TASK,
  DECISION,
  OUTSIDE,
  PEOPLE,
  REASON,
  RULE,
  SURPRISE,
} = tables;

export type SentenceVerdict =
  | "code-structure"
  | "git-history"
  | "debugging-recipe"
  | "task-at-hand"
  /** Says something that a note is for. */
  | "kept"
  /** Something goes wrong: more of a recipe where one follows, else something that a note is for. */
  | "symptom"
  /** Says nothing of its own: a label, a word, more about the sentence before. */
  | "neutral";

const rule = patternOf(RULE);
const reason = patternOf(REASON);
const surprise = patternOf(SURPRISE);
const decision = patternOf(DECISION);
const outside = patternOf(OUTSIDE);
const people = patternOf(PEOPLE);
const place = patternOf(PLACE);
const relation = patternOf(RELATION);
const startsWithName = new WordPattern(`^⟦c⟧ (?:${relation.source})`);
const piece = patternOf(PIECE);
const architecture = patternOf(ARCHITECTURE);
const history = patternOf(HISTORY);
const changed = patternOf(CHANGED);
const symptom = patternOf(SYMPTOM);
const remedy = patternOf(REMEDY);
const thisTask = patternOf(THIS_TASK);
const inProgress = patternOf(IN_PROGRESS);
const has = patternOf(HAS);
const member = patternOf(MEMBER);
const forNow = patternOf(FOR_NOW);
const order = patternOf(ORDER);
const habit = startOf(HABIT);
const oneOff = startOf(ONE_OFF);

/** What a sentence is good for; `before` is what the one before it was excluded for. */
export function judgeSentence(sentence: string, before?: SentenceVerdict): SentenceVerdict {
  if (EXPLAINS.test(sentence) || sentence.length > MOST_CHARACTERS) return "kept";
  const masked = mask(withoutLeadIn(sentence));
  const { text } = masked;
  if (isHistory(masked)) return "git-history";
  if (isTaskAtHand(text, sentence)) return "task-at-hand";
  if (isRecipe(text, sentence, before)) return "debugging-recipe";
  if (isStructure(masked)) return "code-structure";
  const byShape = judgeShape(masked, sentence);
  if (byShape !== undefined) return byShape;
  if (saysLittle(masked, before)) return "neutral";
  return isSymptom(text) ? "symptom" : "kept";
}

function judgeShape({ text, addresses }: Masked, sentence: string): SentenceVerdict | undefined {
  if (addresses > 0 || habit.test(text) || LASTING.test(text) || isMeant(text)) return undefined;
  const says = isExplained(text) ? "more" : "this alone";
  if (says === "this alone" && tellsHistory(text)) return "git-history";
  if (DUE.test(text)) return undefined;
  if (tellsRecipe(text)) return "debugging-recipe";
  const isLonger = PERIOD.test(text) || ABOUT_ME.test(text);
  if (!isLonger && tellsProgress(sentence)) return "task-at-hand";
  if (says === "more") return undefined;
  return tellsStructure(text) ? "code-structure" : undefined;
}

/** A longer sentence says more than one thing. */
const MOST_CHARACTERS = 600;
/** "**Why:** …", "**How to apply:** …": written by whoever knows what a note is for. */
const EXPLAINS = /^[*_]*(?:why|how to apply)\b[*_]*:/iu;

const LASTING =
  /\b(?:never|always|from now on|going forward|whenever|every time|in (?:the )?future|must)\b|永远|始终|必须|一律|以后|必ず|今後|常に|항상|앞으로|(?<!\p{L})(?:immer|nie(?:mals)?|toujours|jamais|siempre|nunca|sempre|всегда|никогда|zawsze|nigdy)(?!\p{L})/iu;
/** "by 2027-03-01", "until March": what is due outlives the hour. */
const DUE =
  /\b(?:by|before|until|due|on|starts?|ends?|from) (?:the )?(?:end of |early |mid |late )?(?:\d{4}|\d{1,2}(?:st|nd|rd|th)?\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|next (?:week|month|year|quarter)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)/iu;
/** "…, I'm bad at shell scripts": who asks outlives what is asked. */
const ABOUT_ME = /\bi(?:['’]m| am) (?:\p{L}+ )?(?:an?|bad|good|new|not|used)\b/iu;
/** "From REST to gRPC this year": more than the hour. */
const MARKED = /\b(?:TODO|FIXME)\b/u;
const PERIOD = /\bfrom \S+ to \S+\b|\bthis (?:year|quarter|month)\b|\bover the next\b/iu;
/** "Fix the …", "add a …", "rename tmp …": one thing, named. */
const ONE_OBJECT =
  /^(?:\S+ )?(?:(?:the|this|that|these|those|it|its|my|all the|variable)\b|⟦[pcs]⟧)|^(?:an?|another|one|two)\b(?:.*\b(?:to|in|on|for|into|from|of|with) (?:(?:the|this|my|our|its)\b|⟦)|(?: [^ ]+){1,5}[.!]?$)/iu;
/** One of many: the order is a rule. */
const GENERAL =
  /\b(?:every|each|any|all (?!the)|always|never|when(?:ever)?|unless|new \p{L}+s|before (?:\p{L}+ing|each|every)|after (?:\p{L}+ing|each|every)|(?:before|after) the (?:code|tests?|implementation|reviews?|merge)|by default|in general|not|instead|rather)\b/iu;

/** "Remaining: …", "Next, …": what is left of the work. */
const LEFT_OVER =
  /^(?:(?:remaining|left|pending|wip|still open|open tasks?|next|tomorrow|offen|noch offen|reste|pendiente|falta)(?: \p{L}+)?: |next, )/iu;
/** "Now write the documentation". */
const NOW_DO =
  /^(?:now|next|then|finally|afterwards),? (?:let['’]s )?(?!we\b|i\b|the\b|it\b|is\b|(?:year|quarter|month|week|sprint|release|version|time|spring|summer|autumn|fall|winter)\b)\p{L}+ (?:the|this|that|these|those|it)\b/iu;
/** "When the build is red, ask Kim": what the condition tells of is no news of the hour. */
const CONDITION =
  /^(?:if|when(?:ever)?|while|as long as|unless|in case|once|wenn|falls|sobald|solange|quand|lorsque|si|cuando|quando|se|если|когда|jeśli|gdy|kiedy)\s[^,;:–—]+[,;:–—]\s*(?=\S)/iu;

function beyondCondition(text: string): string {
  return text.replace(CONDITION, "");
}

/** "Port is 8082": the word is no order. */
const IS = /^(?:is|are|was|were|ist|sind|est|sont|es|son|é|são|è|sono)(?!\p{L})/iu;

function beyondFirst(text: string): string {
  return text.replace(/^\S+\s*/u, "");
}

function isTaskAtHand(text: string, sentence: string): boolean {
  const isChosen = reason.test(text) && (decision.test(text) || outside.test(text));
  if (LEFT_OVER.test(text)) return !isChosen && !LASTING.test(text);
  if (NOW_DO.test(sentence) && !isChosen && !LASTING.test(text)) return true;
  if (thisTask.test(beyondCondition(text)) || MARKED.test(text))
    return !isChosen && !LASTING.test(text) && !DUE.test(text);
  if (inProgress.test(text))
    return ![LASTING, DUE, PERIOD, reason, decision, outside, people].some((kept) => kept.test(text));
  if (forNow.test(text) && (symptom.test(text) || /\bi (?:\p{L}+ed|broke|made)\b/iu.test(text)))
    return !outside.test(text);
  if (forNow.test(text) && (order.test(text) || (oneOff.test(text) && !IS.test(beyondFirst(text)))))
    return !reason.test(text) && !decision.test(text) && !outside.test(text) && !LASTING.test(text);
  const verb = oneOff.exec(text)?.[0];
  if (verb === undefined || /[?？]$/u.test(text)) return false;
  const object = text.slice(verb.length).trim();
  if (IS.test(object)) return false;
  const isOne = /^[\x20-\x7E⟦⟧’“”]*$/u.test(text) ? ONE_OBJECT.test(object) : true;
  return isOne && ![GENERAL, LASTING, DUE, ABOUT_ME, rule, reason, decision, people].some((kept) => kept.test(object));
}

/** "Pavel reverted the header yesterday": words of version control, by whom and when. */
const DONE_LATELY =
  /^(?:i|we|\p{Lu}\p{L}+|someone|the agent) (?:just |already )?(?:reverted|merged|rebased|committed|pushed|force-pushed|cherry-picked|squashed|refactored|bumped|renamed) .*\b(?:yesterday|today|just now|earlier|(?:this|last) (?:morning|night|week|month|\p{L}+day)|on \p{L}+day|in the last commits?|\d+ (?:days|hours|weeks) ago)\b/iu;

const LOOKED_UP =
  /\bgit (?:log|blame|history|show|diff)\b|\bcommits? (?:ahead|behind)\b|\b(?:last|latest|recent|previous|most recent) (?:\p{L}+ )?commits?\b|\b(?:last|recently|originally|first) (?:changed|touched|edited|modified|committed|rewritten)\b|\bgit history\b/iu;

/** "Branches are deleted after the merge": how it is done, not what was done. */
const CUSTOM = /\b(?:is|are|gets?) (?=\p{L}+(?:ed|en)\b)\p{L}+/giu;

/** "⟦r⟧ renames …", "v1.9.0 was cut from …". */
const TELLS_GIT =
  /^(?:the )?⟦[rh]⟧ (?:renames|removes|adds|moves|updates|introduces|deletes|refactors|reverts|bumps|touches|changes)\b|^(?:version )?v?\d+\.\d+\S* (?:was|is) (?:\p{L}+ )?(?:from|at) /iu;

function isHistory({ text, commits, requests }: Masked): boolean {
  const done = commits > 0 || requests > 0 ? text : text.replace(CUSTOM, " ");
  const isTold =
    LOOKED_UP.test(text) ||
    DONE_LATELY.test(text) ||
    TELLS_GIT.test(text) ||
    commits > 0 ||
    ((requests > 0 || history.test(done)) && changed.test(afterFirst(done)));
  return isTold && ![rule, reason, surprise, decision].some((kept) => kept.test(text));
}

/** "Split branches when …" is an order: what was done stands further on. */
function afterFirst(text: string): string {
  return /^(?:⟦|recent|last|git|session)/iu.test(text) ? text : text.replace(/^[\p{L}\p{N}]+ /u, "");
}

const FIXED_BY = /\b(?:fixed|resolved|solved) .{0,80} by \p{L}+ing\b/iu;
const ERROR_CODE = /\bE[A-Z]{5,}\b|\b\w+(?:Error|Exception)\b/u;

function isRecipe(text: string, sentence: string, before: SentenceVerdict | undefined): boolean {
  const isWrong =
    symptom.test(text) ||
    ERROR_CODE.test(sentence) ||
    FIXED_BY.test(text) ||
    before === "debugging-recipe" ||
    before === "symptom";
  if (!isWrong || !(remedy.test(text) || (before === "symptom" && CHANGED_IT.test(text)))) return false;
  if (outside.test(text) && (reason.test(text) || CAUSED.test(text))) return false;
  return !rule.test(text) && !decision.test(text) && !people.test(text);
}

/** "… is caused by a bug in Safari": what no repository tells. */
const CAUSED = /\b(?:caused by|due to|(?:came|comes) from|bug in)\b/iu;
/** After what went wrong: "Added a mutex". */
const CHANGED_IT =
  /^(?:i |we )?(?:added|removed|changed|made|moved|set|raised|lowered|increased|sorted|bumped|swapped|wrapped|cleared|deleted|replaced|renamed|pinned|downgraded|upgraded) (?:an?|the|it|its|them|that)\b/iu;

const LABELLED =
  /^(?:problem|symptom|error|issue|bug|cause|root cause|fehler|ursache|problème|cause|problema|causa|проблема|причина|问题|原因|問題)\b[^:：]{0,30}[:：]/iu;

function isSymptom(text: string): boolean {
  if ([rule, decision, outside, people].some((kept) => kept.test(text))) return false;
  return LABELLED.test(text) || (symptom.test(text) && !reason.test(text));
}

/** "in ⟦p⟧", "under ⟦p⟧". */
const AT_PATH =
  /(?<!\p{L})(?:in|under|at|inside|within|from|beside|dans|sous|en|em|no|na|nel|nella|unter|im|в|w|pod)(?: the| der| dem| le| la| el| o| a| файле| pliku| fichier| ficheiro)? ⟦p⟧|⟦p⟧ ?(?:里|中|下|にあ|に実装|で定義|에)/iu;
/** "…; use the other one": advice stands at the end. */
const ADVISES = /[;:,–—] ?(?:so |then |instead )?(?:use|run|read|call|check|do|prefer|see|ask|go|look|set|pass)\b/iu;
const ADVISES_APART =
  /[;:–—] ?(?:so |then |instead )?(?:use|run|read|call|check|do|prefer|see|ask|go|look|set|pass)\b/iu;
/** More words than these beside a path say more than where it is. */
const MOST_WORDS = 14;
/** "X — Y BUILT": a heading, not a sentence. */
const HEADLINE = /\s[—–+]\s|\b[A-Z]{4,}\b/u;
/** "with ⟦p⟧": a way to do something. */
const WITH_PATH = /\b(?:with|via|using|through|by|mit|avec|con|com|через|przez) (?:the )?⟦p⟧/iu;
/** "the function ⟦c⟧", "⟦c⟧ component". */
const NAMED_PIECE =
  /\b(?:class|function|method|hook|component|module|interface|enum|type|struct|trait|constant|variable|klasse|funktion|methode|fonction|classe|función|clase|função) ⟦c⟧|⟦c⟧ (?:class|function|method|hook|component|module|interface|enum|struct|trait)\b|(?:函数|类|方法|组件|関数|クラス) ?⟦c⟧|⟦c⟧ ?(?:函数|类|方法|组件|関数|クラス|メソッド)|(?:класс|функция|метод) ⟦c⟧/iu;
/** "calls ⟦c⟧", "is rendered by ⟦p⟧": verbs that only code does to code. */
const CODE_VERB =
  /\b(?:calls?|invokes?|extends|inherits from|imports?|renders?|wraps?|delegates to|instantiates?|subclass(?:es)?|overrides?|emits?|dispatches) (?:the )?⟦[cs]⟧|\b(?:rendered|called|handled|parsed|built|created|validated|exported|returned|computed|dispatched|invoked|imported|defined|implemented|provided) (?:by|from|in) (?:the )?⟦[pcs]⟧/iu;
/** "According to the lock file": whoever wants to know reads it there. */
const READ_OFF =
  /\b(?:according to|as (?:declared|stated|listed|shown|set) in) (?:the )?(?:lock ?file|manifest|code|sources?|⟦p⟧)/iu;
/** "… you'll find a function called slugify". */
const NAMED_IN =
  /\b(?:class|function|method|hook|component|module|interface|enum|type|constant|variable) (?:called|named) /iu;
const TABLES = /\b(?:table|column|schema|foreign key)s?\b/iu;
const SCHEMA = /\b(?:schema|database|table|project|repo(?:sitory)?|codebase|package|app)\b|项目|代码库|プロジェクト/iu;
const MACHINE = /\b(?:server|backend|frontend|cli|provider)s?\b/iu;
/** Two parts of a system, told with what they are made of. */
const PARTS =
  /\b(?:frontend|front end|backend|back end|server|client|database|api|ui|worker|queue|system)\b.*\b(?:is|are|uses?|talks?|runs?|written|built|implemented)\b.*\b(?:frontend|front end|backend|back end|server|client|database|api|ui|worker|queue)\b/iu;
const MADE_OF =
  /\b(?:(?:is|are) (?:built|written|implemented|made|an?|managed)\b|communicates?|talks? to|they talk|layers?)/iu;

const conventionAt = startOf(CONVENTION_AT);
/** "Fixtures sit beside the test": of all of them, so a convention. */
const BESIDE_ONE_ANOTHER =
  /^(?!.*\blocated\b)(?!the\b|our\b|my\b|both\b)(?:\p{L}+ ){1,3}(?:\p{L}+ )?(?:beside|next to|alongside) /iu;
/** "There are 42 tests": a number of pieces, which anybody can count. */
const COUNTED_PIECES =
  /^ (?:exactly |only )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:\p{L}+ )?\p{L}+/iu;
const counted = startOf(COUNTED);

function isStructure(masked: Masked): boolean {
  const { text, paths, names, signatures, addresses } = masked;
  if (addresses > 0 || habit.test(text)) return false;
  if (names + signatures === 0 && (paths === 0 ? BESIDE_ONE_ANOTHER.test(text) : conventionAt.test(text))) return false;
  if ([rule, reason, surprise, decision, people].some((kept) => kept.test(text))) return false;
  if (paths > 0 && (place.test(text) || AT_PATH.test(text))) return !ADVISES_APART.test(text);
  if (READ_OFF.test(text) || (paths > 0 && NAMED_IN.test(text))) return true;
  if (ADVISES.test(text)) return false;
  const marks = paths + names + signatures;
  if (signatures > 0 || architecture.test(text) || (PARTS.test(text) && MADE_OF.test(text))) return true;
  if (place.test(text) && (names > 0 ? piece.test(text) : piece.count(text) >= 2)) return true;
  if (isMadeOf(text) || (counted.test(text) && (piece.test(text) || member.test(text)))) return true;
  if (CODE_VERB.test(text) && masked.words <= MOST_WORDS) return true;
  if (names > 0 && TABLES.test(text) && relation.test(text)) return true;
  if (outside.test(text)) return false;
  if (paths > 0 && masked.words <= MOST_WORDS && !HEADLINE.test(text)) return !WITH_PATH.test(text);
  if (NAMED_PIECE.test(text)) return true;
  if (masked.words <= MOST_WORDS && !text.includes(",") && startsWithName.test(text)) return true;
  if (relation.test(text) && marks > 0 && (marks >= 2 || piece.test(text))) return true;
  return marks >= 2 && masked.words <= marks * 2.5;
}

/** "The schema has the tables …": a piece, what it is made of, and the verb between them. */
function isMadeOf(text: string): boolean {
  const verb = has.exec(text);
  if (verb === null) return false;
  const subject = text.slice(0, verb.index);
  const rest = text.slice(verb.index + verb[0].length);
  const isWhole = SCHEMA.test(subject);
  const isList = /,| and /u.test(rest) && piece.count(rest) >= 2;
  if (isList && (isWhole || /^(?:consists?|is made|comprises?|is (?:split|divided))/iu.test(verb[0]))) return true;
  if (RECORD.test(subject) && LIST.test(rest)) return true;
  if (isWhole && COUNTED_PIECES.test(rest) && piece.test(rest)) return true;
  return (piece.test(subject) || isWhole) && !MACHINE.test(subject) && member.test(rest);
}

/** "The User model has an email, a name and a password hash". */
const RECORD =
  /(?<!\b(?:pricing|price|business|support|billing|operating|threat|delivery|risk|cost) )\b(?:models?|class|table|objects?|enum|struct|interface|entity|record|klasse|modell|tabelle|clase|modelo|classe|modèle|table)\b|类|模型|クラス|モデル/iu;
const LIST = /[,、，].*(?:,| and | und | et | y | e |、|和)/iu;

const LEANS =
  /^(?:it|they|this|these|that|those|both|each|which|there|then|also|done|er|sie|es|das|il|elle|ils|ce|cela|esto|eso|isso|ele|ela|он|она|оно|они|это|to|ono|它|他们|这|これ|それ|이것|그것)(?![\p{L}])/iu;

function saysLittle(masked: Masked, before: SentenceVerdict | undefined): boolean {
  const { text, words, paths, names, signatures } = masked;
  const isCjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text);
  if (isCjk ? text.length < 4 : words < 3) return true;
  if (before === undefined || [rule, reason, surprise, decision, outside, people].some((kept) => kept.test(text)))
    return false;
  return LEANS.test(text) || (before === "code-structure" && paths + names + signatures > 0);
}
