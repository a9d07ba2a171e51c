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
