import { describe, expect, it } from "vitest";
import { clientNamed } from "../../../src/surfaces/hooks/clients.ts";
import type { HookAnswer, HookEvent, JsonRecord } from "../../../src/surfaces/hooks/event.ts";

const BASE = { session_id: "93a7", transcript_path: "/home/dev/t.jsonl", cwd: "/home/dev/project" };
const CLAUDE = { ...BASE, prompt_id: "43d6", permission_mode: "default" };
const CODEX = { ...BASE, turn_id: "01a1", model: "a-model", permission_mode: "bypassPermissions" };
const GEMINI = { ...BASE, timestamp: "2026-11-21T21:03:27.757Z" };

function read(client: string, input: JsonRecord): HookEvent | undefined {
  return clientNamed(client)?.read(input);
}

function write(client: string, input: JsonRecord, answer: HookAnswer): unknown {
  const adapter = clientNamed(client);
  const event = adapter?.read(input);
  const text = event === undefined ? "" : (adapter?.write(event, answer) ?? "");
  return text === "" ? undefined : JSON.parse(text);
}

describe("events of real clients", () => {
  it("are read from Claude Code and Codex in the one shape that both have", () => {
    expect(
      read("claude-code", {
        ...CLAUDE,
        hook_event_name: "SessionStart",
        source: "resume",
        seconds_since_last_response: 1,
      }),
    ).toMatchObject({
      kind: "session-start",
      source: "resume",
      session: "93a7",
      cwd: "/home/dev/project",
      inSubAgent: false,
    });
    expect(read("claude-code", { ...CLAUDE, hook_event_name: "UserPromptSubmit", prompt: "hello" })).toMatchObject({
      kind: "prompt",
      prompt: "hello",
      turn: "43d6",
    });
    expect(
      read("claude-code", {
        ...CLAUDE,
        hook_event_name: "PreToolUse",
        tool_name: "Read",
        tool_input: { file_path: "/a.ts" },
        tool_use_id: "t",
      }),
    ).toMatchObject({ kind: "before-tool", tool: "Read", input: { file_path: "/a.ts" } });
    expect(read("codex", { ...CODEX, hook_event_name: "SessionStart", source: "compact" })).toMatchObject({
      kind: "session-start",
      source: "compact",
    });
    expect(
      read("codex", { ...CODEX, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "ok" }),
    ).toMatchObject({ kind: "turn-end", turn: "01a1", transcript: "/home/dev/t.jsonl" });
    expect(read("codex", { ...CODEX, hook_event_name: "PostCompact", trigger: "auto" })).toMatchObject({
      kind: "after-compaction",
    });
  });

  it("of sub-agents are known as theirs, and their own stop is no turn's end", () => {
    expect(
      read("claude-code", { ...CLAUDE, agent_id: "ad05", agent_type: "", hook_event_name: "SubagentStop" }),
    ).toBeUndefined();
    expect(
      read("claude-code", {
        ...CLAUDE,
        agent_id: "a283",
        agent_type: "memo",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: {},
      }),
    ).toMatchObject({ inSubAgent: true });
  });

  it("are read from Gemini CLI under its own names, without what hooks put before the prompt", () => {
    expect(
      read("gemini", {
        ...GEMINI,
        hook_event_name: "BeforeAgent",
        prompt: "<hook_context>from a hook</hook_context>\n\nwrite </hook_context> tests",
      }),
    ).toMatchObject({ kind: "prompt", prompt: "write </hook_context> tests" });
    expect(
      read("gemini", {
        ...GEMINI,
        hook_event_name: "BeforeTool",
        tool_name: "read_file",
        tool_input: { file_path: "/a" },
      }),
    ).toMatchObject({ kind: "before-tool", tool: "read_file" });
    expect(
      read("gemini", { ...GEMINI, hook_event_name: "AfterAgent", prompt: "p", prompt_response: "done" }),
    ).toMatchObject({ kind: "turn-end" });
    expect(read("gemini", { ...GEMINI, hook_event_name: "PreCompress", trigger: "auto" })).toBeUndefined();
  });

  it("are read from OpenCode without the quotation marks that it puts around words of a command line", () => {
    const prompt = (text: string): unknown =>
      read("opencode", { ...BASE, hook_event_name: "UserPromptSubmit", prompt: text });
    expect(prompt('"write \\"unit\\" tests"')).toMatchObject({ prompt: 'write "unit" tests' });
    for (const text of ["write tests", '"no" and "yes"', '"word"', '"a b', '"', ""])
      expect(prompt(text)).toMatchObject({ prompt: text });
  });

  it("that nobody knows are nothing", () => {
    for (const client of ["claude-code", "codex", "gemini", "opencode"])
      for (const name of ["Notification", "", 7, null])
        expect(read(client, { ...BASE, hook_event_name: name })).toBeUndefined();
    expect(clientNamed("another")).toBeUndefined();
  });
});

describe("answers", () => {
  const denied: HookAnswer = { decision: { kind: "deny", reason: "No." } };
  const asked: HookAnswer = { decision: { kind: "ask", reason: "Ask." } };

  it("reach Claude Code as context and as a decision", () => {
    expect(
      write("claude-code", { ...CLAUDE, hook_event_name: "UserPromptSubmit", prompt: "p" }, { context: "notes" }),
    ).toEqual({ hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "notes" } });
    expect(write("claude-code", { ...CLAUDE, hook_event_name: "PreToolUse", tool_name: "Bash" }, asked)).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "Ask." },
    });
    const event = read("claude-code", { ...CLAUDE, hook_event_name: "PreCompact", trigger: "manual" });
    expect(event && clientNamed("claude-code")?.write(event, { context: "plain" })).toBe("plain");
  });

  it("stop the call where a client cannot ask, and say so", () => {
    for (const client of ["codex", "opencode"]) {
      expect(write(client, { ...CODEX, hook_event_name: "PreToolUse", tool_name: "Bash" }, asked)).toMatchObject({
        hookSpecificOutput: {
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining("cannot ask"),
        },
      });
    }
    expect(
      write("gemini", { ...GEMINI, hook_event_name: "BeforeTool", tool_name: "run_shell_command" }, asked),
    ).toEqual({ decision: "deny", reason: expect.stringContaining("cannot ask") });
    expect(
      write("gemini", { ...GEMINI, hook_event_name: "BeforeTool", tool_name: "run_shell_command" }, denied),
    ).toEqual({ decision: "deny", reason: "No." });
  });

  it("give Gemini CLI context only where it takes some", () => {
    expect(
      write("gemini", { ...GEMINI, hook_event_name: "BeforeTool", tool_name: "read_file" }, { context: "x" }),
    ).toBeUndefined();
    expect(
      write("gemini", { ...GEMINI, hook_event_name: "AfterTool", tool_name: "read_file" }, { context: "x" }),
    ).toEqual({ hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "x" } });
  });

  it("that say nothing are empty, and a turn's end never blocks", () => {
    expect(
      write("claude-code", { ...CLAUDE, hook_event_name: "UserPromptSubmit", prompt: "p" }, { context: "" }),
    ).toBeUndefined();
    expect(write("claude-code", { ...CLAUDE, hook_event_name: "Stop" }, { context: "x", ...denied })).toBeUndefined();
  });
});
