import { shownType } from "../../core/notes/parse-note.ts";
import { checkLines } from "../../core/recall/render.ts";
import { ageInWords, type Clock } from "../../core/shared/clock.ts";
import type { PointedNote, RecalledNote } from "./recall-notes.ts";

/** A note's type and age in words, if known. */
export function factsOf({ entry }: PointedNote, { now, timeZone }: Clock): readonly string[] {
  return [shownType(entry), ageInWords(entry.time, now(), timeZone)].filter((fact) => fact !== "");
}

/** The state of each thing that a recalled note names, one line each. */
export function checksOf({ checks = [] }: RecalledNote): readonly string[] {
  return checkLines(checks);
}
