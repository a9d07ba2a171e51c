import { safeId } from "../../core/shared/sanitize.ts";
import type { ForkOrigin } from "../../app/background/hook-session.ts";

/** An event in a client, in memdir's terms; each client's adapter translates its own events. */
export type HookEvent = HookBase & HappenedEvent;

export type HappenedEvent =
  /** `compact`: a summary replaced the conversation so far. `fork`: it continues from a copy of another session. */
  | {
      readonly kind: "session-start";
      readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
      /** What the client reports about the session that a fork was copied from. */
      readonly origin?: ForkOrigin;
    }
  | { readonly kind: "prompt"; readonly prompt: string }
  | { readonly kind: "before-tool"; readonly tool: string; readonly input: unknown }
  /** For clients that accept no context before a tool runs. */
  | { readonly kind: "after-tool"; readonly tool: string; readonly input: unknown }
  | { readonly kind: "turn-end" }
  | { readonly kind: "before-compaction" }
  /** `startFollows`: the client also reports a session start, which repeats the session's initial context. */
  | { readonly kind: "after-compaction"; readonly startFollows: boolean }
  | { readonly kind: "session-end" };

export interface HookBase {
  /** Empty if the client gives none. */
  readonly session: string;
  readonly cwd: string | undefined;
  /** Path of the session's transcript. */
  readonly transcript: string | undefined;
  /** The turn within the session, as the client names it. */
  readonly turn: string | undefined;
  /** It happened in a sub-agent, which has its own conversation. */
  readonly inSubAgent: boolean;
}

/** memdir's answer to an event. */
export interface HookAnswer {
  /** For the agent. */
  readonly context?: string;
  readonly decision?: { readonly kind: "ask" | "deny"; readonly reason: string };
  /** One line for the user. */
  readonly notice?: string;
}

/** One client's dialect. */
export interface HookClient {
  readonly name: "claude-code" | "codex" | "gemini" | "opencode" | "qwen" | "vscode" | "cursor";
  /** Whether the client itself shows the index of a project's notes (MEMORY.md in its own directory). */
  readonly showsIndex: boolean;
  /** The event at which the client accepts a session's initial context without losing any of the user's words. */
  readonly startsAt: "session-start" | "prompt";
  /** The event of a tool call at which the client accepts context for its agent. */
  readonly takesContext: "before" | "after";
  /** `undefined` for an event that memdir ignores. */
  read(input: JsonRecord): HookEvent | undefined;
  /** The text for standard output; empty for nothing. */
  write(event: HookEvent, answer: HookAnswer): string;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The most that a client is given by one hook (characters): the smallest client limit is 10,000. */
export const MOST_CHARACTERS = 9500;

export function textOf(input: JsonRecord, name: string): string | undefined {
  const value = input[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function baseOf(input: JsonRecord): HookBase {
  const turn = textOf(input, "prompt_id") ?? textOf(input, "turn_id");
  return {
    session: safeId(textOf(input, "session_id") ?? ""),
    cwd: textOf(input, "cwd"),
    transcript: textOf(input, "transcript_path"),
    turn: turn === undefined ? undefined : safeId(turn),
    inSubAgent: typeof input["agent_id"] === "string",
  };
}
