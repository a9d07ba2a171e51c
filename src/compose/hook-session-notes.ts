import type { Locations } from "./locations.ts";

/** The running notes of a session, for a compaction and after it. The place where they are joined to the hooks: there are none yet. */
export function sessionNotesForHooks(_locations: Locations, _session: string): string | undefined {
  return undefined;
}
