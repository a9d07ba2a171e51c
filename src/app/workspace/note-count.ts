import fs from "node:fs";
import { counted } from "../../core/shared/text.ts";

/** The number of notes (or checkpoints) directly in a directory, without opening it as a store. */
export function countNotes(directory: string): number {
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  return names.filter(isNote).length;
}

/** "11 notes and 2 superseded": notes in force, then those that another one replaced. */
export function countedNotes(notes: number, superseded: number): string {
  return `${counted(notes, "note")}${superseded === 0 ? "" : ` and ${superseded} superseded`}`;
}

/** Whether there is a note; stops at the first. MEMORY.md does not count: a client may create it before a note. */
export function hasNote(directory: string): boolean {
  if (!fs.existsSync(directory)) return false;
  const entries = fs.opendirSync(directory);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync())
      if (isNote(entry.name)) return true;
    return false;
  } finally {
    entries.closeSync();
  }
}

function isNote(name: string): boolean {
  return !name.startsWith(".") && /\.md$/iu.test(name) && name.toUpperCase() !== "MEMORY.MD";
}
