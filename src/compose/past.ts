import type { SearchPast } from "../core/transcripts/past.ts";
import type { Locations } from "./locations.ts";

/** The search over transcripts of this project; `undefined` where there is none, and then no tool offers it. */
export function openPast(_locations: Locations): SearchPast | undefined {
  return undefined;
}
