import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { claudeCodeTranscripts } from "../../../src/adapters/agents/claude-code-transcript.ts";
import { transcriptLines } from "../../../src/adapters/files/transcript-lines.ts";
import { withoutSaved } from "../../../src/core/transcripts/exchanges.ts";
import { createToolTexts } from "../../../src/core/transcripts/tool-texts.ts";
import type { Turn } from "../../../src/core/transcripts/turn.ts";
import { BEGINNING, type Position, readWindows, type TranscriptWindow } from "../../../src/core/transcripts/windows.ts";
import { scratch } from "../../support/scratch.ts";
import { sessionFile } from "../../support/session-file.ts";

function windows(file: string, from: Position, room: number): readonly TranscriptWindow[] {
  const format = claudeCodeTranscripts;
  return [...readWindows(transcriptLines(file, from), { format, from, room, weigh: ({ text }) => text.length })];
}

const words = ({ transcript }: TranscriptWindow): readonly string[] =>
  transcript.turns.filter(({ role }) => role === "user").map(({ text }) => text);

describe("windows of a session", () => {
  it("hold every word of the person once, however small they are and wherever reading stopped", () => {
    const file = sessionFile(`${scratch()}/s.jsonl`);
    const said = Array.from({ length: 60 }, (_, index) => `Sentence number ${index} of this session`);
    for (const sentence of said) file.say(sentence);
    for (const room of [1, 50, 200, 100_000]) {
      const all = windows(file.path, BEGINNING, room);
      expect(all.flatMap(words)).toEqual(said);
      for (const [index, { next }] of all.entries()) {
        expect(windows(file.path, next, room).flatMap(words), `after window ${index} of room ${room}`).toEqual(
          all.slice(index + 1).flatMap(words),
        );
      }
    }
  });

  it("go on behind the end when the session grew, with what the agent had said last before the person's words", () => {
    const file = sessionFile(`${scratch()}/s.jsonl`);
    file.say("First");
    const next = windows(file.path, BEGINNING, 1000).at(-1)?.next ?? BEGINNING;
    expect(next.after).toBeUndefined();
    file.say("Second");
    const [window] = windows(file.path, next, 1000);
    expect(window?.transcript.turns.map(({ text }) => text)).toEqual(["Answer 1.", "Second", "Answer 2."]);
    expect(window?.turns).toBe(2);
  });

  it("leave a line that is still being written for later", () => {
    const file = sessionFile(`${scratch()}/s.jsonl`);
    file.say("First");
    const size = fs.statSync(file.path).size;
    file.append('{"type":"user","uuid":"u2","sess');
    const next = windows(file.path, BEGINNING, 1000).at(-1)?.next;
    expect(next?.offset).toBe(size);
  });

  it("say that the turn to go on after is not in the file", () => {
    const file = sessionFile(`${scratch()}/s.jsonl`);
    file.say("First");
    const from = { ...BEGINNING, after: "gone" };
    const reading = readWindows(transcriptLines(file.path, from), {
      format: claudeCodeTranscripts,
      from,
      room: 10,
      weigh: () => 1,
    });
    expect(reading.next()).toEqual({ done: true, value: false });
  });

  it("leave out a line too long to be read, say so, and read on", () => {
    const file = sessionFile(`${scratch()}/s.jsonl`);
    file.append(`{"type":"user","x":"${"x".repeat(9 << 20)}"}\n`);
    file.say("First");
    const [window] = windows(file.path, BEGINNING, 1000);
    expect(window?.transcript.problems).toEqual([{ line: 1, reason: expect.stringContaining("too long") }]);
    expect(window === undefined ? [] : words(window)).toEqual(["First"]);
  });
});

describe("exchanges in which the agent saved notes itself", () => {
  const turn = (role: Turn["role"], id: string, name?: string, input?: unknown): Turn => ({
    role,
    id,
    text: id,
    time: undefined,
    toolCalls: name === undefined ? [] : [{ id: "t", name, input }],
  });
  const inStore = (path: string): boolean => path.startsWith("/notes/");
  const cases: readonly (readonly [string, string, unknown, boolean])[] = [
    ["a file written into the store", "Write", { file_path: "/notes/a.md", content: "x" }, true],
    ["a file edited in the store", "MultiEdit", { file_path: "/notes/a.md" }, true],
    ["a patch of the store", "apply_patch", { input: "*** Begin Patch\n*** Update File: /notes/a.md\n" }, true],
    ["a memory tool of a server", "mcp__plugin_memdir_memdir__remember", {}, true],
    ["a remember on the command line", "Bash", { command: "cd x && memdir remember 'a b'" }, true],
    ["a command given in parts", "shell", { command: ["memdir", "remember", "x"] }, true],
    ["a file elsewhere", "Write", { file_path: "/src/a.ts" }, false],
    ["a look at the store", "Read", { file_path: "/notes/a.md" }, false],
    ["a recall", "mcp__memdir__recall", {}, false],
    ["a command that asks", "Bash", { command: "memdir recall x" }, false],
  ];
  it.each(cases)("%s", (_, name, input, saves) => {
    const turns = [
      turn("user", "u1"),
      turn("assistant", "a1", name, input),
      turn("user", "u2"),
      turn("assistant", "a2"),
    ];
    expect(withoutSaved(turns, inStore).turns.map(({ id }) => id)).toEqual(
      saves ? ["u2", "a2"] : ["u1", "a1", "u2", "a2"],
    );
  });
});

describe("texts of tools", () => {
  it("are kept as far back as memory allows, the newest first", () => {
    const texts = createToolTexts();
    for (let index = 0; index < 2_000; index++) texts.add([`${index} ${"x".repeat(2_000)}`]);
    const kept = texts.recent();
    expect(kept.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(500_000);
    expect(kept.at(-1)).toMatch(/^1999 /u);
  });

  it("lose the middle of one that is very long", () => {
    const texts = createToolTexts();
    texts.add([`begin ${"x".repeat(5_000_000)} end`]);
    expect(texts.recent()[0]).toMatch(/^begin x+\nx+ end$/u);
  });
});
