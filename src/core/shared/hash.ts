import { createHash } from "node:crypto";

/** SHA-256 of bytes or UTF-8 text, lower-case hex (64 characters). */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Names the text of a note, for a writer to say what a change was made from: the beginning of its SHA-256. */
export function contentVersion(content: string | Uint8Array): string {
  return versionOfHash(sha256(content));
}

/** The same, where the SHA-256 is known. */
export function versionOfHash(hash: string): string {
  return hash.slice(0, 16);
}
