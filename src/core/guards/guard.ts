import { sha256 } from "../shared/hash.ts";
import { oneLine, truncate } from "../shared/text.ts";
import { isRecord } from "../shared/json.ts";

/** Mildest first: if several match, the strongest decides. */
export const GUARD_ACTIONS = ["warn", "ask", "deny"] as const;

export type GuardAction = (typeof GUARD_ACTIONS)[number];

/** What a feedback note demands before a tool call: `metadata.guard` of its frontmatter. */
export interface Guard {
  /** A tool's name or a glob of names (`Bash`, `mcp__*`, `Edit|Write`); case-insensitive. */
  readonly tool: string;
  /** A regular expression (flag `u`) tested against `subjectOf` of the tool's input. */
  readonly pattern: string;
  readonly action: GuardAction;
  /** What the agent is told in addition to the note's name. */
  readonly message: string | undefined;
}

export type ReadGuard =
  | { readonly kind: "none" }
  | { readonly kind: "guard"; readonly guard: Guard }
  /** The note has a guard that cannot be used. */
  | { readonly kind: "invalid"; readonly reason: string };

/** Longer patterns are refused, since they are too hard to review. */
const PATTERN_CHARACTERS = 500;

const TOOL_CHARACTERS = 200;

const MESSAGE_CHARACTERS = 500;

/** The guard in a note's frontmatter. Only feedback notes have one. */
export function readGuard(data: Readonly<Record<string, unknown>>, type: string | undefined): ReadGuard {
  const metadata = data["metadata"];
  const value = isRecord(metadata) ? metadata["guard"] : undefined;
  if (value === undefined || value === null) return { kind: "none" };
  if (type !== "feedback")
    return invalid(`only notes of type feedback may carry a guard; this one is ${type ?? "of no type"}`);
  return isRecord(value) ? parseGuard(value) : invalid("metadata.guard is not a map with tool, pattern and action");
}

/** Validates a guard from untrusted values. */
export function parseGuard(value: Readonly<Record<string, unknown>>): ReadGuard {
  const { tool, pattern, message } = value;
  const action = GUARD_ACTIONS.find((one) => one === value["action"]);
  if (typeof tool !== "string" || tool.trim() === "" || tool.length > TOOL_CHARACTERS)
    return invalid("the guard names no tool; write a name or a glob such as Bash or mcp__*");
  if (typeof pattern !== "string" || pattern === "")
    return invalid("the guard has no pattern; write a regular expression over the tool's input");
  if (pattern.length > PATTERN_CHARACTERS)
    return invalid(`the guard's pattern has ${pattern.length} characters; at most ${PATTERN_CHARACTERS} are used`);
  if (action === undefined)
    return invalid(
      `the guard's action is ${JSON.stringify(value["action"]) ?? "missing"}; use ${GUARD_ACTIONS.join(", ")}`,
    );
  const problem = patternProblem(pattern);
  if (problem !== undefined) return invalid(problem);
  const said =
    typeof message === "string" && message.trim() !== "" ? truncate(oneLine(message), MESSAGE_CHARACTERS) : undefined;
  return { kind: "guard", guard: { tool: tool.trim(), pattern, action, message: said } };
}

/** Identifies what was approved: a change of pattern, tool, action or message makes another guard. */
export function guardHash({ tool, pattern, action, message }: Guard): string {
  return sha256(JSON.stringify([tool, pattern, action, message ?? ""]));
}

function patternProblem(pattern: string): string | undefined {
  try {
    return new RegExp(pattern, "u") instanceof RegExp ? undefined : "";
  } catch (error) {
    if (error instanceof SyntaxError) return `the guard's pattern is not a regular expression: ${error.message}`;
    throw error;
  }
}

function invalid(reason: string): ReadGuard {
  return { kind: "invalid", reason };
}
