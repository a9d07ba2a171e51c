import { claudeCode } from "./clients/claude-code.ts";
import { codex } from "./clients/codex.ts";
import { gemini } from "./clients/gemini.ts";
import { openCode } from "./clients/opencode.ts";
import type { HookClient } from "./event.ts";

const CLIENTS: readonly HookClient[] = [claudeCode, codex, gemini, openCode];

/** The client that a hook command names. */
export function clientNamed(name: string | undefined): HookClient | undefined {
  return CLIENTS.find((client) => client.name === name);
}
