import { analyse } from "../notes/terms.ts";
import { DEVELOPER_VOCABULARY } from "./developer-vocabulary.ts";

/** Which words stand for which. Terms are in the form that `analyse` gives last: a word's stem. */
export interface Vocabulary {
  /** Terms related to this one, each once; none when it is in no group. */
  related(term: string): readonly string[];
}

/** Nobody writes more by hand; what is beyond is not read. */
const OWN_CHARACTERS = 100_000;

/** A process that recalls again and again meets the same words: to look one up is a walk through all lines. */
const REMEMBERED_TERMS = 2_000;

/**
 * The developer's words with a user's own on top, in the same form: one group of related words a line, spaces or
 * commas between, `#` begins a comment. A line `- WORD ...` takes words out of the groups that memdir brings.
 * What cannot be a term (`--`, an English stop word) is passed over.
 */
export function openVocabulary(own = "", builtIn = DEVELOPER_VOCABULARY): Vocabulary {
  const groups: (readonly string[])[] = [];
  const taken = new Set<string>();
  const known = new Map<string, readonly string[]>();
  for (const line of own.slice(0, OWN_CHARACTERS).split("\n")) {
    const terms = termsIn(line);
    if (/^\s*-\s/u.test(line)) for (const term of terms) taken.add(term);
    else if (terms.length > 1) groups.push(terms);
  }
  return {
    related: (term) => {
      const before = known.get(term);
      if (before !== undefined) return before;
      const brought = taken.has(term) ? [] : linesThatMayHave(term, builtIn).map((line) => termsIn(line).filter((other) => !taken.has(other)));
      const found = [...brought, ...groups].filter((group) => group.includes(term)).flat();
      const others = [...new Set(found)].filter((other) => other !== term);
      if (known.size >= REMEMBERED_TERMS) known.clear();
      known.set(term, others);
      return others;
    },
  };
}

function termsIn(line: string): readonly string[] {
  const [written = ""] = line.split("#", 1);
  return written.split(/[\s,]+/u).flatMap((word) => analyse(word).at(-1) ?? []);
}

/**
 * Lines in which the term may stand. To analyse all lines, or all that have a word of the same beginning, would
 * cost a process that has just started more than the search itself; a stem and its word differ at the end alone.
 */
function linesThatMayHave(term: string, text: string): readonly string[] {
  // Nothing is found everywhere, without end.
  if (term === "") return [];
  const start = term.length > 3 ? term.slice(0, -1) : term;
  const lines = new Set<string>();
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const before = text[at - 1];
    if (before !== undefined && before !== " " && before !== "\n") continue;
    WORD_END.lastIndex = at;
    const wordEnd = WORD_END.exec(text)?.index ?? text.length;
    if (!analyse(text.slice(at, wordEnd)).includes(term)) continue;
    const end = text.indexOf("\n", at);
    lines.add(text.slice(text.lastIndexOf("\n", at) + 1, end === -1 ? text.length : end));
  }
  return [...lines];
}

const WORD_END = /[ \n]/g;
