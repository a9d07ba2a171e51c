import { createHash } from "node:crypto";

/** SHA-256 of bytes or UTF-8 text, lower-case hex (64 characters). */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
