import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeCodeTranscripts } from "../../../src/adapters/agents/claude-code-transcript.ts";
import { readTranscript, type Transcript } from "../../../src/core/transcripts/turn.ts";

const readClaudeCode = (text: string): Transcript => readTranscript(text, claudeCodeTranscripts);

const line = (fields: Record<string, unknown>): string =>
  JSON.stringify({
    isSidechain: false,
    sessionId: "s1",
    cwd: "/home/dev/shop",
    timestamp: "2026-03-10T10:00:00.000Z",
    ...fields,
  });
const user = (content: unknown, extra: Record<string, unknown> = {}): string =>
  line({ type: "user", uuid: "u1", message: { role: "user", content }, ...extra });
const assistant = (content: unknown, extra: Record<string, unknown> = {}): string =>
  line({ type: "assistant", uuid: "a1", message: { id: "msg_1", role: "assistant", content }, ...extra });
const userTexts = (...lines: string[]): readonly string[] =>
  readClaudeCode(lines.join("\n"))
    .turns.filter((turn) => turn.role === "user")
    .map((turn) => turn.text);

describe("a Claude Code transcript", () => {
  it("reads prompts and answers with their ids, times, session and directory", () => {
    const transcript = readClaudeCode([user("Hello"), assistant([{ type: "text", text: "Hi" }])].join("\n"));
    expect(transcript).toMatchObject({ agent: "claude-code", session: "s1", cwd: "/home/dev/shop", problems: [] });
    expect(transcript.turns).toEqual([
      { role: "user", id: "u1", text: "Hello", time: "2026-03-10T10:00:00.000Z", toolCalls: [] },
      { role: "assistant", id: "a1", text: "Hi", time: "2026-03-10T10:00:00.000Z", toolCalls: [] },
    ]);
  });

  it("reads what the person chose in the client's question tool, as no text of theirs", () => {
    const questions = [
      { question: "Which database?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
      { question: "Which region?", options: [{ label: "Frankfurt" }] },
    ];
    const result = [{ type: "tool_result", tool_use_id: "t1", content: "User has answered your questions." }];
    const answered = { toolUseResult: { questions, answers: { "Which database?": "Postgres", "Which region?": "" } } };
    expect(readClaudeCode(user(result, answered)).turns).toEqual([
      {
        role: "user",
        id: "u1",
        text: "",
        time: "2026-03-10T10:00:00.000Z",
        toolCalls: [],
        answers: [{ question: "Which database?", answer: "Postgres", options: ["Postgres", "SQLite"] }],
      },
    ]);
    for (const broken of [{ questions }, { questions, answers: [] }, { questions: "x", answers: {} }, "text", null])
      expect(readClaudeCode(user(result, { toolUseResult: broken })).turns).toEqual([]);
  });

  it("leaves out the text of a skill that the client loaded", () => {
    expect(userTexts(user("Base directory for this skill: /skills/x\n\n# X\nAlways do y."), user("Hi"))).toEqual([
      "Hi",
    ]);
  });

  it("joins the lines of one model message, tool calls included", () => {
    const transcript = readClaudeCode(
      [
        assistant([{ type: "text", text: "Looking." }]),
        assistant([{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "a.ts" } }], { uuid: "a2" }),
      ].join("\n"),
    );
    expect(transcript.turns).toHaveLength(1);
    expect(transcript.turns[0]).toMatchObject({
      id: "a1",
      text: "Looking.",
      toolCalls: [{ id: "t1", name: "Read", input: { file_path: "a.ts" } }],
    });
  });

  it("keeps what tools returned apart from what people said", () => {
    const transcript = readClaudeCode(
      [
        user([{ type: "tool_result", tool_use_id: "t1", content: "from a file" }]),
        user([{ type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "from a page" }] }]),
      ].join("\n"),
    );
    expect(transcript.turns).toEqual([]);
    expect(transcript.toolTexts).toEqual(["from a file", "from a page"]);
  });

  it.each([
    ["isMeta", user("generated", { isMeta: true })],
    ["isSidechain", user("for a sub-agent", { isSidechain: true })],
    ["a compact summary", user("Summary of before", { isCompactSummary: true })],
    ["local command output", user("<local-command-stdout>ok</local-command-stdout>")],
    ["a command name", user("<command-name>/clear</command-name>")],
    [
      "an attachment",
      line({
        type: "attachment",
        uuid: "x",
        attachment: { type: "instructions", files: [{ content: "Always use tabs." }] },
      }),
    ],
    ["a request blob", line({ type: "api-request-blob", message: { role: "user", content: "Always use tabs." } })],
    ["a queue operation", line({ type: "queue-operation", operation: "enqueue", content: "Always use tabs." })],
    ["a last prompt", line({ type: "last-prompt", lastPrompt: "Always use tabs." })],
    ["an interruption", user([{ type: "text", text: "[Request interrupted by user for tool use]" }])],
  ])("skips %s", (_name, text) => {
    expect(readClaudeCode(text)).toMatchObject({ turns: [], problems: [] });
  });

  describe("after a compaction", () => {
    const boundary = line({
      type: "system",
      subtype: "compact_boundary",
      uuid: "b",
      compactMetadata: { preservedSegment: { anchorUuid: "sum" } },
    });
    const typed = { parentUuid: "b", promptSource: "sdk", permissionMode: "default" };

    it.each([
      ["marked as a summary", { isCompactSummary: true }],
      ["visible in the transcript only", { isVisibleInTranscriptOnly: true }],
      ["the child of the boundary", { parentUuid: "b" }],
      ["the child of the boundary by its logical parent", { parentUuid: null, logicalParentUuid: "b" }],
      ["the anchor that the boundary names", { uuid: "sum", parentUuid: "x" }],
    ])("skips the message that is %s", (_name, marks) => {
      expect(
        userTexts(user("before"), boundary, user("The conversation so far: …", marks), user("after", typed)),
      ).toEqual(["before", "after"]);
    });

    it("skips a summary by its known opening", () => {
      expect(
        userTexts(
          boundary,
          user("This session is being continued from a previous conversation that ran out of context."),
          user("after", typed),
        ),
      ).toEqual(["after"]);
    });

    it("keeps what the person typed, even right after the boundary", () => {
      expect(userTexts(boundary, user("Never push to main.", typed))).toEqual(["Never push to main."]);
      expect(userTexts(boundary, user("Never push to main.", { parentUuid: "elsewhere" }))).toEqual([
        "Never push to main.",
      ]);
    });

    it("skips the summary behind the echo of the command, and only one message", () => {
      const echo = user("<command-name>/compact</command-name>", { parentUuid: "b" });
      expect(
        userTexts(boundary, echo, user("So far: …", { parentUuid: "b" }), user("on we go", { parentUuid: "b" })),
      ).toEqual(["on we go"]);
    });
  });

  it("strips reminders, hook output and recalled memory from inside user text", () => {
    const fenced = '<memdir-context source="notes">\nAlways use tabs.\n</memdir-context>';
    expect(
      userTexts(user(`<system-reminder>date</system-reminder>Fix it.\n${fenced}\n<hook_context>x</hook_context>`)),
    ).toEqual(["Fix it."]);
  });

  it("treats an unclosed block as running to the end rather than as the person's words", () => {
    expect(userTexts(user("Fix it.\n<memdir-context>\nAlways use tabs."))).toEqual(["Fix it."]);
  });

  it("strips blocks nested in one another", () => {
    expect(
      userTexts(user("<system-reminder>a <system-reminder>b</system-reminder> c</system-reminder> done"))[0],
    ).not.toMatch(/[ab]\b/u);
  });

  it("reads what was typed in the same message as an interruption marker", () => {
    expect(userTexts(user("[Request interrupted by user]\nUse pnpm."))).toEqual(["Use pnpm."]);
  });

  it("survives BOM, CRLF and blank lines", () => {
    const transcript = readClaudeCode(`\uFEFF${user("one")}\r\n\r\n${user("two")}\r\n`);
    expect(transcript.turns.map((turn) => turn.text)).toEqual(["one", "two"]);
    expect(transcript.problems).toEqual([]);
  });

  it("reports cut-off, foreign, NUL and invalid UTF-8 lines by number and reads the rest", () => {
    const text = [
      user("one"),
      user("two").slice(0, 40),
      "[1,2]",
      "plain text",
      `\0${user("three")}`,
      user("fo\uFFFDr"),
      line({ type: "user", uuid: "x" }),
    ].join("\n");
    const transcript = readClaudeCode(text);
    expect(transcript.problems.map((problem) => problem.line)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(transcript.turns.map((turn) => turn.text)).toEqual(["one", "three", "fo\uFFFDr"]);
  });

  it("reads an empty file as an empty session", () => {
    expect(readClaudeCode("")).toMatchObject({ session: "unknown", cwd: undefined, turns: [], problems: [] });
  });

  it("never throws, whatever the file holds", () => {
    const content = fc.oneof(
      fc.string(),
      fc.array(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            type: fc.constantFrom("text", "tool_use", "tool_result"),
            text: fc.jsonValue(),
            content: fc.jsonValue(),
          }),
        ),
      ),
      fc.jsonValue(),
    );
    const record = content.map((value) =>
      JSON.stringify({ type: "user", uuid: 7, isMeta: "no", message: { role: "user", content: value } }),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            record,
            record.map((text) => text.slice(0, text.length / 2)),
          ),
        ),
        (lines) => {
          const transcript = readClaudeCode(lines.join("\n"));
          for (const turn of transcript.turns) expect(typeof turn.text).toBe("string");
          for (const problem of transcript.problems) expect(problem.line).toBeGreaterThan(0);
        },
      ),
    );
  });
});
