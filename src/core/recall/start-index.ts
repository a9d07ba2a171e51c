import { noteReference } from "../shared/note-reference.ts";
import { cutAtWord, fittingLines } from "../shared/text.ts";
import { withoutFraming } from "../notes/wording/framing.ts";
import { label } from "../shared/sanitize.ts";
import type { PointedNote } from "./render.ts";

/** A note for a line of the index. */
export interface ListedNote extends Pick<PointedNote, "scope" | "file" | "type" | "name" | "description"> {
  readonly pinned: boolean;
}

export interface StartIndex {
  readonly lines: readonly string[];
  /** The notes that have a line, in the same order. */
  readonly listed: readonly ListedNote[];
}

/** Characters per line; on unseen stores a strong model chose no better from longer lines. */
const LINE_CHARACTERS = 99;
/** Fewest characters of a description, even after a long name. */
const LEAST_DESCRIPTION = 60;

/**
 * One line per note: its handle, then its subject. Pinned notes come first, then user and feedback notes, then the
 * rest, each in the given order. Stops when `room` characters are used.
 */
export function startIndex(notes: readonly ListedNote[], room: number): StartIndex {
  const ordered = notes.toSorted((a, b) => groupOf(a) - groupOf(b));
  const lines = fittingLines(ordered, room, lineOf);
  return { lines, listed: ordered.slice(0, lines.length) };
}

function groupOf({ pinned, type }: ListedNote): number {
  if (pinned) return 0;
  return type === "user" || type === "feedback" ? 1 : 2;
}

function lineOf(note: ListedNote): string {
  const handle = `- ${label(noteReference(note), LINE_CHARACTERS)}: `;
  const about = label(withoutFraming(note.description === "" ? note.name : note.description), 2 * LINE_CHARACTERS);
  return handle + cutAtWord(about, Math.max(LEAST_DESCRIPTION, LINE_CHARACTERS - handle.length));
}
