import { createHash } from "node:crypto";

/** SHA-256 of bytes or UTF-8 text, lower-case hex (64 characters). */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A name for a note's text, by which a writer says which version it changed: the beginning of its SHA-256. */
export function contentVersion(content: string | Uint8Array): string {
  return versionOfHash(sha256(content));
}

/** The same, from a known SHA-256. */
export function versionOfHash(hash: string): string {
  return hash.slice(0, 16);
}
