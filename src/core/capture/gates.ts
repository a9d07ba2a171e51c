import { findHidden, stripHidden, stripTyped } from "../shared/hidden.ts";
import { recentToolTexts } from "../transcripts/tool-texts.ts";
import type { Transcript } from "../transcripts/turn.ts";
import type { ExistingNote, RefusalReason } from "./plan.ts";
import { isContained, statementOf } from "../notes/statement.ts";
import type { Sentence } from "./sentences.ts";
import { once } from "../shared/once.ts";
import { oneLine } from "../shared/text.ts";
import { sentenceEnd } from "../notes/wording/sentence-ends.ts";
import { CJK, flatten } from "../notes/wording/words.ts";

/** Longest sentence that can be one wish; a longer one was pasted. */
const SENTENCE_LIMIT = 600;
/** A shorter sentence may match someone else's words by chance. */
const SAME_WORDS_FLOOR = 20;

/** Other sources that a sentence may come from. */
export interface OtherVoices {
  /** Flattened text of all tool output. Read on first use: it can be large, and most sentences ask for nothing. */
  readonly tools: () => readonly string[];
  /** What the agent said before each message of the user, flattened. */
  readonly agent: () => ReadonlyMap<string, readonly string[]>;
  /** The sentences of the notes that recall may have shown. */
  readonly notes: readonly string[];
}

export function listenTo(transcript: Transcript, existing: readonly ExistingNote[]): OtherVoices {
  return {
    tools: once(() => recentToolTexts(transcript.toolTexts).map(flatten)),
    agent: once(() => saidBefore(transcript)),
    notes: existing.flatMap(({ description, body }) => [
      description,
      ...body.split("\n").flatMap((line) => line.split(sentenceEnd())),
    ]),
  };
}

function saidBefore({ turns }: Transcript): ReadonlyMap<string, readonly string[]> {
  const texts: string[] = [];
  const before = new Map<string, readonly string[]>();
  for (const { role, text, id } of turns)
    if (role === "assistant") texts.push(flatten(text));
    else before.set(id, [...texts]);
  return before;
}

export function isToolText(sentence: string, voices: OtherVoices): boolean {
  return occursIn(sentence, voices.tools());
}

/** Whether a sentence repeats a note in full, negation included. A looser match would drop wishes that look similar. */
export function isRecalledText(sentence: string, voices: OtherVoices): boolean {
  const flat = flatten(sentence);
  if (flat.length < minimumLength(flat)) return false;
  const wanted = statementOf(sentence);
  return voices.notes.some(
    (known) => flatten(known).includes(flat) && (isSpoken(known, sentence) || isContained(wanted, statementOf(known))),
  );
}

/** Identical except for white space, surrounding marks and letter case. */
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

// Scripts without spaces express in eight characters what takes twenty elsewhere.
function minimumLength(flat: string): number {
  return CJK.test(flat) ? 8 : SAME_WORDS_FLOOR;
}

/** Text addressed to an agent by someone other than its user: a planted instruction. */
export function isPlanted(text: string): boolean {
  return PLANTED.test(text);
}

const PLANTED =
  /\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier) (?:instructions?|rules?|messages?|prompts?)\b|\b(?:notes?|notice|instructions?|message|attention|important|reminder) (?:for|to) (?:all |any |the )?(?:ai|llm|language model|coding agents?|agents?|assistants?|claude|chatgpt|copilot)\b|\b(?:ai|llm) (?:agents?|assistants?|models?) (?:must|should|reading|processing)\b|\bthe user (?:always |never |really )?(?:wants?|prefers?|likes?|needs?|asked|has asked|said|approves?)\b.{0,80}\b(?:commit|push|memory|send|run|execute|disable|skip)/i;

/** "In my other repo we …": does not apply to this project. */
export function isAboutAnotherProject(text: string): boolean {
  return ANOTHER_PROJECT.test(text);
}

const ANOTHER_PROJECT =
  /(?<!\b(?:like|as|same|from) )\b(?:in|on|for|at) (?:(?:my|our|an?|the|that) )?(?:other|another|old|previous|last|different) (?:project|repo(?:sitory)?|codebase|job|company|employer)\b|(?:另一个|别的|其他)(?:项目|仓库|公司)|(?:別の|他の)(?:プロジェクト|リポジトリ|会社)|다른\s?(?:프로젝트|저장소|회사)|\b(?:im|in einem|für ein) anderen? (?:projekt|repo)|\bdans (?:un |l['’]|mon )autre (?:projet|dépôt)|\ben (?:el |mi |un )?otro (?:proyecto|repo)|\b(?:em|no|num|em um) outro (?:projeto|repo)|в другом (?:проекте|репозитории)/iu;

export function isTooLong(text: string): boolean {
  return text.length > SENTENCE_LIMIT;
}

/** Ignores control characters that a keyboard leaves in a text. */
export function hasHidden(text: string): boolean {
  return findHidden(stripTyped(text)).length > 0;
}

/** The visible part, with the number of hidden characters. */
export function showHidden(text: string): string {
  const count = findHidden(text).reduce((sum, run) => sum + Array.from(text.slice(run.start, run.end)).length, 0);
  return `${stripHidden(text).trim()} [${count} hidden characters]`;
}

/** Why a sentence of a message does not count as the user's own words; secrets are checked elsewhere. */
export function refusalOfWords(
  { text, origin }: Sentence,
  message: string,
  voices: OtherVoices,
): RefusalReason | undefined {
  if (isRecalledText(text, voices)) return "recalled-text";
  // A sentence copied from what the agent said before is the agent's.
  const agent = voices.agent().get(message) ?? [];
  if (origin === "quoted" || isPlanted(text) || isToolText(text, voices) || occursIn(text, agent))
    return "not-the-users-words";
  return undefined;
}
