import type { NoteType } from "../notes/note.ts";
import { isExplicit } from "./digest.ts";
import { explicitIn } from "./explicit-wishes.ts";
import { reportsFrom } from "./foreign-text.ts";
import { isNoWish } from "./passing.ts";
import type { Sentence } from "./sentences.ts";
import { trimLead, substance } from "../notes/wording/words.ts";
import { namesAddress } from "../notes/types/infer-type.ts";

export interface Verdict {
  readonly kind: "wish" | "identity";
  readonly outcome: "candidate" | "ephemeral";
}

const REJECTS =
  /^(?:(?:no(?=[,.!:;…]|$|\s+[-–—]| (?:man|dude|never|don['’]?t|you|that|not|use|stop|i (?:said|want|meant|told)))|nope|nah|stop|wait|wrong|incorrect|dude|wtf|ugh)(?=[\s,.!:;…-]|$)|(?:i think )?(?:that|this|it)(?:['’]s| is| was)?(?: still)? (?:not (?:what|right|correct|how|it|true|the)|wrong|incorrect)|not (?:quite|what|like|that)|why (?:did|are|do|would) you|(?:i think )?you(?:['’]re| are|['’]ve| have)? (?:still|missing|misunderst\w+|hard-?coded|forgot|didn['’]?t|broke|removed|deleted|changed)|i (?:told|said|asked|didn['’]?t (?:ask|want|say|tell|mean)|meant)|we just|instead\b|(?:不是|不对|不要|错了|不行|我说)|(?:いや|違|ちが)|아니|nein\b|falsch\b|non\b|não\b|нет\b|неправильно|nie[, ]|źle\b)/i;

export function rejects(text: string): boolean {
  return REJECTS.test(text.trim());
}

/**
 * Judges one sentence; `undefined` when it does not explicitly state a lasting rule or who someone is.
 * `specifying`: an earlier sentence of the message asks for something that this one may describe.
 */
export function classify(sentence: Sentence, specifying = false): Verdict | undefined {
  // Patterns see only the beginning of an overlong sentence; the length gate refuses it later.
  const plain = trimLead(sentence.plain).slice(0, HEAD_LENGTH);
  if (plain.length < SHORTEST) return undefined;
  const kind = explicitIn(plain);
  if (kind === undefined || (kind === "wish" && !isExplicit(sentence.text))) return undefined;
  if (QUESTION.test(plain) && !ASKS_POLITELY.test(plain)) return undefined;
  const reported = reportsFrom(plain);
  if (reported !== -1 && explicitIn(plain.slice(0, reported)) === undefined) return undefined;
  if (META.test(plain) || (["specifies", "repeats", "jokes"] as const).some((sign) => isNoWish(sign, plain)))
    return undefined;
  const least = kind === "identity" || TERSE_RULE.test(plain) ? 1 : LEAST_SUBSTANCE;
  if (substance(plain.replace(/`x`|“…”|⟨url⟩/gu, " codespan ")) < least) return undefined;
  if (kind === "identity") return OF_TODAY.test(plain) ? undefined : { kind, outcome: "candidate" };
  if (specifying && !FROM_NOW_ON.test(plain)) return undefined;
  return { kind, outcome: isForTheMoment(plain) ? "ephemeral" : "candidate" };
}

const HEAD_LENGTH = 700;
/** "no", "y", "ok go": too short to be a wish in any script. */
const SHORTEST = 5;
/** Fewest subject terms with which a note can be understood on its own. */
const LEAST_SUBSTANCE = 2;
const FROM_NOW_ON = /\b(?:from (?:now|here) on|going forward|moving forward)\b/i;
/** A rule may be this short: "always explain why". */
const TERSE_RULE = new RegExp(`${FROM_NOW_ON.source}|^always \\w+ \\w+`, "i");

const EPHEMERAL =
  /\b(?:don['’]?t|do not|not|no|never)\b[^,;]*\byet\b|\b(?:right now|just now|at the moment|this time|for the moment|for this (?:one|task|pr|commit|change|session|step)|today|tonight|this (?:morning|afternoon|evening|session|turn|pr)|until i (?:say|tell|confirm|review|approve|answer|reply)|before (?:we|you|i) (?:begin|start|continue|proceed|move on|answer)|while i|in the meantime|leave it|for a (?:moment|sec|second|minute|bit))\b|\b(?:now|for now)[.!]*$|(?:现在|先)(?:不要|别)|先别|暂时别|还不要|まだ|아직|noch nicht|pas encore|todav[ií]a no|ainda não|пока не|jeszcze nie/i;
const LASTING =
  /\b(?:from now on|going forward|from here on|always|never(?! mind)|whenever|every time|in (?:the )?future|next time)\b|以后|今后|每次|今後|앞으로|ab jetzt|désormais|a partir de a/i;

/** "I'm a bad developer today". */
const OF_TODAY =
  /\bmy (?:\w+ ){1,2}(?:is|are) (?:\w+ing\b|(?:on fire|slow|broken|dead|down|full|old|gone|out of|not|so|too|very|really|still|just)\b)|\b(?:today|tonight|right now|at the moment|this (?:week|morning|time))\b/i;

/** "Don't push yet": holds only for the current task and says nothing lasting. */
export function isForTheMoment(plain: string): boolean {
  return isNoWish("onlyHere", plain) || ((EPHEMERAL.test(plain) || isNoWish("forNow", plain)) && !LASTING.test(plain));
}

/** An order to write a rule down somewhere else: the rule itself is the sentence before. */
const META =
  /\b(?:make|add|create|update|write|put|document|capture|save|record)\b[^.]{0,40}\b(?:an? (?:new |existing )?rule|(?:the |your |my |our |cursor )rules?|claude\.md|agents\.md|gemini\.md|\.cursorrules)\b|(?:更新|添加|写入|创建|修改)[^。，]{0,12}(?:规则|文档)|\bso (?:that )?(?:you|we) (?:never|don['’]?t|do not) do (?:this|that|it) again\b/i;

const QUESTION = /[?？]["'”’)]*$|(?:吗|呢|吧)[。.]?$/u;

/** "Could you always …?" asks for it. */
const ASKS_POLITELY =
  /^(?:please |and )?(?:can|could|would|will) you (?:please |also |just )*(?:always|never|remember|make sure|stop|not|keep|avoid|from now on|going forward|ensure)\b|\bfrom now on\b|\bgoing forward\b/i;

/** The note type for each kind. */
export function typeOf(kind: Verdict["kind"], plain: string): NoteType {
  if (kind === "identity") return "user";
  if (namesAddress(plain)) return "reference";
  return STATED_WISH.test(plain) ? "project" : "feedback";
}

/** "Remember that our API allows …": a fact about the project, not an order. */
const STATED_WISH =
  /^(?:please )?(?:remember|keep in mind|bear in mind|note)(?: that|:)? (?:the|our|we (?:have|are|only)|there (?:is|are))\b(?!.*\b(?:you|should|must|always|never|don['’]?t)\b)/i;
