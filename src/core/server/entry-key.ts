import { LIMITS, LINES_KEY } from "../sync/protocol.ts";

/** Entries that tell of a forget have a name that no note can have. */
export const FORGET_PREFIX = "~";

/** A relative path of a note as every client can write it. In a sealed space a name is opaque. */
export function isEntryKey(key: string, sealed: boolean): boolean {
  if (key === "" || new TextEncoder().encode(key).length > LIMITS.keyBytes) return false;
  if (key.startsWith(FORGET_PREFIX) || /[\p{Cc}\p{Cs}\\]/u.test(key)) return false;
  if (sealed || key === LINES_KEY) return true;
  if (key.normalize("NFC") !== key) return false;
  const parts = key.split("/");
  // The index page of a store is made by each device from its own notes.
  return parts.every((part) => part !== "" && part !== "." && part !== "..") && parts.at(-1) !== "MEMORY.md";
}
