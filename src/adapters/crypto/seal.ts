import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scryptSync } from "node:crypto";
import type { Vault } from "../../core/sync/vault.ts";

const SALT = 16;
const TAG = 16;
const BUCKET = 256;
const LENGTH = 4;
/** Each message key is used only once, so all messages can share the same nonce. */
const NONCE = new Uint8Array(12);
/** 32 MB and about 100 ms per guess. */
const STRETCH = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/**
 * AES-256-GCM. Each text has its own key: HKDF of the given key and a salt that is itself a keyed hash of context and
 * text. So the same text in the same context gives the same bytes, and no two texts share a key.
 */
export const vault: Vault = {
  seal(key, context, text) {
    const plain = padded(Buffer.from(text));
    const salt = createHmac("sha256", derived(key, "memdir salt", ""))
      .update(`${Buffer.byteLength(context)} ${context}`)
      .update(plain)
      .digest()
      .subarray(0, SALT);
    const cipher = createCipheriv("aes-256-gcm", derived(key, "memdir text", salt), NONCE);
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString("base64");
  },
  open(key, context, sealed) {
    const bytes = Buffer.from(sealed, "base64");
    if (bytes.length < SALT + TAG + BUCKET || bytes.toString("base64") !== sealed) return undefined;
    const cipher = createDecipheriv("aes-256-gcm", derived(key, "memdir text", bytes.subarray(0, SALT)), NONCE);
    cipher.setAAD(Buffer.from(context));
    cipher.setAuthTag(bytes.subarray(-TAG));
    const plain = cipher.update(bytes.subarray(SALT, -TAG));
    try {
      cipher.final();
    } catch {
      return undefined; // the tag does not match: a different key, a different context, or changed bytes
    }
    return plain.toString("utf8", LENGTH, LENGTH + plain.readUInt32BE(0));
  },
  tag: (key, text) => createHmac("sha256", key).update(text).digest("hex"),
  stretch: (words, salt) => scryptSync(words, `memdir words\0${salt}`, 32, STRETCH).toString("base64"),
  newKey: () => randomBytes(32).toString("base64"),
  newId: () => randomBytes(4).toString("hex"),
};

function derived(key: string, use: string, salt: string | Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", Buffer.from(key, "base64"), salt, use, 32));
}

/** A size reveals less about a text when many texts share it. */
function padded(text: Uint8Array): Buffer {
  const bytes = Buffer.alloc(Math.ceil((LENGTH + text.length) / BUCKET) * BUCKET);
  bytes.writeUInt32BE(text.length, 0);
  bytes.set(text, LENGTH);
  return bytes;
}
