import { readClaudeShape, writeClaudeShape } from "../claude-shape.ts";
import type { HookClient } from "../event.ts";

/** Claude Code (2.1.330). It shows the project's MEMORY.md itself, and takes a compaction's instructions as plain text. */
export const claudeCode: HookClient = {
  name: "claude-code",
  showsIndex: true,
  startsAt: "session-start",
  takesContext: "before",
  read: readClaudeShape,
  write: (event, answer) =>
    event.kind === "before-compaction" ? (answer.context ?? "") : writeClaudeShape(event, answer, { mayAsk: true }),
};
