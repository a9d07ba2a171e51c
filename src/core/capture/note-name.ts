import type { NoteType } from "../notes/note.ts";
import { titleOf } from "../notes/title.ts";
import { withoutLeadIn } from "../notes/wording/words.ts";

/** The file's name carries it, and the index shows it. */
const MOST_CHARACTERS = 60;
/** A first word may be longer than a name. */
const LEAST_CHARACTERS = 12;

/** A name for a text that nobody named: its title in kebab-case; the same for the same text. */
export function nameNote(text: string, type: NoteType): string {
  return kebab(titleOf(withoutLeadIn(text))) ?? `${type}-note`;
}

/** Letters and digits with hyphens between them, cut between words; `undefined` where there are none. */
export function kebab(text: string): string | undefined {
  const name = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/gu, "");
  if (name === "") return undefined;
  if (name.length <= MOST_CHARACTERS) return name;
  const cut = name.slice(0, MOST_CHARACTERS + 1);
  const end = cut.lastIndexOf("-");
  return cut.slice(0, end < LEAST_CHARACTERS ? MOST_CHARACTERS : end);
}
