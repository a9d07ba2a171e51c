import { MemoryError } from "../../core/shared/errors.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { Locations } from "./locations.ts";

/** Why a scope is not in force here, and what puts it in force. */
export function missingScope({ untrustedTeam, agentType, stores }: Locations, scope: Scope): MemoryError {
  if (scope === "team" && untrustedTeam !== undefined)
    return new MemoryError(
      "refused",
      `the team's notes in ${untrustedTeam} are not trusted on this machine; look at them with \`memdir team\`, then \`memdir team trust\``,
    );
  if (scope === "group")
    return new MemoryError("invalid-input", "this project is in no group; `memdir group add NAME` puts it into one");
  if (scope.startsWith("agent") && agentType === undefined)
    return new MemoryError("invalid-input", `${scope} notes belong to a type of sub-agent: add --agent-type TYPE`);
  const scopes = stores.map((place) => place.scope).join(", ");
  return new MemoryError("invalid-input", `there is no ${scope} scope here; scopes: ${scopes}`);
}
