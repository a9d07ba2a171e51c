import { noteReference } from "../../core/shared/note-reference.ts";
import { GUARD_ACTIONS, type GuardAction } from "../../core/guards/guard.ts";
import { type ArmedGuard, strongest } from "../../core/guards/judge-call.ts";
import { withoutFraming } from "../../core/notes/wording/framing.ts";
import { withoutSecrets, label, fenced } from "../../core/shared/sanitize.ts";
import { fileOf } from "../workspace/read-by-file.ts";

/** More guards than this in one answer do not help an agent. */
const MOST_NOTES = 5;

/** What to do with a call that guards match: the strictest of their actions. */
export function strongestAction(guards: readonly ArmedGuard[]): GuardAction | undefined {
  return strongest(guards);
}

/** Why a call is stopped or the user is asked, citing each note. */
export function guardReason(guards: readonly ArmedGuard[], action: GuardAction): string {
  const lead = action === "deny" ? "Stopped by memory before it ran." : "Memory wants the person to be asked first.";
  return `${lead} ${citations(strongestFirst(guards)).join(" ")}`;
}

/** A warning added to a call that goes ahead. */
export function guardContext(guards: readonly ArmedGuard[]): string {
  return fenced("guard", [
    "A note that the person approved as a guard speaks of this tool call:",
    ...citations(guards).map((text) => `- ${text}`),
  ]);
}

function citations(guards: readonly ArmedGuard[]): readonly string[] {
  return guards.slice(0, MOST_NOTES).map((armed) => {
    const {
      scope,
      file,
      name,
      about,
      guard: { message = about === undefined || about === name ? undefined : withoutFraming(about) },
    } = armed;
    const reference = noteReference({ scope, file });
    const said = message === undefined || message === "" ? "" : `: ${label(withoutSecrets(message), 500)}`;
    return `Note "${label(name, 100)}"${said} (${label(reference, 150)}; its file is ${fileOf(armed, file)}).`;
  });
}

function strongestFirst(guards: readonly ArmedGuard[]): readonly ArmedGuard[] {
  return guards.toSorted((a, b) => GUARD_ACTIONS.indexOf(b.guard.action) - GUARD_ACTIONS.indexOf(a.guard.action));
}
