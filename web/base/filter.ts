/** Which notes the list shows, in the browser, for each key. */
import type { NoteItem } from "../../src/surfaces/web/api.ts";

export interface Filters {
  readonly words: string;
  readonly scope: string;
  readonly type: string;
  /** Days; empty for any. */
  readonly age: string;
  readonly flag: string;
}
export const NO_FILTERS: Filters = { words: "", scope: "", type: "", age: "", flag: "" };

export const FLAGS: Readonly<Record<string, string>> = {
  "": "In force",
  pinned: "Pinned",
  guard: "With a guard",
  problems: "With problems",
  never: "Never recalled",
  superseded: "Superseded",
  all: "All notes",
};

const DAY = 86_400_000;

export interface Findable {
  readonly note: NoteItem;
  readonly text: string;
  readonly name: string;
  readonly time: number;
}

export function findable(notes: readonly NoteItem[]): Findable[] {
  return notes
    .map((note) => ({
      note,
      name: note.name.toLowerCase(),
      text: `${note.name}\n${note.description}\n${note.file}`.toLowerCase(),
      time: Date.parse(note.time),
    }))
    .toSorted((one, other) => other.time - one.time);
}

function hasFlag(note: NoteItem, flag: string): boolean {
  switch (flag) {
    case "all":
      return true;
    case "pinned":
      return note.pinned === true;
    case "guard":
      return note.guard === true;
    case "problems":
      return (note.problems?.length ?? 0) > 0;
    case "never":
      return note.recalled === undefined && note.supersededBy === undefined;
    case "superseded":
      return note.supersededBy !== undefined;
    default:
      return note.supersededBy === undefined;
  }
}

/** All words of the search somewhere in the note; those with them in the name first, else the newest first. */
export function filtered(all: readonly Findable[], filters: Filters, now = Date.now()): NoteItem[] {
  const words = filters.words.toLowerCase().split(/\s+/u).filter(Boolean);
  const since = filters.age === "" ? 0 : now - Number(filters.age) * DAY;
  const first: NoteItem[] = [];
  const rest: NoteItem[] = [];
  for (const { note, text, name, time } of all) {
    if (filters.scope !== "" && note.scope !== filters.scope) continue;
    if (filters.type !== "" && note.type !== filters.type) continue;
    if (time < since || !hasFlag(note, filters.flag)) continue;
    if (!words.every((word) => text.includes(word))) continue;
    if (words.length > 0 && words.every((word) => name.includes(word))) first.push(note);
    else rest.push(note);
  }
  return [...first, ...rest];
}
