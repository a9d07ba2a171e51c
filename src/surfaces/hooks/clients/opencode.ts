import { asTypedInOpenCode } from "../../../core/shared/opencode-words.ts";
import { readClaudeShape, writeClaudeShape } from "../claude-shape.ts";
import type { HookClient } from "../event.ts";

/** OpenCode (1.18): memdir's plugin inside it speaks Claude's shape both ways; its tool hook can stop a call, not ask. */
export const openCode: HookClient = {
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
