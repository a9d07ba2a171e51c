import type { Role } from "../../core/server/roles.ts";
import type { Caller } from "../../core/server/tables.ts";
import type { Ground } from "./ports.ts";

/** A caller, and what the caller may do in the space that the request names. */
export interface Access {
  readonly caller: Caller;
  readonly spaceId: string | undefined;
  readonly role: Role | undefined;
}

/** Writes down who did what; never a text, and never the name of a note. */
export function record(
  { database, clock }: Ground,
  { caller }: Access,
  spaceId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { userId, deviceId } = caller;
  return database.tables.audit(spaceId, { at: clock.now(), userId, deviceId, action, detail });
}
