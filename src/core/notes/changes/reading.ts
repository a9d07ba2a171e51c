import { once, readOnce } from "../../shared/once.ts";
import { sentenceBreak, type Statement, statementOf } from "../statement.ts";
import {
  type ChangeRow,
  CHANGES,
  DROPPED_RULES,
  ENDINGS,
  JOINTS,
  LIGHT,
  NOW,
  PRACTICES,
  REJECTIONS,
  RENAMED,
  WHOLE,
} from "./phrases.ts";
import { stem } from "../terms.ts";
import { bare, unquoted, withoutAdded, withoutWhen } from "./framing.ts";
import { settingOf, type Word as Term, type Wording, wordingOf } from "./wording.ts";
import { type RelationRow, RELATIONS } from "./relations.ts";

/** A word of a statement, with what is needed to detect changes. */
export interface Token {
  /** Lower case, stemmed if it is an English word; used for comparison. */
  readonly term: string;
  readonly written: string;
  readonly kind: "number" | "time" | "word";
  /** Begins with a capital letter within a sentence, or is written as code. */
  readonly isName: boolean;
  /** Joins parts of the sentence. */
  readonly isJoint: boolean;
  /** Names an environment, a place, a component, people or a condition. */
  readonly isSetting: boolean;
  /** "listens on" is one token. */
  readonly relation: RelationRow | undefined;
}

const TOKEN =
  /`([^`\n]{1,80})`|([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|\p{sc=Hangul}+)|(\d[\d.,:]*)(?![\p{L}\d])|((?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{N}\p{M}_./@#+$~'’-])+)|(%)/gu;

const TIME =
  /^(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?$|^(?:noon|midnight|morning|evening|\d{1,2}(?::\d{2})?(?:am|pm)|\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2})$/u;

/** Numbers as words; "one" is too ambiguous. */
const COUNTS: ReadonlySet<string> = new Set("two three four five six seven eight nine ten twelve twenty".split(" "));

interface Phrase {
  readonly words: readonly string[];
  readonly relation: RelationRow | undefined;
}

/** "run|runs on|at" is four phrases. */
function expand(form: string): readonly (readonly string[])[] {
  return form
    .split(" ")
    .map((word) => word.split("|"))
    .reduce<readonly (readonly string[])[]>(
      (all, words) => all.flatMap((phrase) => words.map((word) => [...phrase, word])),
      [[]],
    );
}

function byFirstWord(phrases: readonly Phrase[]): ReadonlyMap<string, readonly Phrase[]> {
  const found = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const first = phrase.words[0] ?? "";
    found.set(
      first,
      [...(found.get(first) ?? []), phrase].toSorted((a, b) => b.words.length - a.words.length),
    );
  }
  return found;
}

const RELATION_PHRASES = byFirstWord(
  RELATIONS.flatMap((relation) => relation.forms.flatMap(expand).map((words) => ({ words, relation }))),
);

const NOW_PHRASES = byFirstWord(
  NOW.flatMap((row) => row.split("|")).map((phrase) => ({ words: phrase.split(" "), relation: undefined })),
);

/** The tokens of a text, without words that carry no meaning. `isNow`: it says "from now on". */
function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly isNow: boolean } {
  const words = wordsIn(text);
  const lasting: Word[] = [];
  let isNow = false;
  for (let at = 0; at < words.length;) {
    const phrase = phraseAt(words, at, NOW_PHRASES);
    isNow ||= phrase !== undefined;
    const word = words[at];
    if (phrase === undefined && word !== undefined && !WHOLE.has(word.lower)) lasting.push(word);
    at += phrase?.words.length ?? 1;
  }
  const tokens: Token[] = [];
  for (let at = 0; at < lasting.length;) {
    const phrase = phraseAt(lasting, at, RELATION_PHRASES);
    const word = lasting[at];
    if (word === undefined) break;
    if (phrase !== undefined) tokens.push(relationToken(phrase, word));
    else if (word.isCode || ABBREVIATION.test(word.written) || !LIGHT.has(word.lower))
      tokens.push(tokenOf(word, at === 0));
    at += phrase?.words.length ?? 1;
  }
  return { tokens, isNow };
}

/** "US" is no pronoun. */
const ABBREVIATION = /^\p{Lu}{2,}$/u;

interface Word {
  readonly written: string;
  readonly lower: string;
  readonly isCode: boolean;
}

function wordsIn(text: string): readonly Word[] {
  return [...text.matchAll(TOKEN)].flatMap(([, code, unspaced, number, plain, sign]): Word[] => {
    if (code !== undefined) return [{ written: code, lower: code.toLowerCase(), isCode: true }];
    const written = unspaced ?? sign ?? (number ?? plain ?? "").replace(/[.,:'’/-]+$/u, "");
    const lower = written.toLowerCase().replaceAll("’", "'").replace(/'s$/u, "");
    return lower === "" ? [] : [{ written, lower, isCode: false }];
  });
}

function phraseAt(
  words: readonly Word[],
  at: number,
  phrases: ReadonlyMap<string, readonly Phrase[]>,
): Phrase | undefined {
  return phrases
    .get(words[at]?.lower ?? "")
    ?.find((phrase) => phrase.words.every((word, offset) => words[at + offset]?.lower === word));
}

function relationToken({ relation }: Phrase, { written }: Word): Token {
  const term = `\u0000${relation?.id ?? ""}`;
  return { term, written, kind: "word", isName: false, isJoint: false, isSetting: false, relation };
}

function tokenOf({ written, lower, isCode }: Word, isFirst: boolean): Token {
  const kind = TIME.test(lower) ? "time" : /^\d/u.test(lower) || COUNTS.has(lower) ? "number" : "word";
  return {
    term: kind === "word" && !isCode && /^[a-z]+$/u.test(lower) ? stem(lower) : lower,
    written,
    kind,
    isName: isCode || (!isFirst && /^\p{Lu}/u.test(written)) || /\p{Ll}\p{Lu}|\d/u.test(written),
    isJoint: !isCode && JOINTS.has(lower) && !ABBREVIATION.test(written),
    isSetting: settingOf(written, lower) !== undefined,
    relation: undefined,
  };
}

/** Words that say what a statement is about: without its relations and joints. */
export function contentOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ isJoint, relation }) => !isJoint && relation === undefined);
}

export function isSame(first: readonly Token[], second: readonly Token[]): boolean {
  return first.length === second.length && first.every(({ term }, at) => term === second[at]?.term);
}

/** What a note says, parsed as far as needed to detect a change. */
export interface Said {
  readonly statement: Statement;
  /** The first sentence; for "use pnpm, not npm" what it asks for, for "switched from X to Y" what holds now. */
  readonly tokens: readonly Token[];
  /** Begins with "we", "I", "the user" or a verb, so it applies to all that they do. */
  readonly isPractice: boolean;
  readonly negative: boolean;
  /** What it says is over or rejected: the X of "from X to Y", the Y of "X, not Y". */
  readonly from: readonly Token[] | undefined;
  /** What holds in its place. */
  readonly to: readonly Token[];
  /** What else it says: "the docs" of "moved the docs from X to Y". */
  readonly beside: readonly Token[];
  /** A thing or its name, "renamed X to Y": `from` is either. */
  readonly isRenaming: boolean;
  /** "no longer": the tokens no longer hold. */
  readonly isEnded: boolean;
  /** What a rule that is to be dropped is about. */
  readonly dropped: readonly Term[] | undefined;
  /** It shows itself which of two is older: "from X to Y", "X, not Y", "no longer", "now". */
  readonly isChange: boolean;
  /** Number of sentences after the first. */
  readonly more: number;
  readonly text: string;
  /** The text without the framing that capture adds. */
  readonly body: string;
  /** Tokens of the first sentence up to its reason or a second part. */
  readonly clause: () => readonly Token[];
  /** The whole body, in the form that learned weights use. */
  readonly wording: () => Wording;
}

/** A statement that says what it leaves behind. */
export type Leaving = Said & { readonly from: readonly Token[] };

/** A sentence with more characters is an account, not a fact with a value. */
const LONGEST = 240;

/** How many sentences are searched for one that announces a change. */
const LOOKED_AT = 3;

/** `known`: the statement read from the body before. */
export function readSaid(body: string, known?: Statement): Said {
  const { reading, statement } = readingOf(body);
  const said = known ?? statement;
  return { ...reading, statement: said, more: Math.max(0, said.sentences.length - 1) };
}

const readingOf = readOnce((body) => ({ reading: readBody(body), statement: statementOf(unquoted(body)) }));

function readBody(text: string): Omit<Said, "statement" | "more"> {
  const body = withoutAdded(unquoted(text.trim()));
  const sentences = sentencesOf(body).slice(0, LOOKED_AT);
  const [clause = ""] = (sentences[0] ?? "").slice(0, LONGEST).split(PART);
  return {
    ...readFirst(sentences),
    body,
    clause: once(() => tokensOf(clause).tokens),
    wording: once(() => wordingOf(body)),
  };
}

/** Where a reason begins, or a second part. */
const PART =
  /[,;:，；](?= ?\S)| (?:because|since|so that|weil|denn|parce que|car|porque|perché|bo|ponieważ|потому что) /u;

function readFirst(sentences: readonly string[]): Reading {
  const readings = sentences.filter(({ length }) => length <= LONGEST).map(readSentence);
  const first = sentences[0] !== undefined && sentences[0].length <= LONGEST ? readings[0] : undefined;
  const told = readings.find(({ from, isEnded, dropped }) => from !== undefined || isEnded || dropped !== undefined);
  return told ?? first ?? NOTHING;
}

type Reading = Omit<Said, "statement" | "more" | "body" | "clause" | "wording">;

const NOTHING: Reading = {
  tokens: [],
  to: [],
  beside: [],
  isPractice: false,
  negative: false,
  from: undefined,
  isRenaming: false,
  isEnded: false,
  dropped: undefined,
  isChange: false,
  text: "",
};

/** "CI: Jenkins" and nothing else: says what a thing is. */
const LABELLED = /^(\p{L}[\p{L}\p{N}_-]*(?: [\p{L}\p{N}_-]+)?): (?=\S+(?: \S+)?$)/u;

function sentencesOf(body: string): readonly string[] {
  const rule = body.split(/\n[^\S\n]*\*\*(?:Why|How to apply):?\*\*/u)[0] ?? "";
  return rule
    .slice(0, 4 * LONGEST)
    .split(sentenceBreak())
    .map(bare)
    .filter((sentence) => sentence !== "")
    .map((sentence, _, { length }) => (length === 1 ? sentence.replace(LABELLED, "the $1 is ") : sentence));
}

function readSentence(sentence: string): Reading {
  const { text, isSince } = withoutWhen(sentence);
  const dropped = match(DROPPED_RULES, text)?.["what"];
  if (dropped !== undefined) return { ...NOTHING, dropped: subjectOf(dropped), isChange: true, text };
  const renamed = match(RENAMED, text);
  if (renamed !== undefined) return { ...readChange(renamed, text), isRenaming: true };
  const changed = match(CHANGES, text);
  if (changed !== undefined) return readChange(changed, text);
  const rejected = match(REJECTIONS, text);
  if (rejected !== undefined) return readRejection(rejected, text);
  // "We no longer use npm, we use pnpm": the first part says what is over.
  const [clause = text] = text.split(/[,;，；、]\s*(?=\S)/u);
  const ended = withoutEndings(clause);
  const isPart = ended !== clause && clause.length < text.length;
  const rest = isPart ? ended : withoutEndings(text);
  const { tokens, isNow } = tokensOf(rest);
  return {
    ...NOTHING,
    tokens,
    isPractice: isPractice(text, tokens),
    negative: isNegative(rest),
    to: [],
    isEnded: rest !== text,
    isChange: isNow || isSince || rest !== text,
    text,
  };
}

type Parts = Readonly<Record<string, string | undefined>>;

function match(rows: readonly ChangeRow[], text: string): Parts | undefined {
  for (const row of rows) {
    const { groups } = patternOf(row).exec(text) ?? {};
    if (groups !== undefined) return groups;
  }
  return undefined;
}

const patterns = new WeakMap<ChangeRow, RegExp>();

function patternOf(row: ChangeRow): RegExp {
  const known = patterns.get(row) ?? new RegExp(`^${row.says.replace(/^\^/u, "")}$`, "iu");
  patterns.set(row, known);
  return known;
}

function readChange({ from = "", to = "", what = "", more = "" }: Parts, text: string): Reading {
  const [now, after] = valueAndRest(tokensOf(to).tokens);
  const [before, afterFrom] = valueAndRest(tokensOf(from).tokens);
  const about = [...tokensOf(what).tokens, ...tokensOf(more).tokens];
  const use = tokensOf("use").tokens;
  return {
    ...NOTHING,
    tokens: [...about, ...use, ...now, ...after],
    isPractice: isPractice(text, use),
    from: before.length === 0 ? undefined : before,
    to: now,
    beside: contentOf([...about, ...after, ...afterFrom]),
    isChange: true,
    text,
  };
}

function readRejection({ from = "", to = "", more = "" }: Parts, text: string): Reading {
  const { tokens } = tokensOf(to);
  const [value, after] = valueAndRest(tokensOf(from.replace(/^(?:using|use)\s+/iu, "")).tokens);
  const rest = [...after, ...tokensOf(more).tokens];
  const said = tokens.findLastIndex(({ relation }) => relation?.value === "after");
  const at = said < 0 ? tokens.findLastIndex(({ isJoint }) => isJoint) : said;
  // In Japanese and Korean the verb stands last.
  const [now] = valueAndRest(at + 1 < tokens.length ? tokens.slice(at + 1) : tokens);
  const others = tokens.filter((token) => !now.includes(token));
  const isKnown = value.length > 0 && now.length > 0 && !isNegative(to);
  return {
    ...NOTHING,
    tokens: [...tokens, ...rest],
    isPractice: isPractice(text, tokens),
    negative: isNegative(to),
    from: isKnown ? value : undefined,
    to: now,
    beside: contentOf([...others, ...rest]),
    isChange: isKnown,
    text,
  };
}

/** The value up to the first joint, and what follows it. */
function valueAndRest(tokens: readonly Token[]): readonly [readonly Token[], readonly Token[]] {
  const at = tokens.findIndex(({ isJoint, relation }) => isJoint || relation !== undefined);
  return at < 0 ? [tokens, []] : [tokens.slice(0, at), tokens.slice(at)];
}

function withoutEndings(text: string): string {
  if (!ANY_ENDING().test(text)) return text;
  let rest = text;
  for (const row of ENDINGS)
    rest = rest.replace(endingOf(row), (word: string, kept: unknown) =>
      typeof kept === "string" ? ` ${kept} ` : /\p{sc=Han}/u.test(word) ? "" : " ",
    );
  return rest === text ? text : rest.replace(/\s+/gu, " ").trim();
}

/** Few sentences say that something is over. */
const ANY_ENDING = once(() => new RegExp(ENDINGS.map(({ says }) => says).join("|"), "iu"));

const endings = new WeakMap<ChangeRow, RegExp>();

function endingOf(row: ChangeRow): RegExp {
  const known = endings.get(row) ?? new RegExp(row.says, "giu");
  endings.set(row, known);
  return known;
}

function isNegative(text: string): boolean {
  return statementOf(text).negative;
}

/** Without what follows: "the rule about force pushes; nobody needs it". */
function subjectOf(dropped: string): readonly Term[] {
  return wordingOf(dropped.split(PART)[0] ?? "").content;
}

const PRONOUN = /^(?:we|i|our team|the team|the user|you|wir|ich|on|nous|je|noi|nosotros|nós|мы|я)(?=\s)/iu;

/** Whether it applies to all that they do, whatever follows: "we track bugs in Jira", "use pnpm". */
function isPractice(text: string, [first]: readonly Token[]): boolean {
  if (PRONOUN.test(text)) return true;
  return first?.relation === undefined ? PRACTICES.has(first?.written.toLowerCase() ?? "") : first.relation.id !== "be";
}
