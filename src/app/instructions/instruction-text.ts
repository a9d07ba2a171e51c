import { locateInstructions } from "./instructions.ts";
import type { Locations } from "../workspace/locations.ts";

/** The text of the project's instruction files at the start of a session. */
export function instructionsAt(locations: Locations): string {
  return locateInstructions(locations)
    .open()
    .start()
    .sections.map(({ text }) => text)
    .join("\n\n");
}
