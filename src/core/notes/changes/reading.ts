import { type Groups, groupsIn } from "../../shared/ignoring-case.ts";
import { once, readOnce } from "../../shared/once.ts";
import { sentenceBreak, type Statement, statementOf } from "../statement.ts";
import { type ChangeRow, CHANGES, DROPPED_RULES, ENDINGS, PRACTICES, REJECTIONS, RENAMED } from "./phrases.ts";
import { bare, unquoted, withoutAdded, withoutWhen } from "./framing.ts";
import { contentOf, type Token, tokensOf } from "./tokens.ts";
import { type Word as Term, type Wording, wordingOf } from "./wording.ts";

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
export type Leaving = Said & {
  readonly from: readonly Token[];
  /** Nothing is said of what it was used for: "we no longer use CircleCI". */
  readonly isLeftAsAWhole?: true;
};

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

function match(rows: readonly ChangeRow[], text: string): Groups | undefined {
  for (const row of rows) {
    const groups = groupsIn(patternOf(row), text);
    // "He changed teams; now … to …": what stands in another part is not left behind.
    const [from = "", to = ""] = [groups?.["from"], groups?.["to"]];
    const isApart = PART.test(from) && text.lastIndexOf(to) > text.lastIndexOf(from);
    if (groups !== undefined && !isApart) return groups;
  }
  return undefined;
}

const patterns = new WeakMap<ChangeRow, RegExp>();

function patternOf(row: ChangeRow): RegExp {
  const known = patterns.get(row) ?? new RegExp(`^${row.says.replace(/^\^/u, "")}$`, "du");
  patterns.set(row, known);
  return known;
}

function readChange({ from = "", to = "", what = "", more = "" }: Groups, text: string): Reading {
  // "…to AWS, the old one was slow": what follows is not part of the value.
  const [value = "", ...rest] = to.split(PART);
  const [now, after] = valueAndRest(tokensOf(value).tokens);
  const [before, afterFrom] = valueAndRest(tokensOf(from).tokens);
  // "We moved last week from …": withoutWhen leaves at least one word.
  const added = withoutWhen(`x ${more.trim()}`).text.slice(1);
  const about = [...tokensOf(lastClause(what)).tokens, ...tokensOf(added).tokens];
  const aside = tokensOf(rest.join(" ")).tokens.filter(({ isSetting }) => isSetting);
  const use = tokensOf("use").tokens;
  return {
    ...NOTHING,
    tokens: [...about, ...use, ...now, ...after],
    isPractice: isPractice(text, use),
    from: before.length === 0 ? undefined : before,
    to: now,
    beside: contentOf([...about, ...after, ...afterFrom, ...aside]),
    isChange: true,
    text,
  };
}

/** "Fix the pipeline, we moved …": without what is said before, unless it says where or for whom. */
function lastClause(what: string): string {
  const at = Math.max(...[", ", "; ", ": ", "，", "、"].map((end) => what.lastIndexOf(end)));
  const said = tokensOf(what.slice(0, Math.max(at, 0))).tokens;
  return said.length > 1 && !said[0]?.isJoint && !said.some(({ isSetting }) => isSetting) ? what.slice(at + 1) : what;
}

function readRejection({ from = "", to = "", more = "" }: Groups, text: string): Reading {
  const { tokens } = tokensOf(to);
  const [turnedDown = ""] = from.split(PART);
  const [value, after] = valueAndRest(tokensOf(turnedDown.replace(/^(?:using|use)\s+/iu, "")).tokens);
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
  if (!ANY_ENDING().test(text.toLowerCase())) return text;
  let rest = text;
  for (const row of ENDINGS)
    rest = rest.replace(endingOf(row), (word: string, kept: unknown) =>
      typeof kept === "string" ? ` ${kept} ` : /\p{sc=Han}/u.test(word) ? "" : " ",
    );
  return rest === text ? text : rest.replace(/\s+/gu, " ").trim();
}

/** Few sentences say that something is over. */
const ANY_ENDING = once(() => new RegExp(ENDINGS.map(({ says }) => says).join("|"), "u"));

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
