import { dayIn } from "../shared/clock.ts";
import { stripHidden } from "../shared/hidden.ts";
import { oneLine, truncate } from "../shared/text.ts";
import type { Transcript, Turn } from "../transcripts/turn.ts";
import list from "./digest-signals.json" with { type: "json" };
import { isTooLong, isToolText, listenTo } from "./gates.ts";
import { maskSecrets } from "../shared/secrets/mask.ts";
import type { SecretScanner } from "../shared/secrets/mask.ts";
import { splitSentences } from "./sentences.ts";
import { flatten } from "../notes/wording/words.ts";

/** What a person typed in one session, few enough words for a mind to read all of them. */
export interface Digest {
  readonly session: string;
  readonly turns: readonly DigestTurn[];
  /** Words of the person's that are in it; at most the limit. */
  readonly words: number;
  /** Sentences that found no room. */
  readonly left: number;
}

export interface DigestTurn {
  /** The message's id: what evidence points at. */
  readonly id: string;
  /** ISO day in the session's zone; relative dates are read from it. */
  readonly day: string | undefined;
  /** What the agent had asked, with its options, where the answer means nothing without it. */
  readonly question: string | undefined;
  /** In the order they were said. */
  readonly sentences: readonly string[];
}

export interface DigestDeps {
  readonly secrets: SecretScanner;
  /** IANA zone of the session. */
  readonly timeZone: string;
  /** Whether some note says a sentence already: such a one takes no room. */
  readonly isKnown?: (sentence: string) => boolean;
}

/** All that most sessions have; a third of them says more than 200. */
export const DIGEST_WORDS = 500;
/** An answer of so few words is shown with the question it answers. */
const SHORT_ANSWER_WORDS = 12;
const QUESTION_CHARACTERS = 600;

/**
 * The sentences a person typed: no pastes, no quotations, no words of tools, no secrets, no hidden characters. All of
 * them where they fit; else those with the most signals, and with them the sentence that they lean on.
 */
export async function digestSession(
  transcript: Transcript,
  deps: DigestDeps,
  fits: (digest: Digest) => boolean = () => true,
): Promise<Digest> {
  const { isKnown = () => false, timeZone } = deps;
  const said = (await typedSentences(transcript, deps)).filter(({ text }) => !isKnown(text));
  const chosen = new Set<number>();
  let words = 0;
  // Where a sentence found no room, none of as many words is tried: few tries, however long the session was.
  let room = DIGEST_WORDS + 1;
  for (const at of byScore(said)) {
    const needed = withAntecedent(said, at).filter((one) => !chosen.has(one));
    const more = needed.reduce((sum, one) => sum + (said[one]?.words ?? 0), 0);
    if (more >= room || words + more > DIGEST_WORDS) continue;
    for (const one of needed) chosen.add(one);
    if (fits(digestOf(transcript, said, chosen, timeZone))) words += more;
    else {
      for (const one of needed) chosen.delete(one);
      room = more;
    }
  }
  return digestOf(transcript, said, chosen, timeZone);
}

/** The digest as a conversation, for a mind that reads conversations: each question before its answer. */
export function conversationOf({ turns }: Digest, transcript: Transcript): readonly Turn[] {
  return turns.flatMap(({ id, question, sentences }): Turn[] => {
    const time = transcript.turns.find((turn) => turn.id === id)?.time;
    const spoken = { time, toolCalls: [] };
    const asked: Turn[] =
      question === undefined ? [] : [{ ...spoken, role: "assistant", id: `${id} asked`, text: question }];
    return [...asked, { ...spoken, role: "user", id, text: sentences.join("\n") }];
  });
}

function digestOf(
  { session, turns }: Transcript,
  said: readonly SaidSentence[],
  chosen: ReadonlySet<number>,
  timeZone: string,
): Digest {
  const shown = [...chosen].toSorted((a, b) => a - b).flatMap((at) => said[at] ?? []);
  const messages = [...new Set(shown.map(({ turn }) => turn))].flatMap((index): DigestTurn[] => {
    const turn = turns[index];
    const own = shown.filter((one) => one.turn === index);
    if (turn === undefined) return [];
    return [
      {
        id: turn.id,
        day: dayOf(turn, timeZone),
        question: [...new Set(own.flatMap(({ question }) => question ?? []))].join(" ") || undefined,
        sentences: own.map(({ text }) => text),
      },
    ];
  });
  const words = shown.reduce((sum, one) => sum + one.words, 0);
  return { session, turns: messages, words, left: said.length - chosen.size };
}

interface SaidSentence {
  /** Index into the turns of the transcript. */
  readonly turn: number;
  readonly text: string;
  readonly words: number;
  readonly score: number;
  readonly question: string | undefined;
  /** It means little without the sentence before it, in the same message. */
  readonly leans: boolean;
}

async function typedSentences(transcript: Transcript, deps: DigestDeps): Promise<readonly SaidSentence[]> {
  const voices = listenTo(transcript, []);
  const seen = new Set<string>();
  const said: SaidSentence[] = [];
  for (const [index, turn] of transcript.turns.entries()) {
    if (turn.role !== "user" || CLIENT_TURN.test(turn.text)) continue;
    for (const { question, answer, options } of turn.answers ?? []) {
      const asked = options.length === 0 ? question : `${question} (${options.join(" / ")})`;
      said.push(await sentenceOf(answer, index, asked, deps));
    }
    const own = splitSentences(stripHidden(turn.text))
      .filter(({ origin, text }) => origin === "typed" && !isTooLong(text) && !isToolText(text, voices))
      .map(({ text }) => text);
    const short = own.reduce((sum, text) => sum + countWords(text), 0) <= SHORT_ANSWER_WORDS;
    const question = short ? questionBefore(transcript.turns, index) : undefined;
    if (question === undefined && own.every(isEmpty)) continue;
    for (const [at, text] of own.entries()) {
      const key = flatten(text);
      // What is said again in the same words is a retry; an answer to another question is not.
      if (question === undefined && seen.has(key)) continue;
      seen.add(key);
      const sentence = await sentenceOf(text, index, question, deps);
      said.push({ ...sentence, leans: at > 0 && LEANING.test(sentence.text) });
    }
  }
  return said;
}

async function sentenceOf(
  said: string,
  turn: number,
  asked: string | undefined,
  { secrets }: DigestDeps,
): Promise<SaidSentence> {
  const text = (await maskSecrets(oneLine(stripHidden(said)), secrets)).masked;
  const question =
    asked === undefined
      ? undefined
      : (await maskSecrets(truncate(oneLine(stripHidden(asked)), QUESTION_CHARACTERS), secrets)).masked;
  const score = scoreSentence(text) + (asked === undefined ? 0 : 1);
  return { turn, text, words: countWords(text), score, question, leans: false };
}

/** Positions, the strongest first; among equals the shorter one, so that more of them find room, and then the later one: what was said last holds. */
function byScore(said: readonly SaidSentence[]): readonly number[] {
  return [...said.keys()].toSorted(
    (a, b) => (said[b]?.score ?? 0) - (said[a]?.score ?? 0) || (said[a]?.words ?? 0) - (said[b]?.words ?? 0) || b - a,
  );
}

function withAntecedent(said: readonly SaidSentence[], at: number): readonly number[] {
  const before = said[at - 1];
  return said[at]?.leans === true && before?.turn === said[at]?.turn ? [at - 1, at] : [at];
}

/** The end of what the agent said right before, where it asks something. */
function questionBefore(turns: readonly Turn[], index: number): string | undefined {
  const before = turns[index - 1];
  if (before?.role !== "assistant") return undefined;
  const text = before.text.trim();
  const last = text.split(/\n\s*\n/u).findLastIndex((paragraph) => /[?？]/u.test(paragraph));
  if (last === -1) return undefined;
  return text
    .split(/\n\s*\n/u)
    .slice(last)
    .join("\n\n");
}

/** Text that a client writes into a message of the person's when a plan is accepted. */
const CLIENT_TURN = /^\s*implement the (?:following plan:|plan as specified, it is attached)/iu;

function isEmpty(text: string): boolean {
  const words = flatten(text).split(" ");
  return words.length <= 6 && words.every((word) => EMPTY.has(word));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const EMPTY: ReadonlySet<string> = new Set(list.empty.split("|"));

/** Which signs a sentence has, by their names; `address` beside them. */
export function signsIn(text: string): ReadonlySet<string> {
  return new Set(NAMED.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name));
}

/** What a sentence's signals add up to. */
export function scoreSentence(text: string): number {
  let score = 0;
  for (const { weight, pattern } of PATTERNS) if (pattern.test(text)) score += weight;
  return score;
}

/** Whether a sentence itself says that it is to hold from now on, or is to be remembered. */
export function isExplicit(text: string): boolean {
  return EXPLICIT.test(text);
}

/** What tells that a typed sentence may matter again: a few words a language each, none of a project's own. */
export const DIGEST_SIGNALS = list.signals.map((signal) => ({ ...signal, words: signal.words.split("|") }));

/** Words that last, and those with which a person asks to be asked. */
const EXPLICIT = anyOf([
  ...DIGEST_SIGNALS.filter(({ name }) => name === "lasting").flatMap(({ words }) => words),
  ...list.asking.split("|"),
]);

const NAMED = [
  ...DIGEST_SIGNALS.map(({ name, weight, words }) => ({ name, weight, pattern: anyOf(words) })),
  // An address, a channel, a host, a code span.
  { name: "address", weight: 2, pattern: /https?:\/\/|\b[\w.+-]+@[\w-]+\.\w|(?<!\w)#[a-z][\w-]+|`[^`]+`/iu },
];

const PATTERNS: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  ...NAMED,
  // A date, a version or an amount with a unit.
  { weight: 1, pattern: /\d/u },
  // A question of the person's asks; it seldom tells.
  { weight: -2, pattern: /[?？]\s*$/u },
];

const LEANING = new RegExp(`^(?:${anyOf(list.leaning.split("|")).source})`, "iu");

/** Any of the words: whole ones, and parts where a script writes none apart. */
function anyOf(words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&").replaceAll("'", "['’]"));
  const joined = escaped.filter((word) => !UNSPACED.test(word)).join("|");
  const parts = escaped.filter((word) => UNSPACED.test(word)).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${joined})(?![\\p{L}\\p{N}])${parts === "" ? "" : `|${parts}`}`, "iu");
}

/** Words between spaces; two characters of a script without spaces count as one. */
function countWords(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const spaced = text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, " ").match(/\S+/gu);
  return (spaced?.length ?? 0) + Math.ceil(unspaced / 2);
}

function dayOf({ time }: Turn, timeZone: string): string | undefined {
  const ms = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : dayIn(timeZone, ms);
}
