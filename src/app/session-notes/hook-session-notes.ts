import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openSessionNotes } from "../../adapters/files/session-notes.ts";
import { modeIn } from "../workspace/modes.ts";
import { sanitize } from "../../core/shared/sanitize.ts";
import { framedNotes } from "../../core/session-notes/notes.ts";
import type { Locations } from "../workspace/locations.ts";

/** The most characters that one estimated token stands for. */
const TOKEN_CHARACTERS = 4;

/**
 * The running notes of a session in at most `most` characters, for a compaction and after it; without what keeps them
 * up to date, which hooks need not load.
 */
export function sessionNotesForHooks(
  { memdirHome, modes }: Locations,
  session: string,
  most: number,
): string | undefined {
  if (modeIn(modes, "project").mode === "off") return undefined;
  const notes = openSessionNotes({
    directory: `${memdirHome}/session-memory`,
    files: nodeFiles,
    now: () => Date.now(),
    newId: () => String(process.pid),
  }).read(session);
  return notes === undefined ? undefined : framedNotes(notes, Math.floor(most / TOKEN_CHARACTERS), sanitize);
}
