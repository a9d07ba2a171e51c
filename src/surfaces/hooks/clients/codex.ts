import { readClaudeShape, writeClaudeShape } from "../claude-shape.ts";
import type { HookClient } from "../event.ts";

/**
 * Codex (0.169.0): Claude's shape, read strictly, so nothing but known keys is written. It rejects `ask` and then runs
 * the tool, so a question becomes a stop. After a compaction it fires SessionStart with `resume` and with `compact`:
 * what the session has is known, so only the second is answered. Its compaction events take no text.
 */
export const codex: HookClient = {
  name: "codex",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read: readClaudeShape,
  write: (event, answer) =>
    event.kind === "before-compaction" ? "" : writeClaudeShape(event, answer, { mayAsk: false }),
};
