import { describe, expect, it } from "vitest";
import { clientNamed } from "../../../src/surfaces/hooks/clients.ts";
import type { HookAnswer, HookClient, HookEvent, JsonRecord } from "../../../src/surfaces/hooks/event.ts";
import { planter } from "../../support/planted.ts";

const CLIENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
type Name = (typeof CLIENTS)[number];

function client(name: Name): HookClient {
  const found = clientNamed(name);
  if (found === undefined) throw new Error(name);
  return found;
}
const read = (name: Name, event: string, more: JsonRecord = {}): HookEvent | undefined =>
  client(name).read({ hook_event_name: event, session_id: "s", ...more });

const BASE = { session: "s", cwd: undefined, transcript: undefined, turn: undefined, inSubAgent: false };
const CALL = { tool: "Bash", input: { command: "ls" } };
const SENT = { tool_name: "Bash", tool_input: { command: "ls" } };

describe("what a client tells", () => {
  it.each(["claude-code", "codex", "opencode"] as const)("is read as it happened: %s", (name) => {
    expect(read(name, "SessionStart")).toEqual({ ...BASE, kind: "session-start", source: "startup" });
    expect(read(name, "UserPromptSubmit", { prompt: "hi" })).toEqual({ ...BASE, kind: "prompt", prompt: "hi" });
    expect(read(name, "UserPromptSubmit")).toMatchObject({ kind: "prompt", prompt: "" });
    expect(read(name, "PreToolUse", SENT)).toEqual({ ...BASE, kind: "before-tool", ...CALL });
    expect(read(name, "PreToolUse")).toMatchObject({ tool: "", input: undefined });
    expect(read(name, "Stop")).toEqual({ ...BASE, kind: "turn-end" });
    expect(read(name, "PreCompact")).toEqual({ ...BASE, kind: "before-compaction" });
    expect(read(name, "PostCompact")).toMatchObject({ kind: "after-compaction" });
    expect(read(name, "SessionEnd")).toEqual({ ...BASE, kind: "session-end" });
    expect(read(name, "Notification")).toBeUndefined();
  });

  it("is read as it happened: gemini", () => {
    expect(read("gemini", "SessionStart", { source: "resume" })).toMatchObject({ source: "resume" });
    expect(read("gemini", "BeforeAgent", { prompt: "hi" })).toEqual({ ...BASE, kind: "prompt", prompt: "hi" });
    expect(read("gemini", "BeforeAgent")).toMatchObject({ prompt: "" });
    expect(read("gemini", "BeforeTool", SENT)).toEqual({ ...BASE, kind: "before-tool", ...CALL });
    expect(read("gemini", "AfterTool", SENT)).toEqual({ ...BASE, kind: "after-tool", ...CALL });
    expect(read("gemini", "BeforeTool")).toMatchObject({ tool: "" });
    expect(read("gemini", "AfterAgent")).toEqual({ ...BASE, kind: "turn-end" });
    expect(read("gemini", "SessionEnd")).toEqual({ ...BASE, kind: "session-end" });
    for (const event of ["PreCompress", "Stop"]) expect(read("gemini", event)).toBeUndefined();
  });

  it.each([
    ["<hook_context>a</hook_context>\n\nhi", "hi"],
    ["<hook_context>a</hook_context> <hook_context>b</hook_context>hi", "hi"],
    ["hi <hook_context>a</hook_context>", "hi <hook_context>a</hook_context>"],
    ["<hook_context>hi", "<hook_context>hi"],
    ["<hook_context>a</hook_context>", ""],
  ])("holds the person's own words alone, in Gemini CLI too: %s", (prompt, own) => {
    expect(read("gemini", "BeforeAgent", { prompt })).toMatchObject({ prompt: own });
  });

  it("holds the words that OpenCode put into quotation marks", () => {
    expect(read("opencode", "UserPromptSubmit", { prompt: '"say \\"hi\\" now"' })).toMatchObject({
      prompt: 'say "hi" now',
    });
    expect(read("codex", "UserPromptSubmit", { prompt: '"say hi"' })).toMatchObject({ prompt: '"say hi"' });
  });

  it("holds where it happened, and a turn under either name", () => {
    const more = { cwd: "/a", transcript_path: "/s.jsonl", prompt_id: "p", turn_id: "t", agent_id: "x" };
    for (const name of CLIENTS) {
      expect(read(name, "SessionEnd", more)).toEqual({
        session: "s",
        cwd: "/a",
        transcript: "/s.jsonl",
        turn: "p",
        inSubAgent: true,
        kind: "session-end",
      });
      expect(read(name, "SessionEnd", { turn_id: "t" })).toMatchObject({ turn: "t", inSubAgent: false });
      expect(read(name, "SessionEnd", { session_id: 5, cwd: "", agent_id: 5 })).toEqual({
        ...BASE,
        session: "",
        kind: "session-end",
      });
      const secret = planter(7).plant("token");
      expect(JSON.stringify(read(name, "SessionEnd", { session_id: secret, turn_id: secret }))).not.toContain(secret);
    }
  });

  it.each(["startup", "resume", "clear", "compact"] as const)("says that a session starts by %s", (source) => {
    for (const name of CLIENTS)
      expect(read(name, "SessionStart", { source, forked_from: "p" })).toEqual({
        ...BASE,
        kind: "session-start",
        source,
      });
  });

  it("says what a fork was copied from, as far as it is told", () => {
    const origin = (more: JsonRecord): unknown => {
      const event = read("claude-code", "SessionStart", { source: "fork", ...more });
      return event?.kind === "session-start" ? event.origin : undefined;
    };
    expect(origin({})).toEqual({});
    expect(origin({ forked_from: "p" })).toEqual({ session: "p" });
    expect(origin({ seconds_since_last_response: 5, context_tokens: 9 })).toEqual({
      lastAnswer: { idleSeconds: 5, tokens: 9 },
    });
    expect(origin({ seconds_since_last_response: 5 })).toEqual({});
    expect(origin({ context_tokens: 9 })).toEqual({});
    expect(read("codex", "SessionStart", { source: "elsewhere" })).toMatchObject({ source: "startup" });
  });

  it("is of a client that is known", () => {
    for (const name of CLIENTS) expect(client(name).name).toBe(name);
    for (const name of ["claude", "", undefined]) expect(clientNamed(name)).toBeUndefined();
  });
});

describe("what a client is told", () => {
  const EVENTS: Readonly<Record<string, HookEvent>> = {
    start: { ...BASE, kind: "session-start", source: "startup" },
    prompt: { ...BASE, kind: "prompt", prompt: "hi" },
    before: { ...BASE, kind: "before-tool", ...CALL },
    after: { ...BASE, kind: "after-tool", ...CALL },
    end: { ...BASE, kind: "turn-end" },
    compact: { ...BASE, kind: "before-compaction" },
    compacted: { ...BASE, kind: "after-compaction", startFollows: true },
    over: { ...BASE, kind: "session-end" },
  };
  const written = (name: Name, event: string, answer: HookAnswer): unknown => {
    const happened = EVENTS[event];
    const text = happened === undefined ? "" : client(name).write(happened, answer);
    return text === "" ? "" : JSON.parse(text);
  };
  const SHARED = ["claude-code", "codex", "opencode"] as const;

  it.each(CLIENTS)("is nothing where there is nothing to say: %s", (name) => {
    for (const event of Object.keys(EVENTS))
      for (const answer of [{}, { context: "" }]) expect(written(name, event, answer), event).toBe("");
  });

  it.each(SHARED)("is context for the agent at the events that take it: %s", (name) => {
    const names = { start: "SessionStart", prompt: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse" };
    for (const [event, hookEventName] of Object.entries(names))
      expect(written(name, event, { context: "c" })).toEqual({
        hookSpecificOutput: { hookEventName, additionalContext: "c" },
      });
    for (const event of ["end", "compacted", "over"]) expect(written(name, event, { context: "c" })).toBe("");
  });

  it("is for a compaction what each client takes there: text, nothing, or context", () => {
    const compaction = { ...BASE, kind: "before-compaction" } as const;
    const told = { context: "c", notice: "n" };
    expect([client("claude-code").write(compaction, told), client("codex").write(compaction, told)]).toEqual(["c", ""]);
    expect(written("opencode", "compact", { context: "c" })).toEqual({
      hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "c" },
    });
    const follows = CLIENTS.map((name) => read(name, "PostCompact")).map((event) =>
      event?.kind === "after-compaction" ? event.startFollows : undefined,
    );
    expect(follows).toEqual([true, true, undefined, false]);
  });

  it("is context for the agent at the events that take it: gemini", () => {
    const names = { start: "SessionStart", prompt: "BeforeAgent", after: "AfterTool" };
    for (const [event, hookEventName] of Object.entries(names))
      expect(written("gemini", event, { context: "c" })).toEqual({
        hookSpecificOutput: { hookEventName, additionalContext: "c" },
      });
    for (const event of ["before", "end", "compact", "over"])
      expect(written("gemini", event, { context: "c" })).toBe("");
  });

  it.each(CLIENTS)("is a line for the person at every event, beside what the agent is told: %s", (name) => {
    for (const event of Object.keys(EVENTS).filter((one) => one !== "compact"))
      expect(written(name, event, { notice: "n" }), event).toEqual({ systemMessage: "n" });
    expect(written(name, "prompt", { notice: "n", context: "c" })).toMatchObject({
      systemMessage: "n",
      hookSpecificOutput: { additionalContext: "c" },
    });
  });

  it("is a question before a call where the client can ask, else a stop that says how to go on", () => {
    const ask = { decision: { kind: "ask", reason: "why." } } as const;
    const deny = { decision: { kind: "deny", reason: "why." } } as const;
    expect(written("claude-code", "before", ask)).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "why." },
    });
    expect(written("claude-code", "before", deny)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "why." },
    });
    for (const name of ["codex", "opencode"] as const) {
      expect(written(name, "before", ask)).toMatchObject({
        hookSpecificOutput: {
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringMatching(/^why\. This client cannot ask the person/u),
        },
      });
      expect(written(name, "before", deny)).toMatchObject({
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "why." },
      });
    }
    expect(written("gemini", "before", ask)).toEqual({
      decision: "deny",
      reason: expect.stringMatching(/^why\. This client cannot ask/u),
    });
    expect(written("gemini", "before", deny)).toEqual({ decision: "deny", reason: "why." });
  });
});
