import { counted } from "../shared/text.ts";

/** When a dream is due; the cheapest question first. */
export interface DreamGates {
  readonly hours: number;
  readonly sessions: number;
}

export const DREAM_GATES: DreamGates = { hours: 24, sessions: 5 };

export type DreamDue =
  | { readonly due: true; readonly sessions: number }
  | { readonly due: false; readonly reason: "recent" | "few-sessions"; readonly message: string };

/** `lastMs`: when the last dream ended, `undefined` where there was none. `sessionsSince` is asked only when the time has come. */
export function isDreamDue(
  lastMs: number | undefined,
  now: number,
  sessionsSince: (ms: number) => number,
  gates: DreamGates = DREAM_GATES,
): DreamDue {
  const hours = lastMs === undefined ? Number.POSITIVE_INFINITY : (now - lastMs) / 3_600_000;
  // A clock that was set back must not hold dreams up for ever.
  if (hours >= 0 && hours < gates.hours)
    return {
      due: false,
      reason: "recent",
      message: `the last dream was ${counted(Math.floor(hours), "hour")} ago; one is due after ${counted(gates.hours, "hour")} and ${gates.sessions} sessions`,
    };
  const sessions = sessionsSince(lastMs ?? 0);
  if (sessions < gates.sessions)
    return {
      due: false,
      reason: "few-sessions",
      message: `${counted(sessions, "session")} since the last dream; one is due after ${gates.sessions} sessions`,
    };
  return { due: true, sessions };
}
