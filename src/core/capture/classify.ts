import type { NoteType } from "../notes/note.ts";
import { excludedBy } from "./exclusions/exclusion.ts";
import { isAboutShowing, isForNow, repeatsOthers, specifies } from "./passing.ts";
import { trimLead } from "./trim-lead.ts";
import type { Sentence } from "./sentences.ts";
import type { Signal, SignalKind } from "./signal.ts";
import { signalsIn } from "./signals.ts";
import { inferType } from "./types/infer-type.ts";
import { substance } from "./words.ts";

/** What is known of a sentence's surroundings when it is judged. */
export interface Setting {
  /** The message starts by rejecting something: "no, …", "stop", "that's wrong". */
  readonly correcting: boolean;
  /** First sentence that the person typed in this message, greetings and one-word answers aside. */
  readonly leading: boolean;
  /** An earlier sentence of the message commissions something this one may describe. */
  readonly specifying: boolean;
  /** The next sentence gives a reason: "This breaks …". */
  readonly reasonFollows: boolean;
  /** Said in three messages or more of this session. */
  readonly repeated: boolean;
  /** Names a day that can be resolved. */
  readonly dated: boolean;
}

export interface Verdict {
  readonly kind: SignalKind;
  readonly outcome: "candidate" | "ephemeral" | "derivable";
}

const REJECTS =
  /^(?:(?:no(?=[,.!:;…]|$|\s+[-–—]| (?:man|dude|never|don['’]?t|you|that|not|use|stop|i (?:said|want|meant|told)))|nope|nah|stop|wait|wrong|incorrect|dude|wtf|ugh)(?=[\s,.!:;…-]|$)|(?:i think )?(?:that|this|it)(?:['’]s| is| was)?(?: still)? (?:not (?:what|right|correct|how|it|true|the)|wrong|incorrect)|not (?:quite|what|like|that)|why (?:did|are|do|would) you|(?:i think )?you(?:['’]re| are|['’]ve| have)? (?:still|missing|misunderst\w+|hard-?coded|forgot|didn['’]?t|broke|removed|deleted|changed)|i (?:told|said|asked|didn['’]?t (?:ask|want|say|tell|mean)|meant)|we just|instead\b|(?:不是|不对|不要|错了|不行|我说)|(?:いや|違|ちが)|아니|nein\b|falsch\b|non\b|não\b|нет\b|неправильно|nie[, ]|źle\b)/i;

export function rejects(text: string): boolean {
  return REJECTS.test(text.trim());
}

/** Judges one typed sentence; `undefined` when nothing in it asks to be remembered. */
export function classify(sentence: Sentence, setting: Setting): Verdict | undefined {
  // Patterns see the head of a sentence that is too long to be one; the length gate refuses it later.
  const plain = trimLead(sentence.plain).slice(0, HEAD_LENGTH);
  if (plain.length < SHORTEST) return undefined;
  const signals = signalsIn(plain).filter((signal) => signal.kind !== "deadline" || setting.dated);
  const firm = signals.filter((signal) => signal.strength === "firm");
  if (isQuestion(plain) && !(asksPolitely(plain) && firm.length > 0)) return undefined;
  if (ABOUT_OTHERS.test(plain) || REPORTED.test(plain) || META.test(plain) || specifies(plain) || repeatsOthers(plain))
    return undefined;
  const chosen =
    firm.find((signal) => signal.kind === "confirmation") ?? firm[0] ?? supportedSignal(plain, signals, setting);
  // Said again and again in one session a task is still a task: only an order of how to work is a wish.
  if (chosen === undefined)
    return setting.repeated && ordersAHabit(sentence.text) ? { kind: "wish", outcome: "candidate" } : undefined;
  if (
    substance(plain.replace(/`x`|“…”|⟨url⟩/gu, " codespan ")) <
    (TERSE_RULE.test(plain) ? 1 : LEAST_SUBSTANCE[chosen.kind])
  )
    return undefined;
  if (setting.specifying && chosen.kind === "wish" && !FROM_NOW_ON.test(plain) && !OF_THE_WORK.test(plain))
    return undefined;
  if (isAboutTheProduct(plain, chosen, setting)) return undefined;
  if (isEphemeral(plain, chosen, firm)) return { kind: kindOf(signals, chosen), outcome: "ephemeral" };
  if (isDerivable(sentence, chosen)) return { kind: kindOf(signals, chosen), outcome: "derivable" };
  return { kind: kindOf(signals, chosen), outcome: "candidate" };
}

function ordersAHabit(text: string): boolean {
  return inferType(text).type === "feedback" && excludedBy(text) === undefined;
}

const HEAD_LENGTH = 700;
/** "no", "y", "ok go": too short to be a wish in any script. */
const SHORTEST = 5;
const FROM_NOW_ON = /\b(?:from (?:now|here) on|going forward|moving forward)\b/i;
/** A rule may be this short: "always explain why". */
const TERSE_RULE = new RegExp(`${FROM_NOW_ON.source}|^always \\w+ \\w+`, "i");

/** Subject terms without which a note could not be understood alone; a confirmation quotes its subject. */
const LEAST_SUBSTANCE: Readonly<Record<SignalKind, number>> = {
  wish: 2,
  prohibition: 2,
  correction: 2,
  decision: 2,
  deadline: 2,
  system: 2,
  preference: 1,
  identity: 1,
  confirmation: 0,
};

function supportedSignal(plain: string, signals: readonly Signal[], setting: Setting): Signal | undefined {
  const deadline = signals.find((signal) => signal.kind === "deadline");
  if (deadline !== undefined) return deadline;
  if (ONE_OFF_SCOPE.test(plain) || isAboutShowing(plain)) return undefined;
  const tentative = signals.find((signal) => signal.strength === "tentative");
  const supported =
    setting.correcting ||
    (setting.leading && tentative?.kind !== "decision") ||
    setting.reasonFollows ||
    setting.repeated ||
    REASON.test(plain) ||
    GENERAL.test(plain);
  if (tentative !== undefined && supported) return tentative;
  return setting.correcting && !NARRATIVE.test(plain) && !POINTS_AT.test(plain) && !REPOSITORY_PATH.test(plain)
    ? signals.find((signal) => signal.strength === "reaction")
    : undefined;
}

const OF_THE_WORK =
  /\b(?:you|me|ask|commits?|push|merge|prs?|pull requests?|branch|tests?|lint\w*|format\w*|review\w*|code|comments?|docs|changelog|deploy\w*|release|install|dependenc\w+|mocks?|refactor\w*|remember|keep in mind|tasks?)\b|[^\x00-\x7F]/i;

/** Orders about a part of a screen or of the code at hand, without a reason that would outlive them. */
function isAboutTheProduct(plain: string, chosen: Signal, setting: Setting): boolean {
  if (chosen.strength === "firm" && chosen.kind !== "decision" && chosen.kind !== "preference") return false;
  if (
    chosen.kind === "identity" ||
    chosen.kind === "system" ||
    chosen.kind === "deadline" ||
    chosen.kind === "confirmation"
  )
    return false;
  return PRODUCT_PART.test(plain) && !REASON.test(plain) && !setting.reasonFollows && !LASTING.test(plain);
}

const PRODUCT_PART =
  /\b(?:buttons?|modals?|pages?|headers?|footers?|sidebars?|forms?|fields?|colou?rs?|icons?|menus?|charts?|labels?|titles?|banners?|cards?|rows?|margins?|padding|layout|dialogs?|drop-?downs?|tool-?tips?|parameters?|arguments?|returns?|formula|checkbox(?:es)?|input|popup|toggle|tabs? bar|div|span|css|bot[oóã]\w*|bouton|schaltfläche)\b|кнопк|заголов|окн[оау]|страниц|иконк|przycisk|okn[oa]|stron[aęy]|ikon[aęy]|按钮|弹窗|颜色|页面|ボタン|画面|버튼|\b(?:here|ici|hier|aquí|aqui|tutaj)[.!]*$/iu;

/** "Use the other file", "the issue is not in the parser": a correction of this one step. */
const POINTS_AT =
  /\b(?:the|that) (?:other|first|second|third|last|same|right|correct|wrong|above) \w+|\b(?:this|that) one\b|^the (?:issue|problem|bug|error|cause|fix|reason)\b/i;

/** What happened or what the person sees is a report, even in the middle of a correction. */
const NARRATIVE =
  /^(?:i|we|it|this|that|there) (?:still |now |just |also |then |had |have |only )*(?:get|got|see|saw|reset|undid|reverted|ran|tried|tested|had|have|moved|deleted|removed|changed|added|need(?:ed)? (?:to|it|this|that|you)|want (?:to|it|you|this|that|the))\b(?!.*\b(?:not|never|instead)\b)/i;

/** A day named in the sentence makes it a deadline, whatever else it says. */
function kindOf(signals: readonly Signal[], chosen: Signal): SignalKind {
  if (chosen.strength === "firm") return chosen.kind;
  return signals.some((signal) => signal.kind === "deadline") ? "deadline" : chosen.kind;
}

const REASON =
  /\b(?:because|since(?! (?:v?\d|last|yesterday|then|the (?:last|beginning|start)|we (?:started|last)))|so that|otherwise|as (?:it|this|that|they|we|i)|in order to|due to|that['’]s (?:just |all )?\w+|or else)\b|因为|否则|以免|から[、。]|ので|때문|weil|damit|sonst|parce que|puisque|sinon|porque|ya que|pois|потому что|иначе|чтобы|ponieważ|bo |żeby/i;
const GENERAL =
  /\b(?:always|never|ever|in general|generally|by default|unless|anywhere|everywhere|at all|anymore|any more|no longer|throughout|in (?:the|our) (?:code(?:base)?|docs|comments|tests|repo|project))\b|任何时候|所有|每个/i;
/** Limits of the task at hand: "don't change anything else", "do not do any other…". */
const ONE_OFF_SCOPE =
  /\b(?:any ?thing else|any(?:thing)? other|other (?:changes|files|things)|anything related|about it|for this (?:one|task|change|pr|file|step)|this (?:line|file|function|step|part|section|button|page))\b/i;

const EPHEMERAL =
  /\b(?:don['’]?t|do not|not|no|never)\b[^,;]*\byet\b|\b(?:right now|just now|at the moment|this time|for the moment|for this (?:one|task|pr|commit|change|session|step)|today|tonight|this (?:morning|afternoon|evening|session|turn|pr)|until i (?:say|tell|confirm|review|approve|answer|reply)|before (?:we|you|i) (?:begin|start|continue|proceed|move on|answer)|while i|in the meantime|leave it|for a (?:moment|sec|second|minute|bit))\b|\b(?:now|for now)[.!]*$|(?:现在|先)(?:不要|别)|先别|暂时别|还不要|まだ|아직|noch nicht|pas encore|todav[ií]a no|ainda não|пока не|jeszcze nie/i;
const LASTING =
  /\b(?:from now on|going forward|from here on|always|never(?! mind)|whenever|every time|in (?:the )?future|next time)\b|以后|今后|每次|今後|앞으로|ab jetzt|désormais|a partir de a/i;

function isEphemeral(plain: string, chosen: Signal, firm: readonly Signal[]): boolean {
  if (!(EPHEMERAL.test(plain) || isForNow(plain)) || LASTING.test(plain)) return false;
  // "For now" is how lasting decisions are hedged; a decision or a fact about the person stays one.
  if (chosen.kind === "identity" || chosen.kind === "system" || chosen.kind === "deadline") return false;
  return !(firm.some((signal) => signal.kind === "decision") && !/\b(?:yet|right now|today|this time)\b/i.test(plain));
}

/** Where a thing is in the repository, what a commit did: the repository itself answers that. */
function isDerivable(sentence: Sentence, chosen: Signal): boolean {
  const plain = trimLead(sentence.text);
  if (
    chosen.kind === "system" &&
    !sentence.plain.includes("⟨url⟩") &&
    !/https?:|#[a-z]|["“]/i.test(plain) &&
    REPOSITORY_PATH.test(plain)
  )
    return true;
  return chosen.kind === "wish" && WHERE_IT_IS.test(plain) && REPOSITORY_PATH.test(plain);
}

const REPOSITORY_PATH =
  /(?:^|[\s`"'(])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w.-]*|\b[\w-]+\.(?:tsx?|jsx?|mjs|py|go|rs|java|kt|rb|php|cs|cpp|h|sql|json|ya?ml|toml|md|css|html|vue|svelte)\b/u;
const WHERE_IT_IS =
  /\b(?:is|are|lives?|located|defined|implemented|declared|handled|found) (?:in|at|under|by|inside)\b/i;

/** What a product's users do or want is a specification, not a wish to the agent. */
const ABOUT_OTHERS =
  /\b(?:the|a|an|our|each|every|your) (?:end[- ])?(?:users?|customers?|visitors?|players?) (?:always|never|prefers?|likes?|asked|said|should|must|will|can|may|might|would|wants?|needs?|has|have|is|are|to|who|don['’]?t|doesn['’]?t|does|could)\b|\bas a user\b|\b(?!Our|The|My|All|Every|Each|This|These|We)[A-Z]\w+ [A-Z]\w+ (?:doesn['’]?t|does not|should|shouldn['’]?t|needs? to|must|to) \b/u;
/** What a tool or a text says is not what the person says. */
const REPORTED =
  /\b(?:docs?|documentation|error|linter|lint|compiler|page|article|readme|warning|eslint|tutorial|log|output|message|chatgpt|copilot|stack ?overflow|he|she|they|it) (?:says?|said|states?|recommends?|suggests?|mentions?|tells?|told|complains?|reports?|claims?|warns?)\b/i;
/** Orders to write a rule down somewhere else: the rule itself is the sentence before. */
const META =
  /\b(?:make|add|create|update|write|put|document|capture|save|record)\b[^.]{0,40}\b(?:an? (?:new |existing )?rule|(?:the |your |my |our |cursor )rules?|claude\.md|agents\.md|gemini\.md|\.cursorrules)\b|(?:更新|添加|写入|创建|修改)[^。，]{0,12}(?:规则|文档)|\bso (?:that )?(?:you|we) (?:never|don['’]?t|do not) do (?:this|that|it) again\b/i;

function isQuestion(plain: string): boolean {
  return (
    /[?？]["'”’)]*$/u.test(plain) ||
    /(?:吗|呢|吧)[。.]?$/u.test(plain) ||
    (/^(?:can|could|would|will|should|shall|do|does|did|is|are|was|were|have|has|what|why|how|when|where|who|which|any)\b(?! (?:i|you|we) (?:say|ask|tell|add|create|commit|write|make))(?=.*\?|\s+(?:i|you|we|it|that|this|there|the)\b)/i.test(
      plain,
    ) &&
      !/^(?:when(?:ever)?|do not|do)\b/i.test(plain))
  );
}

function asksPolitely(plain: string): boolean {
  return (
    /^(?:please |and )?(?:can|could|would|will) you (?:please |also |just )*(?:always|never|remember|make sure|stop|not|keep|avoid|from now on|going forward|ensure)\b|\bfrom now on\b|\bgoing forward\b/i.test(
      plain,
    ) && !/\bwill you (?:know|remember how|be able)\b/i.test(plain)
  );
}

/** The note type each kind becomes. */
export function typeOf(kind: SignalKind, plain: string): NoteType {
  if (kind === "identity") return "user";
  if (kind === "system") return "reference";
  if (kind === "decision" || kind === "deadline") return "project";
  if (kind === "preference") return ABOUT_THE_WORK.test(plain) ? "feedback" : "user";
  if (kind === "wish" && STATED_WISH.test(plain)) return "project";
  if (kind === "correction" && STATES_A_FACT.test(plain)) return "project";
  return "feedback";
}

const ABOUT_THE_WORK =
  /\b(?:you|don['’]?t want|not want|tests?|commits?|code|answers?|respond|reply|comments?|instead|concise|brief|terse|short)\b/i;
/** "Remember that our API allows …": a fact about the project, with no order in it. */
const STATED_WISH =
  /^(?:please )?(?:remember|keep in mind|bear in mind|note)(?: that|:)? (?:the|our|we (?:have|are|only)|there (?:is|are))\b(?!.*\b(?:you|should|must|always|never|don['’]?t)\b)/i;
const STATES_A_FACT =
  /^(?!you\b|i\b|don['’]?t|use\b|stop)(?:\S+ ){1,4}?(?:needs?|is|are|has|have|runs?|comes?|goes|lives?|will|won['’]?t)\b/i;
