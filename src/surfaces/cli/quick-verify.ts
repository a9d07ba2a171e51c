import { openTree } from "../../compose/tree.ts";
import type { Locations } from "../../compose/locations.ts";
import type { RecallOutcome } from "../../core/memory/recall-notes.ts";
import { type Verify, verifySelected } from "../../core/memory/verify-notes.ts";

/** What the notes of a recall claim, checked; a bundle of its own, since most recalls of a hook show none. */
export function verifyQuickly(locations: Locations, outcome: RecallOutcome, verify?: Verify): RecallOutcome {
  return verifySelected({ tree: openTree(locations) }, outcome, verify);
}
