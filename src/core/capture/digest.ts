import { dayIn } from "../shared/clock.ts";
import { stripHidden } from "../shared/hidden.ts";
import { oneLine, truncate } from "../shared/text.ts";
import { timeOf, type Transcript, type Turn } from "../transcripts/turn.ts";
import type { SaidOnce } from "./asking.ts";
import list from "./digest-signals.json" with { type: "json" };
import { isTooLong, isToolText, listenTo } from "./gates.ts";
import { maskSecrets, SECRET_MARK, type SecretScanner } from "../shared/secrets/mask.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { CJK, flatten } from "../notes/wording/words.ts";

/** What a person typed in one session, short enough for a model or a person to read in full. */
export interface Digest {
  /** In the order it was said. */
  readonly said: readonly SaidOnce[];
  /** Number of the user's words in it; at most the limit. */
  readonly words: number;
  /** Number of sentences that did not fit. */
  readonly left: number;
}

export interface DigestDeps {
  readonly secrets: SecretScanner;
  /** IANA zone of the session. */
  readonly timeZone: string;
  /** Tells whether a note already says this sentence; known sentences are left out. */
  readonly isKnown?: (sentence: string) => boolean;
}

/** Enough for everything said in most sessions; a third of them have more than 200 words. */
export const DIGEST_WORDS = 500;
/** An answer of at most this many words is shown with its question. */
const SHORT_ANSWER_WORDS = 12;
const QUESTION_CHARACTERS = 600;

/**
 * The sentences a person typed, without pastes, quotations, tool output, secrets or hidden characters. All of them if
 * they fit; otherwise those with the strongest signals, each with the sentence it depends on.
 */
export async function digestSession(
  transcript: Transcript,
  deps: DigestDeps,
  fits: (digest: Digest) => boolean = () => true,
): Promise<Digest> {
  const { isKnown = () => false, timeZone } = deps;
  const said = (await typedSentences(transcript, deps)).filter(({ text }) => !isKnown(text));
  let chosen: ReadonlySet<number> = new Set();
  let digest = digestOf(said, chosen, timeZone);
  // Once a sentence does not fit, only shorter ones are tried, so even a long session needs few tries.
  let room = DIGEST_WORDS + 1;
  // By rank, highest first; on a tie the later sentence.
  for (const at of [...said.keys()].toSorted((a, b) => (said[b]?.rank ?? 0) - (said[a]?.rank ?? 0) || b - a)) {
    const needed = withAntecedent(said, at).filter((one) => !chosen.has(one));
    const more = needed.reduce((sum, one) => sum + (said[one]?.words ?? 0), 0);
    if (more >= room || digest.words + more > DIGEST_WORDS) continue;
    const wider = new Set([...chosen, ...needed]);
    const next = digestOf(said, wider, timeZone);
    if (fits(next)) [chosen, digest] = [wider, next];
    else room = more;
  }
  return digest;
}

/** The digest as a conversation, with each question before its answer. */
export function conversationOf({ said }: Digest, transcript: Transcript): readonly Turn[] {
  return [...new Set(said.map(({ message }) => message))].flatMap((id): Turn[] => {
    const own = said.filter(({ message }) => message === id);
    const question = own[0]?.question;
    const spoken = { time: transcript.turns.find((turn) => turn.id === id)?.time, toolCalls: [] };
    const asked: Turn[] =
      question === undefined ? [] : [{ ...spoken, role: "assistant", id: `${id} asked`, text: question }];
    return [...asked, { ...spoken, role: "user", id, text: own.map(({ sentence }) => sentence).join("\n") }];
  });
}

function digestOf(said: readonly SaidSentence[], chosen: ReadonlySet<number>, timeZone: string): Digest {
  const shown = [...chosen].toSorted((a, b) => a - b).flatMap((at) => said[at] ?? []);
  // What answers several questions in one message is shown with all of them.
  const questionOf = (turn: Turn): string | undefined =>
    [...new Set(shown.flatMap((one) => (one.turn === turn ? (one.question ?? []) : [])))].join(" ") || undefined;
  return {
    said: shown.map(({ turn, text }) => ({
      message: turn.id,
      day: dayOf(turn, timeZone),
      question: questionOf(turn),
      sentence: text,
    })),
    words: shown.reduce((sum, one) => sum + one.words, 0),
    left: said.length - chosen.size,
  };
}

interface SaidSentence {
  readonly turn: Turn;
  readonly text: string;
  readonly words: number;
  readonly rank: number;
  readonly question: string | undefined;
}

async function typedSentences(transcript: Transcript, deps: DigestDeps): Promise<readonly SaidSentence[]> {
  const voices = listenTo(transcript, []);
  const seen = new Set<string>();
  const said: SaidSentence[] = [];
  const add = async (text: string, turn: Turn, asked: string | undefined): Promise<void> => {
    const key = flatten(text);
    // A sentence repeated word for word is a retry, unless it answers another question.
    if (asked !== undefined || !seen.has(key)) said.push(...(await sentenceOf(text, turn, asked, deps)));
    seen.add(key);
  };
  for (const [index, turn] of transcript.turns.entries()) {
    if (turn.role !== "user" || CLIENT_TURN.test(turn.text)) continue;
    for (const { question, answer, options } of turn.answers ?? [])
      await add(answer, turn, options.length === 0 ? question : `${question} (${options.join(" / ")})`);
    // A secret may be told by the words of another sentence.
    const { masked } = await maskSecrets(stripHidden(turn.text), deps.secrets);
    const own = splitSentences(masked).filter(
      ({ origin, text }) => origin !== "quoted" && !isTooLong(text) && !isToolText(text, voices),
    );
    const short = own.reduce((sum, { text }) => sum + countWords(text), 0) <= SHORT_ANSWER_WORDS;
    const question = short ? questionBefore(transcript.turns, index) : undefined;
    if (question === undefined && own.every(isEmpty)) continue;
    for (const { text } of own) await add(text, turn, question);
  }
  return said;
}

/** None for a sentence with a secret: without it, little is left that lasts. */
async function sentenceOf(
  said: string,
  turn: Turn,
  asked: string | undefined,
  { secrets }: DigestDeps,
): Promise<readonly SaidSentence[]> {
  const { found, masked: text } = await maskSecrets(oneLine(stripHidden(said)), secrets);
  if (found || text.includes(SECRET_MARK)) return [];
  const question =
    asked && (await maskSecrets(truncate(oneLine(stripHidden(asked)), QUESTION_CHARACTERS), secrets)).masked;
  const words = countWords(text);
  return [{ turn, text, words, rank: rankOf(text, words, asked !== undefined), question }];
}

const [FEW_WORDS, SOME_WORDS, MANY_WORDS] = [4, 8, 30];

/** Its signals, and its length: a few words say little that lasts, and a question rarely states anything. */
function rankOf(text: string, words: number, isAnswer: boolean): number {
  const score = scoreSentence(text) + (isAnswer ? 1 : 0);
  const length = words < FEW_WORDS ? -2 : words < SOME_WORDS ? 0 : 1;
  return score + length + Math.min(words, MANY_WORDS) / 100 - (QUESTION.test(text) ? 2 : 0);
}

/** A sentence with the one before it, if it means little without that. */
function withAntecedent(said: readonly SaidSentence[], at: number): readonly number[] {
  const [before, one] = [said[at - 1], said[at]];
  const isOfSame = before !== undefined && before.turn === one?.turn && before.question === one.question;
  return isOfSame && leansBack(one.text) ? [at - 1, at] : [at];
}

/** The end of the agent's preceding message, from its last paragraph with a question. */
function questionBefore(turns: readonly Turn[], index: number): string | undefined {
  const before = turns[index - 1];
  if (before?.role !== "assistant") return undefined;
  const paragraphs = before.text.trim().split(/\n\s*\n/u);
  const last = paragraphs.findLastIndex((paragraph) => /[?？]/u.test(paragraph));
  return last === -1 ? undefined : paragraphs.slice(last).join("\n\n");
}

/** Text that a client writes into the user's message when a plan is accepted. */
const CLIENT_TURN = /^\s*implement the (?:following plan:|plan as specified, it is attached)/iu;

function isEmpty({ text }: Sentence): boolean {
  const words = flatten(text).split(" ");
  return words.length <= 6 && words.every((word) => EMPTY.has(word));
}

const EMPTY: ReadonlySet<string> = new Set(list.empty.split("|"));

/** The names of the signals in a sentence. */
export function signsIn(text: string): ReadonlySet<string> {
  return new Set(SIGNALS.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name));
}

/** The sum of a sentence's signals. */
export function scoreSentence(text: string): number {
  return SIGNALS.reduce((score, { weight, pattern }) => (pattern.test(text) ? score + weight : score), 0);
}

/** Whether a sentence says that it holds from now on, or asks to be remembered. */
export function isExplicit(text: string): boolean {
  return EXPLICIT.test(text);
}

/** Whether a sentence begins with a word such as "that", which refers to the sentence before. */
export function leansBack(text: string): boolean {
  return LEANING.test(text);
}

/** Signals that a typed sentence may matter again: a few words per language, none specific to a project. */
const SIGNALS = list.signals.map(({ name, weight, words, pattern }) => ({
  name,
  weight,
  pattern: pattern === undefined ? anyOf(words) : new RegExp(pattern, "iu"),
}));

/** Words for lasting rules, and words that ask to be consulted. */
const EXPLICIT = anyOf(`${list.signals.find(({ name }) => name === "lasting")?.words}|${list.asking}`);

const LEANING = new RegExp(`^(?:${anyOf(list.leaning).source})`, "iu");

export const QUESTION = /[?？]\s*$/u;

/** Matches any of the words between bars: whole words, or substrings in scripts without spaces. */
function anyOf(words: string): RegExp {
  const escaped = words
    .split("|")
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&").replaceAll("'", "['’]"));
  const joined = escaped.filter((word) => !CJK.test(word)).join("|");
  const parts = escaped.filter((word) => CJK.test(word)).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${joined})(?![\\p{L}\\p{N}])${parts === "" ? "" : `|${parts}`}`, "iu");
}

/** Space-separated words; in scripts without spaces, two characters count as one word. */
function countWords(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const spaced = text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, " ").match(/\S+/gu);
  return (spaced?.length ?? 0) + Math.ceil(unspaced / 2);
}

/** The ISO day on which a turn was said. */
export function dayOf(turn: Turn, timeZone: string): string | undefined {
  const ms = timeOf(turn);
  return ms === undefined ? undefined : dayIn(timeZone, ms);
}
