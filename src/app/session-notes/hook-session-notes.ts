import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openSessionNotes } from "../../adapters/files/session-notes.ts";
import { modeIn } from "../workspace/modes.ts";
import { sanitize } from "../../core/shared/sanitize.ts";
import { framedNotes } from "../../core/session-notes/notes.ts";
import type { Locations } from "../workspace/locations.ts";

/** Most characters per estimated token. */
const TOKEN_CHARACTERS = 4;

/**
 * The running notes of a session in at most `most` characters, during and after a compaction. Does not load the code
 * that updates them, which hooks do not need.
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
