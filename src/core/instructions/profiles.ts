import { claudeCode } from "./clients/claude-code.ts";
import type { ClientProfile } from "./clients/client.ts";
import { codex } from "./clients/codex.ts";
import { gemini } from "./clients/gemini.ts";
import { openCode } from "./clients/opencode.ts";
import type { Agent } from "./section.ts";

/** Every client that memdir knows; one line each. */
export const PROFILES: Readonly<Record<Agent, ClientProfile>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  opencode: openCode,
};
