import { type Statement, statementOf } from "../statement.ts";
import { CHANGES, type ChangeRow, DROPPED_RULES, ENDINGS, REJECTIONS } from "./phrases.ts";
import { PRACTICES } from "./settings.ts";
import { contentOf, type Token, tokensOf } from "./tokens.ts";

/** What a note says, taken apart as far as a change can be told from it. */
export interface Said {
  readonly statement: Statement;
  /** The first sentence; of "use pnpm, not npm" what it asks for, of "switched from X to Y" what holds now. */
  readonly tokens: readonly Token[];
  /** Begins with "we", "I", "the user", or with a verb: said of all that they do. */
  readonly isPractice: boolean;
  readonly negative: boolean;
  /** What it says is over or turned down: the X of "from X to Y", the Y of "X, not Y". */
  readonly from: readonly Token[] | undefined;
  /** What holds in its place. */
  readonly to: readonly Token[];
  /** What it says beside both: "the docs" of "moved the docs from X to Y". */
  readonly beside: readonly Token[];
  /** "no longer": the tokens hold no more. */
  readonly isEnded: boolean;
  /** What a rule is about that is to go. */
  readonly dropped: readonly Token[] | undefined;
  /** It tells by itself which of two is the older: "from X to Y", "X, not Y", "no longer", "now". */
  readonly isChange: boolean;
  /** Sentences beside the first. */
  readonly more: number;
  readonly text: string;
}

/** A sentence of more characters is an account, not a fact with a value. */
const LONGEST = 240;
/** So many sentences are looked through for one that says that something changed. */
const LOOKED_AT = 3;

/** `known`: what the body was found to say before. */
export function readSaid(body: string, known?: Statement): Said {
  const statement = known ?? statementOf(unquoted(body));
  const sentences = sentencesOf(body).slice(0, LOOKED_AT);
  const readings = sentences.filter(({ length }) => length <= LONGEST).map(readSentence);
  const first = sentences[0] !== undefined && sentences[0].length <= LONGEST ? readings[0] : undefined;
  const reading =
    readings.find(({ from, isEnded, dropped }) => from !== undefined || isEnded || dropped !== undefined) ??
    first ??
    NOTHING;
  return { ...reading, statement, more: Math.max(0, statement.sentences.length - 1) };
}

type Reading = Omit<Said, "statement" | "more">;

const NOTHING: Reading = {
  tokens: [],
  isPractice: false,
  negative: false,
  from: undefined,
  to: [],
  beside: [],
  isEnded: false,
  dropped: undefined,
  isChange: false,
  text: "",
};

/** Without the marks of capture around a person's own words. */
function unquoted(body: string): string {
  return body.replace(/^In the user['’]s words:\s*["“]([\s\S]*?)["”]\s*$/u, "$1").replace(/^The user says:\s*/u, "");
}

const LEAD_IN =
  /^(?:(?:please|also|ok(?:ay)?|so|and|note|remember|by the way|just so you know|fyi|for the record)\b[,:]?(?: that| to)?\s+|(?:update|correction|change|decision)\s*:\s*)+/iu;

function sentencesOf(body: string): readonly string[] {
  const rule = unquoted(body.trim()).split(/\n[^\S\n]*\*\*(?:Why|How to apply):?\*\*/u)[0] ?? "";
  return rule
    .slice(0, 4 * LONGEST)
    .split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)/u)
    .map((sentence) =>
      sentence
        .replace(/\s+/gu, " ")
        .trim()
        .replace(/[\s.!?。！？]+$/u, "")
        .replace(LEAD_IN, ""),
    )
    .filter((sentence) => sentence !== "");
}

function readSentence(text: string): Reading {
  const dropped = match(DROPPED_RULES, text)?.["what"];
  if (dropped !== undefined) return { ...NOTHING, dropped: spread(dropped), isChange: true, text };
  const changed = match(CHANGES, text);
  if (changed !== undefined) return readChange(changed, text);
  const rejected = match(REJECTIONS, text);
  if (rejected !== undefined) return readRejection(rejected, text);
  const rest = withoutEndings(text);
  const { tokens, isNow } = tokensOf(rest);
  return {
    ...NOTHING,
    tokens,
    isPractice: isPractice(text, tokens),
    negative: isNegative(rest),
    to: [],
    isEnded: rest !== text,
    isChange: isNow || rest !== text,
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

/** Made when first asked for: reading notes does not pay for it. */
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

function readRejection({ from = "", to = "" }: Parts, text: string): Reading {
  const { tokens } = tokensOf(to);
  const [value, rest] = valueAndRest(tokensOf(from.replace(/^(?:using|use)\s+/iu, "")).tokens);
  const said = tokens.findLastIndex(({ relation }) => relation?.value === "after");
  const at = said < 0 ? tokens.findLastIndex(({ isJoint }) => isJoint) : said;
  const [now] = valueAndRest(tokens.slice(at + 1));
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
  let rest = text;
  for (const row of ENDINGS)
    rest = rest.replace(new RegExp(row.says, "giu"), (word) => (/\p{sc=Han}/u.test(word) ? "" : " "));
  return rest === text ? text : rest.replace(/\s+/gu, " ").trim();
}

function isNegative(text: string): boolean {
  return statementOf(text).negative;
}

/** A compound says what both of its words say: "squash-merge". */
function spread(text: string): readonly Token[] {
  return contentOf(tokensOf(text.replace(/(?<=\p{L})-(?=\p{L})/gu, " ")).tokens);
}

/** All words of a statement, compounds in their parts. */
export function wordsOf({ text }: Said): ReadonlySet<string> {
  return new Set(tokensOf(text.replace(/(?<=\p{L})-(?=\p{L})/gu, " ")).tokens.map(({ term }) => term));
}

const PRONOUN = /^(?:we|i|our team|the team|the user|you|wir|ich|on|nous|je|noi|nosotros|nós|мы|я)(?=\s)/iu;

/** Said of all that somebody does, whatever comes after: "we track bugs in Jira", "use pnpm". */
function isPractice(text: string, [first]: readonly Token[]): boolean {
  if (PRONOUN.test(text)) return true;
  return first?.relation === undefined ? PRACTICES.has(first?.written.toLowerCase() ?? "") : first.relation.id !== "be";
}
