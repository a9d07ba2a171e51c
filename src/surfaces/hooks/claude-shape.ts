import { baseOf, type HappenedEvent, type HookAnswer, type HookEvent, type JsonRecord, textOf } from "./event.ts";

/**
 * The shape of Claude Code's hooks, which Codex shares and OpenCode's plugin uses: one JSON object on standard input
 *
 *     {"hook_event_name": "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "Stop" | "PreCompact" | "PostCompact" | "SessionEnd",
 *      "session_id", "cwd", "transcript_path"?, "prompt_id"? | "turn_id"?, "agent_id"? (a sub-agent's),
 *      "source"? (SessionStart: startup, resume, clear, compact, fork), "forked_from"? (OpenCode's plugin: a session), "prompt"? (UserPromptSubmit), "tool_name"? "tool_input"? (PreToolUse)}
 *
 * and on standard output nothing, or one JSON object
 *
 *     {"hookSpecificOutput": {"hookEventName", "additionalContext"?, "permissionDecision"?: "ask" | "deny", "permissionDecisionReason"?},
 *      "systemMessage"? (one line for the user)}
 */
export function readClaudeShape(input: JsonRecord): HookEvent | undefined {
  const happened = happenedIn(input);
  return happened === undefined ? undefined : { ...baseOf(input), ...happened };
}

function happenedIn(input: JsonRecord): HappenedEvent | undefined {
  switch (input["hook_event_name"]) {
    case "SessionStart":
      return startIn(input);
    case "UserPromptSubmit":
      return { kind: "prompt", prompt: textOf(input, "prompt") ?? "" };
    case "PreToolUse":
      return { kind: "before-tool", tool: textOf(input, "tool_name") ?? "", input: input["tool_input"] };
    case "Stop":
      return { kind: "turn-end" };
    case "PreCompact":
      return { kind: "before-compaction" };
    case "PostCompact":
      return { kind: "after-compaction", startFollows: true };
    case "SessionEnd":
      return { kind: "session-end" };
    default:
      return undefined;
  }
}

const SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;

/** How a session starts, for all clients. Of a fork, Claude Code tells only the origin's idle time and context size. */
export function startIn(input: JsonRecord): Extract<HappenedEvent, { kind: "session-start" }> {
  const source = SOURCES.find((one) => one === input["source"]) ?? "startup";
  if (source !== "fork") return { kind: "session-start", source };
  const [session, idleSeconds, tokens] = [
    textOf(input, "forked_from"),
    input["seconds_since_last_response"],
    input["context_tokens"],
  ];
  const lastAnswer =
    typeof idleSeconds === "number" && typeof tokens === "number" ? { idleSeconds, tokens } : undefined;
  return {
    kind: "session-start",
    source,
    origin: { ...(session !== undefined && { session }), ...(lastAnswer && { lastAnswer }) },
  };
}

const NAMES = {
  "session-start": "SessionStart",
  prompt: "UserPromptSubmit",
  "before-tool": "PreToolUse",
  "after-tool": "PostToolUse",
  "before-compaction": "PreCompact",
} as const;

/** `mayAsk`: the client can ask the user before a tool runs. If not, the call is stopped and the agent told to ask. */
export function writeClaudeShape(
  event: HookEvent,
  answer: HookAnswer,
  { mayAsk }: { readonly mayAsk: boolean },
): string {
  const { context, decision, notice } = answer;
  const name =
    event.kind === "turn-end" || event.kind === "after-compaction" || event.kind === "session-end"
      ? undefined
      : NAMES[event.kind];
  const said = {
    ...(context !== undefined && context !== "" && { additionalContext: context }),
    ...(decision !== undefined && {
      permissionDecision: mayAsk ? decision.kind : "deny",
      permissionDecisionReason: mayAsk ? decision.reason : withQuestion(decision),
    }),
  };
  const specific =
    name === undefined || Object.keys(said).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: name, ...said } };
  const output = { ...specific, ...(notice !== undefined && { systemMessage: notice }) };
  return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
}

/** For clients that cannot ask: tells the agent what to do itself. */
export function withQuestion({ kind, reason }: NonNullable<HookAnswer["decision"]>): string {
  return kind === "deny"
    ? reason
    : `${reason} This client cannot ask the person, so the call was stopped: tell them, and let them run it or take the guard back.`;
}
