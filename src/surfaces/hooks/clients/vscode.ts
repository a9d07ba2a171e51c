import { readClaudeShape, writeClaudeShape } from "../claude-shape.ts";
import { type HookClient, type JsonRecord, textOf } from "../event.ts";

/**
 * VS Code's agents, as its hooks reference says; written from documentation. Claude Code's events with fields in
 * camelCase: `hookEventName`, `sessionId`. It runs the hooks of Claude Code's settings too, so memdir's own command for
 * Claude Code meets it. Its transcripts have another form, so a turn's end is nothing to look at.
 */
export const vsCode: HookClient = {
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
export function isOfVsCode(input: JsonRecord): boolean {
  return eventIn(input) !== undefined && input["hook_event_name"] === undefined;
}

function eventIn(input: JsonRecord): string | undefined {
  return textOf(input, "hookEventName");
}
