import type { Locations } from "../../app/workspace/locations.ts";
import { likelierStore } from "../../app/workspace/other-stores.ts";
import type { Io } from "./io.ts";

/** Says in one line where notes of this project are that the store in use does not have. */
export function sayLikelierStore(io: Io, locations: Locations): void {
  const told = likelierStore(locations);
  if (told !== undefined) io.err(`${told}\n`);
}
