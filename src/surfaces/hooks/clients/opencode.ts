import { asTypedInOpenCode } from "../../../core/transcripts/opencode-words.ts";
import { readClaudeShape, writeClaudeShape } from "../claude-shape.ts";
import type { HookClient } from "../event.ts";

/** OpenCode (1.18): memdir's plugin inside it speaks Claude's shape both ways; its tool hook can stop a call, not ask. */
export const openCode: HookClient = {
  name: "opencode",
  showsIndex: false,
  read(input) {
    const event = readClaudeShape(input);
    return event?.kind === "prompt" ? { ...event, prompt: asTypedInOpenCode(event.prompt) } : event;
  },
  write: (event, answer) => writeClaudeShape(event, answer, { mayAsk: false }),
};
