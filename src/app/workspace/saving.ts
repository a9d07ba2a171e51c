import { obstacleToMaking } from "../../adapters/files/writable.ts";
import type { StoreLocation } from "./locations.ts";

/** What prevents saving a store's first note while neither its notes nor its state exist; empty if nothing. */
export function obstaclesToFirst({ directory, state }: Pick<StoreLocation, "directory" | "state">): readonly string[] {
  return [...new Set([directory, state].flatMap((place) => obstacleToMaking(place) ?? []))];
}
