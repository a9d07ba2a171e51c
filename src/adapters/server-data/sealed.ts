import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "../../core/shared/errors.ts";

const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

/** Seals short texts with a key in a file next to the database, so that the database alone reveals none of them. */
export interface Sealed {
  seal(text: string): string;
  /** `undefined` if it was sealed with another key or was changed. */
  open(sealed: string): string | undefined;
}

/** Creates the key on first use. */
export function sealedWith(keyFile: string): Sealed {
  let known: Buffer | undefined;
  const key = (): Buffer => (known ??= readOrMake(keyFile));
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key(), nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
      } catch (error) {
        if (error instanceof Error && codeOf(error) !== "ENOENT") return undefined; // not sealed with this key
        throw error;
      }
    },
  };
}

function readOrMake(keyFile: string): Buffer {
  try {
    return readFileSync(keyFile).subarray(0, KEY_BYTES);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const aside = `${keyFile}.${process.pid}`;
  writeFileSync(aside, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  try {
    // If two processes create it at once, the second uses the first one's key.
    linkSync(aside, keyFile);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readFileSync(keyFile);
}
