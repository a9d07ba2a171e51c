import { analyse } from "../notes/terms.ts";

/** Which words stand for which. Terms are in the form that `analyse` gives last: a word's stem. */
export interface Vocabulary {
  /** Terms related to this one, each once; none when it is in no group. */
  related(term: string): readonly string[];
}

/** Nobody writes more by hand; what is beyond is not read. */
const OWN_CHARACTERS = 100_000;

/** A word of many trades is related to everything. */
const RELATED_TERMS = 24;

/**
 * The words that a person relates to one another: a group a line, spaces or commas between, `#` begins a comment. memdir
 * brings none: tables of related words found more where they were written and less elsewhere. A line that begins with
 * `-` once took words out of those tables and is passed over, as is what cannot be a term (`--`, an English stop word).
 */
export function openVocabulary(own = ""): Vocabulary {
  const groups = own
    .slice(0, OWN_CHARACTERS)
    .split("\n")
    .filter((line) => !/^\s*-\s/u.test(line))
    .map(termsIn)
    .filter((terms) => terms.length > 1);
  return {
    related: (term) => {
      const others = new Set(groups.filter((group) => group.includes(term)).flat());
      others.delete(term);
      return [...others].slice(0, RELATED_TERMS);
    },
  };
}

function termsIn(line: string): readonly string[] {
  const [written = ""] = line.split("#", 1);
  return written.split(/[\s,]+/u).flatMap((word) => analyse(word).at(-1) ?? []);
}
