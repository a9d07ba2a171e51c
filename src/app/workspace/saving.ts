import { obstacleToMaking } from "../../adapters/files/writable.ts";
import type { StoreLocation } from "./locations.ts";

/** What keeps the first note of a store from being saved, where neither its notes nor its state are there yet; none where it can be. */
export function obstaclesToFirst({ directory, state }: Pick<StoreLocation, "directory" | "state">): readonly string[] {
  return [...new Set([directory, state].flatMap((place) => obstacleToMaking(place) ?? []))];
}
