import { randomBytes } from "node:crypto";
import { isToken } from "../http/token.ts";

/**
 * Headers of every answer. They allow only what the page needs: its own scripts and styles, and requests to this
 * server. No HTML can be made from strings, no other page can frame this one, and nothing is cached.
 */
export const SECURE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
};

/** The sessions that may use the page. */
export interface PageSessions {
  /** Creates a code that can be exchanged once. */
  newCode(): string;
  /** The token for a code; `undefined` if it is unknown, used or expired. */
  exchange(code: string): string | undefined;
  /** Whether a token is valid; checking it renews it. */
  isKnown(token: string): boolean;
}

const CODE_BYTES = 24;

/** How long a code is valid (ms): it is used at once or never. */
export const CODE_MS = 60_000;

/** A token expires after this long without use (ms). */
export const TOKEN_MS = 8 * 3_600_000;

/** Keeps codes and tokens in memory only: they end with the process. `now` counts ms and never goes back. */
export function createPageSessions(now: () => number): PageSessions {
  const codes = new Map<string, number>();
  const tokens = new Map<string, number>();
  const drop = (all: Map<string, number>, ms: number): void => {
    for (const [text, time] of all) if (now() - time >= ms) all.delete(text);
  };
  const find = (all: ReadonlyMap<string, number>, given: string): string | undefined => {
    let found: string | undefined;
    // All are compared, so that the time taken reveals nothing.
    for (const text of all.keys()) if (isToken(given, text)) found = text;
    return found;
  };
  const secret = (bytes: number): string => randomBytes(bytes).toString("base64url");
  return {
    newCode() {
      drop(codes, CODE_MS);
      const code = secret(CODE_BYTES);
      codes.set(code, now());
      return code;
    },
    exchange(given) {
      drop(codes, CODE_MS);
      const code = find(codes, given);
      if (code === undefined) return undefined;
      codes.delete(code);
      const token = secret(32);
      tokens.set(token, now());
      return token;
    },
    isKnown(given) {
      drop(tokens, TOKEN_MS);
      const token = find(tokens, given);
      if (token !== undefined) tokens.set(token, now());
      return token !== undefined;
    },
  };
}
