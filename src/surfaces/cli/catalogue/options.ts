import type { OptionSpec } from "../command.ts";

/** The values of `--scope` and `--type`, for help and completion; `parse-input.ts` decides what is valid. */
export const SCOPE_VALUES = [
  "user",
  "group",
  "team",
  "project",
  "agent-user",
  "agent",
  "agent-local",
  "local",
] as const;
export const TYPE_VALUES = ["user", "feedback", "project", "reference"] as const;

export const AS_OF: OptionSpec = {
  type: "string",
  value: "DATE",
  summary: "the state at the end of that day, or at that ISO time",
};
export const SESSION: OptionSpec = {
  type: "string",
  value: "ID",
  summary: "a conversation: notes it already has are not repeated",
};
export const YES: OptionSpec = { type: "boolean", summary: "do not ask" };

export const DRY_RUN: OptionSpec = { type: "boolean", summary: "show the plan and change nothing" };

export function typeOption(summary: string): OptionSpec {
  return { type: "string", value: "TYPE", values: TYPE_VALUES, summary };
}

export function scopeOption(summary: string, values: readonly string[] = SCOPE_VALUES): OptionSpec {
  return { type: "string", value: "SCOPE", values, summary };
}

/** How many to print. */
export function limitOption(summary: string): OptionSpec {
  return { type: "string", value: "N", formerly: "most", summary };
}

export function modelOption(summary: string): OptionSpec {
  return {
    type: "boolean",
    summary: `${summary}: sends the conversation with secrets masked, within the daily budget`,
  };
}

export const SKILL_STAGES = ["draft", "trial", "promoted", "demoted", "retired", "human"];
export const SKILL_SCOPES = ["project", "user"];
/** How many arguments may follow each. */
export const SKILL_ACTIONS = {
  list: 0,
  show: 1,
  candidates: 0,
  draft: 1,
  try: 1,
  promote: 1,
  demote: 1,
  retire: 1,
  pin: 1,
  unpin: 1,
  diff: 3,
  rollback: 1,
  publish: 1,
  unpublish: 1,
  stats: 1,
  off: 0,
};
