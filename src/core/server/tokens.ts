import { sha256 } from "../shared/hash.ts";

/** 256 random bits in base64url after a prefix by which a secret scan knows them. */
const TOKEN = /^mdt_[A-Za-z0-9_-]{43}$/u;
export const TOKEN_PREFIX = "mdt_";

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What the server keeps of a token. So many random bits need no slow hash. */
export function tokenHash(token: string): string {
  return sha256(token);
}

/** Names a token to people; nothing can be done with it but revoke it. */
export function tokenId(hash: string): string {
  return hash.slice(0, 16);
}
