import { describe, expect, it } from "vitest";
import { clientNamed, clientSpeaking, unknownClient } from "../../../src/surfaces/hooks/clients.ts";
import type { HookClient, JsonRecord } from "../../../src/surfaces/hooks/event.ts";

function client(name: string): HookClient {
  const found = clientNamed(name);
  if (found === undefined) throw new Error(name);
  return found;
}
/** Who answers the command that memdir installs for Claude Code. */
const speaking = (input: JsonRecord): HookClient => clientSpeaking(client("claude-code"), input);

const VS_CODE = { hookEventName: "UserPromptSubmit", sessionId: "s1", cwd: "/w", transcript_path: "/t", prompt: "hi" };
const CURSOR = {
  hook_event_name: "beforeSubmitPrompt",
  conversation_id: "c1",
  generation_id: "g1",
  workspace_roots: ["/w", "/v"],
  prompt: "hi",
};

describe("the hooks of Claude Code's settings, run by another editor", () => {
  it("know VS Code by its fields; its transcripts are left alone", () => {
    expect(speaking(VS_CODE).name).toBe("vscode");
    expect(speaking(VS_CODE).read(VS_CODE)).toMatchObject({
      kind: "prompt",
      prompt: "hi",
      session: "s1",
      cwd: "/w",
      transcript: undefined,
    });
    const start = { hookEventName: "SessionStart", sessionId: "s1", source: "new" };
    const event = speaking(start).read(start);
    expect(event).toMatchObject({ kind: "session-start", source: "startup" });
    expect(event && JSON.parse(speaking(start).write(event, { context: "notes" }))).toEqual({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "notes" },
    });
  });

  it("know Cursor by its events, and let its prompt go on whatever memory says", () => {
    const cursor = speaking(CURSOR);
    const event = cursor.read(CURSOR);
    expect(event).toMatchObject({ kind: "prompt", session: "c1", turn: "g1", cwd: "/w", transcript: undefined });
    expect(event && JSON.parse(cursor.write(event, { context: "notes" }))).toEqual({
      continue: true,
      additional_context: "notes",
    });
    expect(event && JSON.parse(cursor.write(event, {}))).toEqual({ continue: true });
    expect(cursor.read({ hook_event_name: "afterFileEdit" })).toBeUndefined();
  });

  it("leave Claude Code's own events, and those of a client that is named, to that client", () => {
    expect(speaking({ hook_event_name: "UserPromptSubmit", session_id: "s" }).name).toBe("claude-code");
    expect(clientSpeaking(client("codex"), VS_CODE).name).toBe("codex");
    expect(client("cursor").read({ hook_event_name: "sessionStart", session_id: "s" })).toMatchObject({
      kind: "session-start",
      session: "s",
    });
  });

  it("are told by name where there is none such", () => {
    expect(clientNamed("claude")).toBeUndefined();
    expect(unknownClient("claude")).toBe(
      'memdir: hooks know no agent "claude"; the command is `hook.cjs AGENT`, with claude-code, codex, gemini, opencode, qwen, vscode, cursor\n',
    );
  });
});
