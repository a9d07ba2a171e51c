import type { NoteType } from "../notes/note.ts";
import { titleOf } from "../notes/title.ts";
import { withoutLeadIn } from "../notes/wording/words.ts";

/** Longest name; it becomes the file's name and appears in the index. */
const MOST_CHARACTERS = 60;
/** Shortest name cut between words; if the first word is longer than a name, it is cut inside. */
const LEAST_CHARACTERS = 12;

/** A name for a text without one: its title in kebab-case. The same text always gets the same name. */
export function nameNote(text: string, type: NoteType): string {
  return kebab(titleOf(withoutLeadIn(text))) ?? `${type}-note`;
}

/** Letters and digits joined by hyphens, cut between words; `undefined` when there are none. */
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
