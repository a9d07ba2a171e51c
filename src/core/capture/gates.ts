import { findHidden, stripHidden, stripTyped } from "../shared/hidden.ts";
import { recentToolTexts } from "../transcripts/tool-texts.ts";
import type { Transcript } from "../transcripts/turn.ts";
import type { ExistingNote, RefusalReason } from "./plan.ts";
import { isContained, statementOf } from "../notes/statement.ts";
import { hasPhrase } from "./phrases.ts";
import type { Sentence } from "./sentences.ts";
import { once } from "../shared/once.ts";
import { maskSecrets, SECRET_MARK, type SecretScanner } from "../shared/secrets/mask.ts";
import { oneLine, truncate } from "../shared/text.ts";
import { sentenceEnd } from "../notes/wording/sentence-ends.ts";
import { CJK, flatten } from "../notes/wording/words.ts";

/** Longest sentence that can be one wish; a longer one was pasted. */
const SENTENCE_LIMIT = 600;
/** A shorter sentence may match someone else's words by chance. */
const SAME_WORDS_FLOOR = 20;

const SHOWN_CHARACTERS = 200;

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
  return hasPhrase("planted", text);
}

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

/** Why nothing is stored of a sentence, whatever it says. `whole`: what would be stored with it. */
export async function refusalOf(
  { text, origin }: Sentence,
  message: string,
  voices: OtherVoices,
  secrets: SecretScanner,
  whole = text,
): Promise<RefusalReason | undefined> {
  if (hasHidden(text)) return "hidden-characters";
  // A conversation handed over by a program was stored with its secrets already masked.
  if (whole.includes(SECRET_MARK) || (await maskSecrets(whole, secrets)).found) return "secret";
  if (isRecalledText(text, voices)) return "recalled-text";
  // A sentence copied from what the agent said before is the agent's.
  const agent = voices.agent().get(message) ?? [];
  if (origin === "quoted" || isPlanted(text) || isToolText(text, voices) || occursIn(text, agent))
    return "not-the-users-words";
  return isTooLong(text) ? "too-long" : undefined;
}

/** A refused text as people are shown it: short, without secrets and hidden characters. */
export async function shownRefusal(text: string, secrets: SecretScanner): Promise<string> {
  const visible = hasHidden(text) ? showHidden(text) : stripHidden(text);
  return truncate(oneLine((await maskSecrets(visible, secrets)).masked), SHOWN_CHARACTERS);
}
