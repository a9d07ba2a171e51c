import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeCodeTranscripts } from "../../../src/adapters/agents/claude-code-transcript.ts";
import { codexTranscripts } from "../../../src/adapters/agents/codex-transcript.ts";
import { geminiTranscripts } from "../../../src/adapters/agents/gemini-transcript.ts";
import { opencodeTranscripts } from "../../../src/adapters/agents/opencode-transcript.ts";
import { type JsonObject, readTranscript, type TranscriptFormat } from "../../../src/core/transcripts/turn.ts";
import { callsMemory } from "../../../src/core/transcripts/tool-calls.ts";

const jsonl = (...records: readonly unknown[]): string => records.map((record) => JSON.stringify(record)).join("\n");

const codexItem = (payload: unknown): unknown => ({
  timestamp: "2026-03-10T10:00:00.000Z",
  type: "response_item",
  payload,
});
const codexMessage = (role: string, texts: readonly string[], kinds?: readonly string[]): unknown =>
  codexItem({
    type: "message",
    role,
    content: texts.map((text) => ({ type: role === "assistant" ? "output_text" : "input_text", text })),
    ...(kinds && { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } }),
  });
const codexMeta = {
  type: "session_meta",
  payload: { id: "s1", cwd: "/home/dev/shop", source: "exec", thread_source: "user" },
};

describe("a Codex rollout", () => {
  it("names the tool of a server with its server, by which memdir knows its own", () => {
    const call = { type: "function_call", call_id: "c1", name: "remember", namespace: "mcp__memdir", arguments: "{}" };
    const read = readTranscript(
      jsonl(codexMeta, codexMessage("user", ["Note it."], ["user.text"]), codexItem(call)),
      codexTranscripts,
    );
    const calls = read.turns.flatMap(({ toolCalls }) => toolCalls);
    expect(calls.map(({ name }) => name)).toEqual(["mcp__memdir__remember"]);
    expect(calls.map(callsMemory)).toEqual([true]);
  });

  it("is the person's prompts, the model's answers and calls, and apart from them what tools returned", () => {
    const read = readTranscript(
      jsonl(
        codexMeta,
        codexMessage("developer", ["Sandbox rules"], ["permissions.instructions"]),
        codexMessage(
          "user",
          [
            "# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
            "<environment_context><cwd>/x</cwd></environment_context>",
          ],
          ["agents_md.instructions", "environments.environment_context"],
        ),
        codexMessage("user", ["Never mock the database."], ["user.text"]),
        { type: "event_msg", payload: { type: "user_message", message: "Never mock the database." } },
        codexItem({
          type: "function_call",
          id: "fc1",
          call_id: "c1",
          name: "exec_command",
          arguments: '{"cmd":"ls src"}',
        }),
        codexItem({ type: "function_call_output", call_id: "c1", output: "load.ts" }),
        codexItem({ type: "function_call_output", call_id: "c2", output: { content: [{ text: "from a server" }] } }),
        codexMessage("assistant", ["Understood."]),
        {
          type: "compacted",
          payload: {
            message: "Use tabs.",
            replacement_history: [{ type: "message", role: "user", content: [{ text: "Never mock the database." }] }],
          },
        },
      ),
      codexTranscripts,
    );
    expect(read).toMatchObject({
      agent: "codex",
      session: "s1",
      cwd: "/home/dev/shop",
      toolTexts: ["load.ts", "from a server"],
      problems: [],
    });
    expect(read.turns.map(({ role, text }) => [role, text])).toEqual([
      ["user", "Never mock the database."],
      ["assistant", ""],
      ["assistant", "Understood."],
    ]);
    expect(read.turns[1]?.toolCalls).toMatchObject([{ id: "c1", name: "exec_command", input: { cmd: "ls src" } }]);
  });

  it.each([
    ["the answer of a stop hook", '<hook_prompt hook_run_id="stop:1">Run the tests.</hook_prompt>'],
    ["an aborted turn", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"],
    ["project instructions of older versions", "<user_instructions>\nUse tabs.\n</user_instructions>"],
    [
      "instructions that close themselves early",
      "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nsay </INSTRUCTIONS> and Use tabs.\n</INSTRUCTIONS>",
    ],
  ])("leaves out %s, without being told its kind", (_name, text) => {
    expect(readTranscript(jsonl(codexMeta, codexMessage("user", [text])), codexTranscripts).turns).toEqual([]);
  });

  it("takes nothing that one agent told another for a person's words", () => {
    const meta = { type: "session_meta", payload: { id: "s2", cwd: "/x", source: { subagent: "review" } } };
    expect(
      readTranscript(
        jsonl(meta, codexMessage("user", ["Review it."]), codexMessage("assistant", ["Done."])),
        codexTranscripts,
      ).turns.map(({ role }) => role),
    ).toEqual(["assistant"]);
  });
});

const geminiHeader = { sessionId: "g1", projectHash: "abc", startTime: "2026-03-10T10:00:00.000Z", kind: "main" };

describe("a Gemini CLI chat", () => {
  it("takes the last of several lines about one message", () => {
    const answer = { id: "m2", timestamp: "2026-03-10T10:00:01.000Z", type: "gemini", content: "" };
    const call = {
      id: "c1",
      name: "read_file",
      args: { file_path: "a.txt" },
      result: [{ functionResponse: { response: { output: "hello" } } }],
    };
    const read = readTranscript(
      jsonl(
        geminiHeader,
        {
          $set: {
            messages: [
              {
                id: "m0",
                type: "user",
                content: [
                  {
                    text: "<session_context>\nThis is the CLI.\n<loaded_context>Use tabs.</loaded_context>\n</session_context>",
                  },
                ],
              },
            ],
          },
        },
        {
          id: "m1",
          type: "user",
          content: [
            { text: "<hook_context>Use tabs.</hook_context>\n\nNever mock the database." },
            { text: "<hook_context>Use tabs.</hook_context>" },
          ],
        },
        answer,
        { ...answer, content: "Looking.", toolCalls: [call] },
        { id: "m3", type: "user", content: [{ functionResponse: { response: { output: "hello" } } }] },
        { $set: { lastUpdated: "2026-03-10T10:00:02.000Z" } },
      ),
      geminiTranscripts,
    );
    expect(read).toMatchObject({ agent: "gemini", session: "g1", toolTexts: ["hello"], problems: [] });
    expect(read.turns).toMatchObject([
      { role: "user", id: "m1", text: "Never mock the database." },
      {
        role: "assistant",
        id: "m2",
        text: "Looking.",
        toolCalls: [{ id: "c1", name: "read_file", input: { file_path: "a.txt" } }],
      },
    ]);
  });

  it("leaves out the files that a prompt refers to", () => {
    const text = "Explain @a.md\n\n--- Content from referenced files ---\nUse tabs.\n--- End of content ---";
    expect(
      readTranscript(jsonl(geminiHeader, { id: "m1", type: "user", content: text }), geminiTranscripts).turns.map(
        (turn) => turn.text,
      ),
    ).toEqual(["Explain @a.md"]);
  });
});

const opencodeSession = { session: { id: "ses_1", directory: "/home/dev/shop", parent_id: null } };
const message = (id: string, role: string, parts: readonly unknown[], more: JsonObject = {}): unknown => ({
  info: { id, role, time: { created: 1773136800000 }, ...more },
  parts,
});

describe("an OpenCode session", () => {
  it("is what was typed and answered, without what plugins, compaction and the client add", () => {
    const read = readTranscript(
      jsonl(
        opencodeSession,
        message("m1", "user", [
          { type: "text", text: "Never mock the database." },
          { type: "text", synthetic: true, text: "Use tabs." },
        ]),
        message("m2", "assistant", [
          { type: "step-start" },
          { type: "text", text: "Looking." },
          {
            type: "tool",
            tool: "read",
            callID: "c1",
            state: { status: "completed", input: { filePath: "a.txt" }, output: "hello" },
          },
        ]),
        message("m3", "assistant", [{ type: "text", text: "Summary: Use tabs." }], {
          summary: true,
          mode: "compaction",
        }),
        message("m4", "user", [{ type: "text", synthetic: true, text: "Continue." }]),
        message("m5", "user", [{ type: "text", text: '"From now on use \\"pnpm\\"."' }]),
      ),
      opencodeTranscripts,
    );
    expect(read).toMatchObject({ agent: "opencode", session: "ses_1", cwd: "/home/dev/shop", toolTexts: ["hello"] });
    expect(read.turns).toMatchObject([
      { role: "user", id: "m1", text: "Never mock the database.", time: "2026-03-10T10:00:00.000Z" },
      {
        role: "assistant",
        id: "m2",
        text: "Looking.",
        toolCalls: [{ id: "c1", name: "read", input: { filePath: "a.txt" } }],
      },
      { role: "user", id: "m5", text: 'From now on use "pnpm".' },
    ]);
  });
});

const FORMATS: readonly TranscriptFormat[] = [
  claudeCodeTranscripts,
  codexTranscripts,
  geminiTranscripts,
  opencodeTranscripts,
];
const SAMPLES: Readonly<Record<string, unknown>> = {
  "claude-code": { type: "user", sessionId: "s", message: { role: "user", content: "hi" } },
  codex: codexMeta,
  gemini: geminiHeader,
  opencode: opencodeSession,
};

describe("every reader", () => {
  it("knows its own client's lines and no other's", () => {
    for (const [agent, sample] of Object.entries(SAMPLES)) {
      const parsed: JsonObject = JSON.parse(JSON.stringify(sample));
      expect(FORMATS.filter((format) => format.recognises([parsed])).map((format) => format.agent)).toEqual([agent]);
    }
  });

  it("reads any lines without throwing", () => {
    const shapes = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record(
          {
            type: fc.constantFrom("response_item", "session_meta", "user", "gemini", "assistant"),
            payload: fc.jsonValue(),
            message: fc.jsonValue(),
            content: fc.jsonValue(),
            toolCalls: fc.jsonValue(),
            $set: fc.jsonValue(),
            info: fc.jsonValue(),
            parts: fc.jsonValue(),
            session: fc.jsonValue(),
          },
          { requiredKeys: ["type"] },
        )
        .map((value) => JSON.stringify(value)),
      fc
        .record({
          info: fc.record({ role: fc.constantFrom("user", "assistant"), time: fc.jsonValue() }),
          parts: fc.array(
            fc.record({ type: fc.constantFrom("text", "tool"), text: fc.jsonValue(), state: fc.jsonValue() }),
          ),
        })
        .map((value) => JSON.stringify(value)),
      fc
        .record({
          type: fc.constant("response_item"),
          payload: fc.record({
            type: fc.constantFrom("message", "function_call", "function_call_output"),
            role: fc.constantFrom("user", "assistant"),
            content: fc.jsonValue(),
            arguments: fc.jsonValue(),
            output: fc.jsonValue(),
          }),
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(shapes, { maxLength: 12 }), (lines) => {
        for (const format of FORMATS) {
          const read = readTranscript(lines.join("\n"), format);
          expect(read.turns.every(({ text }) => typeof text === "string")).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("never takes injected text for a person's", () => {
    const wrap = fc.constantFrom(
      "environment_context",
      "user_instructions",
      "turn_aborted",
      "hook_prompt",
      "hook_context",
      "session_context",
      "loaded_context",
      "memdir-context",
      "system-reminder",
      "INSTRUCTIONS",
    );
    const words = fc
      .array(fc.constantFrom("use", "tabs", "always", "\n", "  "), { maxLength: 6 })
      .map((all) => all.join(" "));
    fc.assert(
      fc.property(wrap, words, words, fc.boolean(), fc.boolean(), (tag, before, inside, closed, withId) => {
        const text = `${before}\n<${tag}${withId && tag !== "INSTRUCTIONS" ? ' id="1"' : ""}>\nPLANTED ${inside}${closed ? `\n</${tag}>` : ""}`;
        const read = [
          readTranscript(jsonl(codexMeta, codexMessage("user", [text])), codexTranscripts),
          readTranscript(jsonl(geminiHeader, { id: "m", type: "user", content: [{ text }] }), geminiTranscripts),
          readTranscript(jsonl(opencodeSession, message("m", "user", [{ type: "text", text }])), opencodeTranscripts),
          readTranscript(
            jsonl({ type: "user", uuid: "u", sessionId: "s", message: { role: "user", content: text } }),
            claudeCodeTranscripts,
          ),
        ];
        for (const { turns } of read) expect(turns.some((turn) => turn.text.includes("PLANTED"))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
