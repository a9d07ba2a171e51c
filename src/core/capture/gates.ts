import { findHidden, stripHidden, stripTyped } from "../shared/hidden.ts";
import { recentToolTexts } from "../transcripts/tool-texts.ts";
import type { Transcript } from "../transcripts/turn.ts";
import type { ExistingNote, RefusalReason } from "./plan.ts";
import { isContained, statementOf } from "../notes/statement.ts";
import { oneLine } from "../shared/text.ts";
import { flatten } from "../notes/wording/words.ts";

/** Longest sentence that is still one wish; beyond it someone pasted something. */
const SENTENCE_LIMIT = 600;
/** A shorter sentence can be someone else's words by chance. */
const SAME_WORDS_FLOOR = 20;

/** Whose words a sentence can be, other than the person's. */
export interface OtherVoices {
  /** Flattened text of everything tools returned. */
  readonly tools: readonly string[];
  /** The sentences of the notes that recall may have shown. */
  readonly notes: readonly string[];
}

export function listenTo(transcript: Transcript, existing: readonly ExistingNote[]): OtherVoices {
  let tools: readonly string[] | undefined;
  return {
    // A session of any client is heard as far back as memory allows; most sentences ask for nothing, and then nobody listens.
    get tools() {
      return (tools ??= recentToolTexts(transcript.toolTexts).map(flatten));
    },
    notes: existing.flatMap(({ description, body }) => [description, ...body.split(SENTENCE_END)]),
  };
}

export function isToolText(sentence: string, voices: OtherVoices): boolean {
  return occursIn(sentence, voices.tools);
}

/** The same words with the same signs, whole, and not the rest of a sentence that denies them: else a wish would go for a likeness. */
export function isRecalledText(sentence: string, voices: OtherVoices): boolean {
  const flat = flatten(sentence);
  if (flat.length < minimumLength(flat)) return false;
  const wanted = statementOf(sentence);
  return voices.notes.some(
    (known) => flatten(known).includes(flat) && (isSpoken(known, sentence) || isContained(wanted, statementOf(known))),
  );
}

const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/u;

/** Letter for letter, but for white space, marks around it and letter case. */
function isSpoken(known: string, sentence: string): boolean {
  const plain = (text: string): string =>
    oneLine(text)
      .toLowerCase()
      .replace(/^[\s>*+#"'“”-]+|[\s.!?。！？"'“”*]+$/gu, "");
  return plain(known) === plain(sentence);
}

export function occursIn(sentence: string, texts: readonly string[]): boolean {
  const flat = flatten(sentence);
  return flat.length >= minimumLength(flat) && texts.some((text) => text.includes(flat));
}

// Scripts without spaces say in eight characters what takes twenty elsewhere.
function minimumLength(flat: string): number {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(flat) ? 8 : SAME_WORDS_FLOOR;
}

/** Text written at an agent by someone who is not its user: the shape of a planted instruction. */
export function isPlanted(text: string): boolean {
  return PLANTED.test(text);
}

const PLANTED =
  /\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier) (?:instructions?|rules?|messages?|prompts?)\b|\b(?:notes?|notice|instructions?|message|attention|important|reminder) (?:for|to) (?:all |any |the )?(?:ai|llm|language model|coding agents?|agents?|assistants?|claude|chatgpt|copilot)\b|\b(?:ai|llm) (?:agents?|assistants?|models?) (?:must|should|reading|processing)\b|\bthe user (?:always |never |really )?(?:wants?|prefers?|likes?|needs?|asked|has asked|said|approves?)\b.{0,80}\b(?:commit|push|memory|send|run|execute|disable|skip)/i;

/** "In my other repo we …": true there, and nobody's business here. */
export function isAboutAnotherProject(text: string): boolean {
  return ANOTHER_PROJECT.test(text);
}

const ANOTHER_PROJECT =
  /(?<!\b(?:like|as|same|from) )\b(?:in|on|for|at) (?:(?:my|our|an?|the|that) )?(?:other|another|old|previous|last|different) (?:project|repo(?:sitory)?|codebase|job|company|employer)\b|(?:另一个|别的|其他)(?:项目|仓库|公司)|(?:別の|他の)(?:プロジェクト|リポジトリ|会社)|다른\s?(?:프로젝트|저장소|회사)|\b(?:im|in einem|für ein) anderen? (?:projekt|repo)|\bdans (?:un |l['’]|mon )autre (?:projet|dépôt)|\ben (?:el |mi |un )?otro (?:proyecto|repo)|\b(?:em|no|num|em um) outro (?:projeto|repo)|в другом (?:проекте|репозитории)/iu;

export function isTooLong(text: string): boolean {
  return text.length > SENTENCE_LIMIT;
}

/** What a keyboard leaves in a text hides nothing. */
export function hasHidden(text: string): boolean {
  return findHidden(stripTyped(text)).length > 0;
}

/** The visible part, and how much was not. */
export function showHidden(text: string): string {
  const count = findHidden(text).reduce((sum, run) => sum + Array.from(text.slice(run.start, run.end)).length, 0);
  return `${stripHidden(text).trim()} [${count} hidden characters]`;
}

/** A sentence of a session, with whoever else may have said it. */
export interface Heard {
  readonly text: string;
  readonly origin: "typed" | "quoted";
  /** What the agent had said before it, flattened. */
  readonly agent: readonly string[];
  readonly voices: OtherVoices;
}

/** Why a sentence is not the person's own to keep, secrets aside. */
export function refusalOfWords({ text, origin, agent, voices }: Heard): RefusalReason | undefined {
  if (isRecalledText(text, voices)) return "recalled-text";
  if (origin === "quoted" || isPlanted(text) || isToolText(text, voices) || occursIn(text, agent))
    return "not-the-users-words";
  return undefined;
}
