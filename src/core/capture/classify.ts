import type { NoteType } from "../notes/note.ts";
import { isExplicit } from "./digest.ts";
import { explicitIn } from "./explicit-wishes.ts";
import { isNoWish } from "./passing.ts";
import type { Sentence } from "./sentences.ts";
import { trimLead } from "../notes/wording/lead-ins.ts";
import { namesAddress } from "../notes/types/infer-type.ts";
import { substance } from "../notes/wording/words.ts";

export interface Verdict {
  readonly kind: "wish" | "identity";
  readonly outcome: "candidate" | "ephemeral" | "derivable";
}

const REJECTS =
  /^(?:(?:no(?=[,.!:;…]|$|\s+[-–—]| (?:man|dude|never|don['’]?t|you|that|not|use|stop|i (?:said|want|meant|told)))|nope|nah|stop|wait|wrong|incorrect|dude|wtf|ugh)(?=[\s,.!:;…-]|$)|(?:i think )?(?:that|this|it)(?:['’]s| is| was)?(?: still)? (?:not (?:what|right|correct|how|it|true|the)|wrong|incorrect)|not (?:quite|what|like|that)|why (?:did|are|do|would) you|(?:i think )?you(?:['’]re| are|['’]ve| have)? (?:still|missing|misunderst\w+|hard-?coded|forgot|didn['’]?t|broke|removed|deleted|changed)|i (?:told|said|asked|didn['’]?t (?:ask|want|say|tell|mean)|meant)|we just|instead\b|(?:不是|不对|不要|错了|不行|我说)|(?:いや|違|ちが)|아니|nein\b|falsch\b|non\b|não\b|нет\b|неправильно|nie[, ]|źle\b)/i;

export function rejects(text: string): boolean {
  return REJECTS.test(text.trim());
}

/**
 * Judges one sentence; `undefined` when it does not say outright that something is to hold, or who somebody is.
 * `specifying`: an earlier sentence of the message commissions something this one may describe.
 */
export function classify(sentence: Sentence, specifying = false): Verdict | undefined {
  // Patterns see the head of a sentence that is too long to be one; the length gate refuses it later.
  const plain = trimLead(sentence.plain).slice(0, HEAD_LENGTH);
  if (plain.length < SHORTEST) return undefined;
  const kind = explicitIn(plain);
  if (kind === undefined || (kind === "wish" && !isExplicit(sentence.text))) return undefined;
  if (isQuestion(plain) && !asksPolitely(plain)) return undefined;
  if (
    ABOUT_OTHERS.test(plain) ||
    REPORTED.test(plain) ||
    META.test(plain) ||
    isNoWish("specifies", plain) ||
    isNoWish("repeats", plain)
  )
    return undefined;
  const least = kind === "identity" || TERSE_RULE.test(plain) ? 1 : LEAST_SUBSTANCE;
  if (substance(plain.replace(/`x`|“…”|⟨url⟩/gu, " codespan ")) < least) return undefined;
  if (kind === "identity") return { kind, outcome: "candidate" };
  if (specifying && !FROM_NOW_ON.test(plain) && !OF_THE_WORK.test(plain)) return undefined;
  if (isForTheMoment(plain)) return { kind, outcome: "ephemeral" };
  const isWhereabouts =
    WHERE_IT_IS.test(plain) && REPOSITORY_PATH.test(trimLead(sentence.text)) && !namesAddress(sentence.text);
  return { kind, outcome: isWhereabouts ? "derivable" : "candidate" };
}

const HEAD_LENGTH = 700;
/** "no", "y", "ok go": too short to be a wish in any script. */
const SHORTEST = 5;
/** Subject terms without which a note could not be understood alone. */
const LEAST_SUBSTANCE = 2;
const FROM_NOW_ON = /\b(?:from (?:now|here) on|going forward|moving forward)\b/i;
/** A rule may be this short: "always explain why". */
const TERSE_RULE = new RegExp(`${FROM_NOW_ON.source}|^always \\w+ \\w+`, "i");

const OF_THE_WORK =
  /\b(?:you|me|ask|commits?|push|merge|prs?|pull requests?|branch|tests?|lint\w*|format\w*|review\w*|code|comments?|docs|changelog|deploy\w*|release|install|dependenc\w+|mocks?|refactor\w*|remember|keep in mind|tasks?)\b|[^\x00-\x7F]/i;

const EPHEMERAL =
  /\b(?:don['’]?t|do not|not|no|never)\b[^,;]*\byet\b|\b(?:right now|just now|at the moment|this time|for the moment|for this (?:one|task|pr|commit|change|session|step)|today|tonight|this (?:morning|afternoon|evening|session|turn|pr)|until i (?:say|tell|confirm|review|approve|answer|reply)|before (?:we|you|i) (?:begin|start|continue|proceed|move on|answer)|while i|in the meantime|leave it|for a (?:moment|sec|second|minute|bit))\b|\b(?:now|for now)[.!]*$|(?:现在|先)(?:不要|别)|先别|暂时别|还不要|まだ|아직|noch nicht|pas encore|todav[ií]a no|ainda não|пока не|jeszcze nie/i;
const LASTING =
  /\b(?:from now on|going forward|from here on|always|never(?! mind)|whenever|every time|in (?:the )?future|next time)\b|以后|今后|每次|今後|앞으로|ab jetzt|désormais|a partir de a/i;

/** "Don't push yet": over when the task is, and nothing in it that lasts. */
function isForTheMoment(plain: string): boolean {
  return (EPHEMERAL.test(plain) || isNoWish("forNow", plain)) && !LASTING.test(plain);
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
export function typeOf(kind: Verdict["kind"], plain: string): NoteType {
  if (kind === "identity") return "user";
  if (namesAddress(plain)) return "reference";
  return STATED_WISH.test(plain) ? "project" : "feedback";
}

/** "Remember that our API allows …": a fact about the project, with no order in it. */
const STATED_WISH =
  /^(?:please )?(?:remember|keep in mind|bear in mind|note)(?: that|:)? (?:the|our|we (?:have|are|only)|there (?:is|are))\b(?!.*\b(?:you|should|must|always|never|don['’]?t)\b)/i;
