import { claudeCode } from "./clients/claude-code.ts";
import { codex } from "./clients/codex.ts";
import { cursor, isOfCursor } from "./clients/cursor.ts";
import { gemini } from "./clients/gemini.ts";
import { openCode } from "./clients/opencode.ts";
import { qwen } from "./clients/qwen.ts";
import { isOfVsCode, vsCode } from "./clients/vscode.ts";
import type { HookClient, JsonRecord } from "./event.ts";

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

/** For somebody who wrote a name that there is not. */
export function unknownClient(name: string): string {
  return `memdir: hooks know no agent "${name}"; the command is \`hook.cjs AGENT\`, with ${CLIENTS.map((client) => client.name).join(", ")}\n`;
}
