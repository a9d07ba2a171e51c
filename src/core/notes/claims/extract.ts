import { type Claim, CLAIM_KINDS, type ClaimKind } from "./claim.ts";
import {
  branchesIn,
  flagsIn,
  type FoundName,
  hostsIn,
  packagesIn,
  scriptsIn,
  symbolInSpan,
  pathsInProse,
  pathsInSpan,
} from "./names.ts";

/** Text between two sentence ends, as a half-open range of the note. */
interface Passage {
  readonly start: number;
  readonly end: number;
}

interface CodeSpan extends Passage {
  /** Between the backticks. */
  readonly text: string;
}

/** A note's prose with all positions kept, so that ranges found here are ranges of the note. */
interface Prose {
  /** As long as the note; fences, comments, addresses and link targets are blanked, wrapped lines joined. */
  readonly text: string;
  /** The same with code spans replaced by backticks. */
  readonly masked: string;
  readonly sentences: readonly Passage[];
  readonly spans: readonly CodeSpan[];
  /** Shell code of fenced blocks, searched for commands. */
  readonly commands: readonly Passage[];
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gmu;

const SHELL = /^(?:|ba?sh|shell|sh|zsh|console|terminal|shellsession)$/u;

const FRONTMATTER = /^\uFEFF?---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/u;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/gu;

const LINK_TARGET = /(?<=\])\([^()\n]*\)|\[\[[^\]\n]*\]\]/gu;

const ADDRESS =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>`"')\]]+|\bwww\.[^\s<>`"')\]]+|(?<![\w.+-])[\w.+-]{1,80}@[\w-]+(?:\.[\w-]+)+/giu;

/** A line break within a paragraph: what follows is not an item, a heading, a row, a quotation or an empty line. */
const WRAP = /\n(?![ \t]*(?:\n|[-*+][ \t]|\d+[.)][ \t]|#|\||>|$))/gu;

const SPAN = /(`+)([^`\n]+)\1(?!`)/gu;

const SENTENCE_END = /\n|[.!?;](?=\s|$|\*|_)/gu;

/** Parses a note for finding claims. Pure; every range refers to the given text. */
function proseOf(note: string): Prose {
  const commands: Passage[] = [];
  const withoutFences = note
    .replace(FRONTMATTER, blank)
    .replace(FENCE, (whole: string, _mark: string, language: string, body: string, at: number) => {
      const start = at + whole.indexOf("\n") + 1;
      if (SHELL.test(language)) commands.push({ start, end: start + body.length });
      return blank(whole);
    });
  const text = withoutFences
    .replace(COMMENT, blank)
    .replace(LINK_TARGET, blank)
    .replace(ADDRESS, blank)
    .replace(WRAP, " ");
  const spans = [...text.matchAll(SPAN)].map((match): CodeSpan => {
    const start = match.index + (match[1] ?? "").length;
    return { start, end: start + (match[2] ?? "").length, text: match[2] ?? "" };
  });
  // A full stop inside a code span ends nothing.
  const masked = text.replace(SPAN, (whole) => "`".repeat(whole.length));
  return { text, masked, spans, commands, sentences: sentencesOf(masked) };
}

/** A note's code spans and its prose without them; fenced code, comments and addresses are in neither. */
export function codeAndProse(
  note: string,
): Readonly<Record<"spans", readonly CodeSpan[]>> & { readonly prose: string } {
  const { spans, masked } = proseOf(note.slice(0, LONGEST_NOTE));
  return { spans, prose: masked };
}

function blank(text: string): string {
  return text.replace(/[^\n]/gu, (character) => " ".repeat(character.length));
}

function sentencesOf(text: string): Passage[] {
  const out: Passage[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    if (match.index > start) out.push({ start, end: match.index });
    start = match.index + 1;
  }
  if (start < text.length) out.push({ start, end: text.length });
  return out;
}

/**
 * Words saying that a thing does not exist, no longer exists, does not exist yet, is elsewhere, or is only an
 * example. A sentence with these words does not claim that the thing exists.
 */
const NOT_HERE = new RegExp(
  [
    String.raw`\b(?:removed?|removes|removing|delet\w+|dropp?(?:ed|ing)|gone|no longer|used to|formerly|previously|obsolete|retired|purged|stale|outdated)\b`,
    String.raw`\b(?:renam\w+|moved|replac\w+|superseded|migrated|merged into|split (?:in)?to)\b`,
    String.raw`\b(?:missing|absent|nonexistent|non-existent|not found|not (?:there|exist|yet)|(?:does|do|did)(?:n[o'’]t| not) (?:exist|have)|never existed|there is no|there's no|there are no|has no|have no)\b`,
    String.raw`\b(?:never|not|n't|n’t|avoid|stop) (?:create|creating|add|adding|introduc\w+|reintroduc\w+|make|making|write|writing|commit|committing|put|generate|save)\b`,
    String.raw`\b(?:will|would|should|could|shall|must|to|plan(?:ned)?|propos\w+|going) (?:be )?(?:creat\w+|add(?:ed)?|introduc\w+|split|extract\w*|becom\w+|scaffold\w*)\b|\b(?:todo|planned|proposed|upcoming|future)\b`,
    String.raw`\b(?:e\.g|for example|for instance|for example|such as|say,|imagine|hypothetical\w*|placeholder|like this)\b|\bexample:`,
    String.raw`\b(?:another|other|separate|different|sibling|upstream|external|their) (?:repo\w*|project|codebase|checkout|package)\b|\b(?:in|from|of|to) the (?!(?:same|current|main|root|whole|project|git|monorepo)\b)[\w\x60-]+ (?:repo|repository|codebase|fork)\b`,
    String.raw`\b(?:smaz|odstran|zruš|přejmen|gelöscht|entfernt|umbenannt|supprim|renomm|eliminad|borrad|renombrad)\w*`,
  ].join("|"),
  "iu",
);

/** Words right before a name that reject it: `instead of x`, `not x`. */
const TURNED_DOWN =
  /\b(?:instead of|rather than|not|no|never|without|unlike|create|creates|creating|new|add|adding)(?: an?| any| the| new| file| files)*[ \t"'(*_`]*$/iu;

/** Whether the sentence says that things exist. `before` is the text between its start and the name. */
function assertsExistence(sentence: string, before: string): boolean {
  return !NOT_HERE.test(sentence) && !TURNED_DOWN.test(before);
}

/** A note that names more is a listing; the rest is left unchecked. */
const CLAIMS_A_NOTE = 40;

const MOST_FOUND = 200;

/** Characters; longer notes are data, and their beginning is enough. */
const LONGEST_NOTE = 20_000;

/** How much of a sentence before and after a name is considered (characters). */
const NEAR = 300;

interface Placed {
  readonly kind: ClaimKind;
  readonly at: number;
  readonly found: Omit<FoundName, "index">;
}

/**
 * What a note says exists: paths, symbols, options, scripts, packages, branches, hosts; the most informative kind
 * first, then in text order. Cautious: omits what may be an example or belong to others, and what is said not to
 * exist. Never throws; every claim's text is part of the note.
 */
export function extractClaims(note: string): readonly Claim[] {
  const source = note.slice(0, LONGEST_NOTE);
  const prose = proseOf(source);
  const placed: Placed[] = [
    ...fromSpans(prose.spans),
    ...prose.sentences.flatMap((sentence) => fromSentence(prose, sentence)),
  ]
    .slice(0, MOST_FOUND)
    .filter(({ at, found }) => {
      const sentence = prose.sentences.find(({ start, end }) => start <= at && at < end);
      if (sentence === undefined || !source.startsWith(found.text, at)) return false;
      // What a name says (`delete-user.ts`) is not what the sentence says.
      const before = prose.masked.slice(Math.max(sentence.start, at - NEAR), at);
      const end = at + found.text.length;
      const around = `${before}\u0060${prose.masked.slice(end, Math.min(sentence.end, end + NEAR))}`;
      return assertsExistence(around.replace(/\S*\/\S*/gu, "`"), before.slice(-60));
    });
  for (const { start, end } of prose.commands)
    placed.push(
      ...scriptsIn(source.slice(start, end), false).map((found): Placed => ({
        kind: "script",
        at: start + found.index,
        found,
      })),
    );
  placed.push(...hostsIn(source).map((found): Placed => ({ kind: "host", at: found.index, found })));
  return distinct(placed);
}

function fromSpans(spans: readonly CodeSpan[]): Placed[] {
  return spans.flatMap((span): Placed[] => {
    const paths = pathsInSpan(span.text);
    const out = paths.map(({ index, path }): Placed => ({
      kind: "path",
      at: span.start + index,
      found: { text: path, name: path, certain: false },
    }));
    const symbol = paths.length > 0 ? undefined : symbolInSpan(span.text);
    if (symbol !== undefined) out.push({ kind: "symbol", at: span.start + symbol.index, found: symbol });
    for (const found of flagsIn(span.text)) out.push({ kind: "flag", at: span.start + found.index, found });
    for (const found of scriptsIn(span.text, true)) out.push({ kind: "script", at: span.start + found.index, found });
    return out;
  });
}

function fromSentence({ text, masked }: Prose, { start, end }: Passage): Placed[] {
  const sentence = text.slice(start, end);
  // Code spans were examined already; phrases cover both.
  const plain = masked.slice(start, end);
  const place =
    (kind: ClaimKind) =>
    (found: FoundName): Placed => ({ kind, at: start + found.index, found });
  return [
    ...pathsInProse(plain).map(({ index, path }): Placed => ({
      kind: "path",
      at: start + index,
      found: { text: path, name: path, certain: false },
    })),
    ...flagsIn(plain).map(place("flag")),
    ...scriptsIn(plain, false).map(place("script")),
    ...packagesIn(sentence).map(place("package")),
    ...branchesIn(sentence)
      .filter(() => !/\bmerg\w+/iu.test(sentence))
      .map(place("branch")),
  ];
}

function distinct(placed: readonly Placed[]): Claim[] {
  const claims = new Map<string, Claim>();
  const ordered = placed.toSorted((a, b) => CLAIM_KINDS.indexOf(a.kind) - CLAIM_KINDS.indexOf(b.kind) || a.at - b.at);
  for (const {
    kind,
    found: { text, name, certain },
  } of ordered) {
    const known = claims.get(`${kind} ${name}`);
    if (known === undefined || (certain && !known.certain))
      claims.set(`${kind} ${name}`, { kind, text, name, certain });
  }
  return [...claims.values()].slice(0, CLAIMS_A_NOTE);
}
