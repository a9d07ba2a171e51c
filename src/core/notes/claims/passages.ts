/** Text between two of a sentence's ends, as a half-open range of the note. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

export interface CodeSpan extends Passage {
  /** Between the backticks. */
  readonly text: string;
}

/** A note's prose with everything of it in its place: ranges found here are ranges of the note. */
export interface Prose {
  /** As long as the note; fences, comments, addresses and link targets are blanks, wrapped lines are joined. */
  readonly text: string;
  /** The same with code spans as backticks. */
  readonly masked: string;
  readonly sentences: readonly Passage[];
  readonly spans: readonly CodeSpan[];
  /** Shell lines of fenced blocks, for the commands in them. */
  readonly commands: readonly Passage[];
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gmu;
const SHELL = /^(?:|ba?sh|shell|sh|zsh|console|terminal|shellsession)$/u;
const FRONTMATTER = /^\uFEFF?---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/u;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/gu;
const LINK_TARGET = /(?<=\])\([^()\n]*\)|\[\[[^\]\n]*\]\]/gu;
const ADDRESS =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>`"')\]]+|\bwww\.[^\s<>`"')\]]+|(?<![\w.+-])[\w.+-]{1,80}@[\w-]+(?:\.[\w-]+)+/giu;
/** A new line that begins something of its own: an item, a heading, a row, a quotation, an empty line. */
const WRAP = /\n(?![ \t]*(?:\n|[-*+][ \t]|\d+[.)][ \t]|#|\||>|$))/gu;
const SPAN = /(`+)([^`\n]+)\1(?!`)/gu;
const SENTENCE_END = /\n|[.!?;](?=\s|$|\*|_)/gu;

/** Takes a note apart for looking for claims. Pure; every range fits the text that was given. */
export function proseOf(note: string): Prose {
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
 * Words that say a thing is not there, is not there any more, is not there yet, is somewhere else, or is only an
 * example. What such a sentence names is no claim that it exists.
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

/** Right before a name: `instead of x`, `not x`. */
const TURNED_DOWN =
  /\b(?:instead of|rather than|not|no|never|without|unlike|create|creates|creating|new|add|adding)(?: an?| any| the| new| file| files)*[ \t"'(*_`]*$/iu;

/** Whether the sentence speaks of things that are there. `before` is what stands between its start and the name. */
export function assertsExistence(sentence: string, before: string): boolean {
  return !NOT_HERE.test(sentence) && !TURNED_DOWN.test(before);
}
