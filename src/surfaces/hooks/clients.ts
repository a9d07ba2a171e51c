import { gemini } from "./clients/gemini.ts";
import { qwen } from "./clients/qwen.ts";
import { baseOf, type HappenedEvent, type HookClient, type JsonRecord, textOf } from "./event.ts";
import { readClaudeShape, writeClaudeShape } from "./claude-shape.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import { asTypedInOpenCode } from "../../core/shared/opencode-words.ts";

/**
 * VS Code's agents, as its hooks reference says; written from documentation. Claude Code's events with fields in
 * camelCase: `hookEventName`, `sessionId`. It runs the hooks of Claude Code's settings too, so memdir's own command for
 * Claude Code meets it. Its transcripts have another form, so a turn's end is nothing to look at.
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

/** Whether it is VS Code that says so. */
function isOfVsCode(input: JsonRecord): boolean {
  return eventIn(input) !== undefined && input["hook_event_name"] === undefined;
}

function eventIn(input: JsonRecord): string | undefined {
  return textOf(input, "hookEventName");
}

/** OpenCode (1.18): memdir's plugin inside it speaks Claude's shape both ways; its tool hook can stop a call, not ask. */
const openCode: HookClient = {
  name: "opencode",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read(input) {
    const event = readClaudeShape(input);
    if (event?.kind === "prompt") return { ...event, prompt: asTypedInOpenCode(event.prompt) };
    // The next start may be said by another process, which knows of no compaction.
    return event?.kind === "after-compaction" ? { ...event, startFollows: false } : event;
  },
  write: (event, answer) => writeClaudeShape(event, answer, { mayAsk: false }),
};

/**
 * Cursor, written from documentation: `{"hook_event_name": "sessionStart" | "beforeSubmitPrompt" | …, "conversation_id",
 * "generation_id", "workspace_roots", "prompt"?}`; it takes `additional_context`, and `continue` before a prompt.
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

/** Whether it is Cursor that says so. */
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
 * Codex (0.169.0): Claude's shape, read strictly, so nothing but known keys is written. It rejects `ask` and then runs
 * the tool, so a question becomes a stop. After a compaction it fires SessionStart with `resume` and with `compact`:
 * what the session has is known, so only the second is answered. Its compaction events take no text.
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

/** Claude Code (2.1.330). It shows the project's MEMORY.md itself, and takes a compaction's instructions as plain text. */
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

/** The client that a hook command names. */
export function clientNamed(name: string | undefined): HookClient | undefined {
  return CLIENTS.find((client) => client.name === name);
}

/** Who really speaks: VS Code and Cursor run the hooks of Claude Code's settings too, in words of their own. */
export function clientSpeaking(named: HookClient, input: JsonRecord): HookClient {
  if (named !== claudeCode) return named;
  return isOfVsCode(input) ? vsCode : isOfCursor(input) ? cursor : named;
}

/** For someone who wrote a name that there is not. */
export function unknownClient(name: string): string {
  return `memdir: hooks know no agent "${name}"; the command is \`hook.cjs AGENT\`, with ${CLIENTS.map((client) => client.name).join(", ")}\n`;
}
