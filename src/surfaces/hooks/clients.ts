import { gemini } from "./clients/gemini.ts";
import { qwen } from "./clients/qwen.ts";
import { baseOf, type HappenedEvent, type HookClient, type JsonRecord, textOf } from "./event.ts";
import { readClaudeShape, writeClaudeShape } from "./claude-shape.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import { asTypedInOpenCode } from "../../core/shared/opencode-words.ts";

/**
 * VS Code's agents, implemented from its hooks reference: Claude Code's events with camelCase fields (`hookEventName`,
 * `sessionId`). VS Code also runs the hooks in Claude Code's settings, and so memdir's command for Claude Code. Its
 * transcripts have another format, so a turn's end is not processed.
 */
const vsCode: HookClient = {
  name: "vscode",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read: ({ transcript_path: _, ...input }) =>
    readClaudeShape({ ...input, hook_event_name: eventIn(input), session_id: input["sessionId"] }),
  write: (event, answer) =>
    event.kind === "before-compaction" ? "" : writeClaudeShape(event, answer, { mayAsk: true }),
};

/** Whether the event comes from VS Code. */
function isOfVsCode(input: JsonRecord): boolean {
  return eventIn(input) !== undefined && input["hook_event_name"] === undefined;
}

function eventIn(input: JsonRecord): string | undefined {
  return textOf(input, "hookEventName");
}

/** OpenCode (1.18): memdir's plugin inside it uses Claude's shape both ways; its tool hook can stop a call, not ask. */
const openCode: HookClient = {
  name: "opencode",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read(input) {
    const event = readClaudeShape(input);
    if (event?.kind === "prompt") return { ...event, prompt: asTypedInOpenCode(event.prompt) };
    // The next start may come from another process, which does not know of the compaction.
    return event?.kind === "after-compaction" ? { ...event, startFollows: false } : event;
  },
  write: (event, answer) => writeClaudeShape(event, answer, { mayAsk: false }),
};

/**
 * Cursor, from its documentation: `{"hook_event_name": "sessionStart" | "beforeSubmitPrompt" | …, "conversation_id",
 * "generation_id", "workspace_roots", "prompt"?}`; it accepts `additional_context`, and `continue` before a prompt.
 */
const cursor: HookClient = {
  name: "cursor",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read(input) {
    const happened = happenedIn(input);
    if (happened === undefined) return undefined;
    const base = baseOf(input);
    const turn = textOf(input, "generation_id");
    return {
      ...base,
      ...happened,
      session: safeId(textOf(input, "conversation_id") ?? textOf(input, "session_id") ?? ""),
      cwd: base.cwd ?? firstRoot(input),
      transcript: undefined,
      turn: turn === undefined ? undefined : safeId(turn),
    };
  },
  write(event, { context }) {
    const said = context === undefined || context === "" ? {} : { additional_context: context };
    if (event.kind === "prompt") return JSON.stringify({ continue: true, ...said });
    return Object.keys(said).length === 0 ? "" : JSON.stringify(said);
  },
};

/** Whether the event comes from Cursor. */
function isOfCursor(input: JsonRecord): boolean {
  return happenedIn(input) !== undefined;
}

function happenedIn(input: JsonRecord): HappenedEvent | undefined {
  switch (input["hook_event_name"]) {
    case "sessionStart":
      return { kind: "session-start", source: "startup" };
    case "beforeSubmitPrompt":
      return { kind: "prompt", prompt: textOf(input, "prompt") ?? "" };
    default:
      return undefined;
  }
}

function firstRoot(input: JsonRecord): string | undefined {
  const roots = input["workspace_roots"];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return typeof root === "string" && root !== "" ? root : undefined;
}

/**
 * Codex (0.169.0): Claude's shape, read strictly, so only known keys are written. It rejects `ask` and then runs the
 * tool, so a question becomes a stop. After a compaction it fires SessionStart with both `resume` and `compact`; since
 * the session's state is known, only the second is answered. Its compaction events accept no text.
 */
const codex: HookClient = {
  name: "codex",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read: readClaudeShape,
  write: (event, answer) =>
    event.kind === "before-compaction" ? "" : writeClaudeShape(event, answer, { mayAsk: false }),
};

/** Claude Code (2.1.330). It shows the project's MEMORY.md itself, and accepts compaction instructions as text. */
const claudeCode: HookClient = {
  name: "claude-code",
  showsIndex: true,
  startsAt: "session-start",
  takesContext: "before",
  read: readClaudeShape,
  write: (event, answer) =>
    event.kind === "before-compaction" ? (answer.context ?? "") : writeClaudeShape(event, answer, { mayAsk: true }),
};

const CLIENTS: readonly HookClient[] = [claudeCode, codex, gemini, openCode, qwen, vsCode, cursor];

/** The client named in a hook command. */
export function clientNamed(name: string | undefined): HookClient | undefined {
  return CLIENTS.find((client) => client.name === name);
}

/** The actual client: VS Code and Cursor also run the hooks in Claude Code's settings, in their own format. */
export function clientSpeaking(named: HookClient, input: JsonRecord): HookClient {
  if (named !== claudeCode) return named;
  return isOfVsCode(input) ? vsCode : isOfCursor(input) ? cursor : named;
}

/** The message for an unknown client name. */
export function unknownClient(name: string): string {
  return `memdir: hooks know no agent "${name}"; the command is \`hook.cjs AGENT\`, with ${CLIENTS.map((client) => client.name).join(", ")}\n`;
}
