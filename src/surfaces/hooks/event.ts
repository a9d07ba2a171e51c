import { safeId } from "../../core/shared/sanitize.ts";
import type { ForkOrigin } from "../../app/background/hook-session.ts";

/** What happened in a client, in memdir's own words; every client's adapter makes these of its own events. */
export type HookEvent = HookBase & HappenedEvent;

export type HappenedEvent =
  /** `compact`: the conversation so far was replaced by a summary. `fork`: it goes on from a copy of another session. */
  | {
      readonly kind: "session-start";
      readonly source: "startup" | "resume" | "clear" | "compact" | "fork";
      /** What the client tells of the session that a fork was copied from. */
      readonly origin?: ForkOrigin;
    }
  | { readonly kind: "prompt"; readonly prompt: string }
  | { readonly kind: "before-tool"; readonly tool: string; readonly input: unknown }
  /** Where a client takes no context before a tool runs, it takes it here. */
  | { readonly kind: "after-tool"; readonly tool: string; readonly input: unknown }
  | { readonly kind: "turn-end" }
  | { readonly kind: "before-compaction" }
  /** `startFollows`: the client tells of a session's start too, which says again what the session started with. */
  | { readonly kind: "after-compaction"; readonly startFollows: boolean }
  | { readonly kind: "session-end" };

export interface HookBase {
  /** Empty when the client names none. */
  readonly session: string;
  readonly cwd: string | undefined;
  /** Path of the session's transcript. */
  readonly transcript: string | undefined;
  /** The turn within the session, as the client names it. */
  readonly turn: string | undefined;
  /** It happened in a sub-agent, which has a conversation of its own. */
  readonly inSubAgent: boolean;
}

/** What memdir has to say to an event. */
export interface HookAnswer {
  /** For the agent. */
  readonly context?: string;
  readonly decision?: { readonly kind: "ask" | "deny"; readonly reason: string };
  /** One line for the person. */
  readonly notice?: string;
}

/** One client's dialect. */
export interface HookClient {
  readonly name: "claude-code" | "codex" | "gemini" | "opencode" | "qwen" | "vscode" | "cursor";
  /** Whether it shows the index of a project's notes (MEMORY.md in its own directory). */
  readonly showsIndex: boolean;
  /** At which event it takes what a session starts with, so that nothing of the person's is lost by it. */
  readonly startsAt: "session-start" | "prompt";
  /** At which event of a tool call it takes words for its agent. */
  readonly takesContext: "before" | "after";
  /** `undefined` for an event that memdir has nothing to do with. */
  read(input: JsonRecord): HookEvent | undefined;
  /** What goes to standard output; empty for nothing. */
  write(event: HookEvent, answer: HookAnswer): string;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** No client is given more than this from one hook (characters): the smallest cap is 10,000. */
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
