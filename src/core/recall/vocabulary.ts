import { analyse } from "../notes/terms.ts";
import { DEVELOPER_VOCABULARY } from "./developer-vocabulary.ts";

/** Which words stand for which. Terms are in the form that `analyse` gives last: a word's stem. */
export interface Vocabulary {
  /** Terms related to this one, each once; none when it is in no group. */
  related(term: string): readonly string[];
}

/** Nobody writes more by hand; what is beyond is not read. */
const OWN_CHARACTERS = 100_000;

/** A word of many trades is related to everything; with more than these, recall was no better and took longer. */
const RELATED_TERMS = 24;

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
      const others = [...relatedIn(term, groups, taken.has(term) ? "" : builtIn, taken)];
      if (known.size >= REMEMBERED_TERMS) known.clear();
      known.set(term, others);
      return others;
    },
  };
}

/** A person's own words first; of those that memdir brings, the groups named first, as many as are worth their time. */
function relatedIn(term: string, groups: readonly (readonly string[])[], builtIn: string, taken: ReadonlySet<string>): ReadonlySet<string> {
  const others = new Set(groups.filter((group) => group.includes(term)).flat());
  for (const line of linesThatMayHave(term, builtIn)) {
    if (others.size > RELATED_TERMS) break;
    const group = termsIn(line);
    if (group.includes(term)) for (const other of group) if (!taken.has(other)) others.add(other);
  }
  others.delete(term);
  return others;
}

function termsIn(line: string): readonly string[] {
  const [written = ""] = line.split("#", 1);
  return written.split(/[\s,]+/u).flatMap((word) => analyse(word).at(-1) ?? []);
}

/**
 * Lines in which the term may stand. To analyse all lines, or all that have a word of the same beginning, would
 * cost a process that has just started more than the search itself; a stem and its word differ at the end alone.
 */
function* linesThatMayHave(term: string, text: string): Generator<string> {
  // Nothing is found everywhere, without end.
  if (term === "") return;
  const start = term.length > 3 ? term.slice(0, -1) : term;
  let next = 0;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const before = text[at - 1];
    if (at < next || (before !== undefined && before !== " " && before !== "\n")) continue;
    WORD_END.lastIndex = at;
    const wordEnd = WORD_END.exec(text)?.index ?? text.length;
    if (!analyse(text.slice(at, wordEnd)).includes(term)) continue;
    const end = text.indexOf("\n", at);
    next = end === -1 ? text.length : end;
    yield text.slice(text.lastIndexOf("\n", at) + 1, next);
  }
}

const WORD_END = /[ \n]/g;
