import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/sqlite/driver.ts";
import { readTranscriptFile } from "../../../src/app/past/transcript.ts";
import { codeOf } from "../../support/errors.ts";
import { writeOpenCode } from "../../support/past.ts";
import { scratch } from "../../support/scratch.ts";

describe("a transcript file", () => {
  it("is read as its client writes it, whichever that is", () => {
    const root = scratch();
    fs.mkdirSync(`${root}/chats`);
    fs.writeFileSync(`${root}/.project_root`, "/home/dev/shop\n");
    const write = (name: string, ...records: readonly unknown[]): string => {
      fs.writeFileSync(`${root}/${name}`, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      return `${root}/${name}`;
    };
    const files = [
      write(
        "claude.jsonl",
        { type: "queue-operation", sessionId: "s" },
        { type: "user", sessionId: "s", cwd: "/home/dev/shop", message: { role: "user", content: "Use tabs." } },
      ),
      write(
        "codex.jsonl",
        { type: "session_meta", payload: { id: "s", cwd: "/home/dev/shop" } },
        { type: "response_item", payload: { type: "message", role: "user", content: [{ text: "Use tabs." }] } },
      ),
      write(
        "chats/gemini.jsonl",
        { sessionId: "s", projectHash: "h" },
        { id: "1", type: "user", content: "Use tabs." },
      ),
      writeOpenCode(root, [{ id: "s", directory: "/home/dev/shop", said: ["Use tabs."] }]),
    ];
    expect(
      files.map(readTranscriptFile).map(({ agent, cwd, turns }) => [agent, cwd, turns.map(({ text }) => text)]),
    ).toEqual(["claude-code", "codex", "gemini", "opencode"].map((agent) => [agent, "/home/dev/shop", ["Use tabs."]]));
  });

  it("may be one session of OpenCode's database, which stays as it was", () => {
    const file = writeOpenCode(scratch(), [
      { id: "ses_a", said: ["first"] },
      { id: "ses_b", said: ["second"] },
    ]);
    const before = fs.readFileSync(file);
    expect(readTranscriptFile(`${file}#ses_a`).turns.map(({ text }) => text)).toEqual(["first"]);
    expect(readTranscriptFile(file).turns.map(({ text }) => text)).toEqual(["second"]);
    expect(codeOf(() => readTranscriptFile(`${file}#ses_c`))).toBe("not-found");
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });

  it("cannot be written to where it is opened for reading", () => {
    const file = writeOpenCode(scratch(), []);
    const database = openDatabase(file, { busyTimeoutMs: 0, journal: "delete", readOnly: true });
    expect(() => database.exec("DELETE FROM session")).toThrow(/readonly|read-only/iu);
    database.close();
  });

  it("is refused when no client writes such lines", () => {
    const file = `${scratch()}/x.jsonl`;
    fs.writeFileSync(file, "hello\n");
    expect(codeOf(() => readTranscriptFile(file))).toBe("invalid-input");
  });
});
