import { readClaudeShape, writeClaudeShape } from "../claude-shape.ts";
import type { HookClient } from "../event.ts";

/** Qwen Code (0.24.4): Claude Code's events and answers. It escapes hook output; no context at a compaction. */
export const qwen: HookClient = {
  name: "qwen",
  showsIndex: false,
  startsAt: "session-start",
  takesContext: "before",
  read: readClaudeShape,
  write: (event, answer) =>
    event.kind === "before-compaction" ? "" : writeClaudeShape(event, answer, { mayAsk: true }),
};
