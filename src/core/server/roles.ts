import { sha256 } from "../shared/hash.ts";

/** Burst size, and refill per minute. */
export interface Rate {
  readonly perMinute: number;
}

interface Buckets {
  /** Takes one. @returns 0, or the milliseconds to wait. */
  take(name: string, rate: Rate, nowMs: number): number;
  readonly size: number;
}

const MINUTE_MS = 60_000;

/** Above this number of buckets, full ones are dropped. */
const SWEEP_ABOVE = 10_000;

/** In-memory token buckets, each holding one minute's worth. */
export function buckets(): Buckets {
  const fullAt = new Map<string, number>();
  return {
    take(name, { perMinute }, nowMs) {
      const stepMs = MINUTE_MS / perMinute;
      // When the bucket would be full again.
      const full = Math.max(fullAt.get(name) ?? nowMs, nowMs) + stepMs;
      if (full - nowMs > MINUTE_MS) return Math.ceil(full - nowMs - MINUTE_MS);
      fullAt.set(name, full);
      if (fullAt.size > SWEEP_ABOVE) for (const [other, at] of fullAt) if (at <= nowMs) fullAt.delete(other);
      return 0;
    },
    get size() {
      return fullAt.size;
    },
  };
}

/** 256 random bits in base64url, after a prefix that secret scans recognise. */
const TOKEN = /^mdt_[A-Za-z0-9_-]{43}$/u;

export const TOKEN_PREFIX = "mdt_";

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The stored hash of a token. It is fast, since 256 random bits need no slow hash. */
export function tokenHash(token: string): string {
  return sha256(token);
}

/** Identifies a token to people; it only serves to revoke it. */
export function tokenId(hash: string): string {
  return hash.slice(0, 16);
}

/** Roles of a space's members, from least to most powerful. */
export const ROLES = ["reader", "writer", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Kinds of access to a space by endpoints. */
export type Action =
  | "read" // pull, marks, one entry, versions
  | "write" // push
  | "receipts" // which devices have pulled past a forget
  | "members" // list, add, change and remove members
  | "manage" // describe, archive and delete the space itself
  | "audit";

const LEAST: Readonly<Record<Action, Role>> = {
  read: "reader",
  write: "writer",
  receipts: "reader",
  members: "admin",
  manage: "admin",
  audit: "admin",
};

/** Decides on access. Without a role there is none: to such a user the space does not exist. */
export function allowed(role: Role | undefined, action: Action): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(LEAST[action]);
}

/** A token grants no more than its owner's role, and no more than the token's own. */
export function lesserRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
}

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}
