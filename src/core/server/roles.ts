import { sha256 } from "../shared/hash.ts";

/** So much at once, and so much again each minute. */
export interface Rate {
  readonly perMinute: number;
}

interface Buckets {
  /** Takes one. @returns 0, or how many milliseconds to wait for the next. */
  take(name: string, rate: Rate, nowMs: number): number;
  readonly size: number;
}

const MINUTE_MS = 60_000;

/** A bucket that is full again need not be kept. */
const SWEEP_ABOVE = 10_000;

/** Token buckets in this process's memory, each as large as a minute's worth. */
export function buckets(): Buckets {
  const fullAt = new Map<string, number>();
  return {
    take(name, { perMinute }, nowMs) {
      const stepMs = MINUTE_MS / perMinute;
      // When the bucket will be full again, if nothing more is taken.
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

/** What a member of a space may do, from little to much. */
export const ROLES = ["reader", "writer", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** What an endpoint does to a space. */
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

/** The one decision on access. Without a role there is no access: to such a user the space does not exist. */
export function allowed(role: Role | undefined, action: Action): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(LEAST[action]);
}

/** A token never gives more than its owner has, nor more than it was made for. */
export function lesserRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
}

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}
