import { describe, expect, it } from "vitest";
import { surfacedIn } from "../../../src/core/recall/ledger.ts";
import {
  loggedPrompt,
  type LoggedRecall,
  mentions,
  readLogLine,
  writeLogLine,
} from "../../../src/core/recall/log-line.ts";
import { openVocabulary, askedWords } from "../../../src/core/recall/prompt.ts";

function logged(over: Partial<LoggedRecall> = {}): LoggedRecall {
  return {
    time: "2026-03-02T09:00:00.000Z",
    project: "/home/dev/orders",
    prompt: "write tests",
    ms: 2.5,
    selected: [{ scope: "project", file: "no_mocks.md", hash: "abc", score: 0.5 }],
    pointed: [],
    candidates: [{ scope: "project", file: "no_mocks.md", score: 0.5, fate: "shown" }],
    floors: { whole: 0.36, pointer: 0.017 },
    cut: [],
    characters: 800,
    by: "rules",
    notes: { project: 3 },
    ...over,
  };
}

describe("a line of the recall log", () => {
  it.each([
    "two\nlines\r\nand a \u2028 third",
    "bell \u0007, nul \u0000, escape \u001b[31m",
    "Jané Döe",
    '"}\n{"time":"1"}',
    "\ud800 half a character",
  ])("is one line and reads back whatever was asked: %j", (prompt) => {
    const line = writeLogLine(logged({ prompt }));
    expect(line.includes("\n")).toBe(false);
    expect(readLogLine(line)).toEqual(logged({ prompt }));
  });

  it.each([
    "",
    "{",
    '{"time":"2026-03-02T09:00:00.000Z","prompt":"torn',
    "null}",
    '{"time":5}',
    '{"time":"yesterday"}',
    "\u0000\u0001}",
  ])("is passed over when it is damaged: %j", (line) => {
    expect(readLogLine(line)).toBeUndefined();
  });

  it("loses the parts that are damaged and nothing else", () => {
    const line = JSON.stringify({
      ...logged(),
      selected: [{ scope: "elsewhere", file: "x.md", hash: "1" }, { scope: "user", file: "y.md", hash: "2" }, 7],
      candidates: "none",
      by: "magic",
    });
    expect(readLogLine(line)).toMatchObject({
      prompt: "write tests",
      selected: [{ scope: "user", file: "y.md", hash: "2", score: 0 }],
      candidates: [],
      by: "rules",
    });
  });

  it("names what it mentions: notes, their conflict copies, and names in the prompt", () => {
    const line = writeLogLine(logged());
    expect([mentions(line, "no_mocks.md"), mentions(line, "other.md"), mentions("{torn", "other.md")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(
      mentions(
        writeLogLine(
          logged({
            selected: [],
            candidates: [{ scope: "project", file: "plan.conflict-2.md", score: 0.1, fate: "unlikely" }],
          }),
        ),
        "plan.md",
      ),
    ).toBe(true);
    expect(
      mentions(writeLogLine(logged({ prompt: "what does project_merge_freeze say?" })), "project_merge_freeze.md"),
    ).toBe(true);
  });
});

describe("the prompt in the log", () => {
  it("keeps what recall reads of a long one, so that it can be asked again", () => {
    const prompt = `first words ${"middle ".repeat(2000)} last words`;
    expect(loggedPrompt(prompt).length).toBeLessThanOrEqual(2401);
    expect(askedWords(loggedPrompt(prompt), openVocabulary())).toEqual(askedWords(prompt, openVocabulary()));
  });

  it("keeps no half of a token where a long one is cut", () => {
    const token = ["gh", "p_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("");
    for (const before of [1180, 1190, 1199]) {
      const kept = loggedPrompt(
        `${"x ".repeat(before / 2)}${token} ${"y ".repeat(3000)}${token}${" z".repeat(before / 2)}`,
      );
      expect(kept).toMatch(/^x x x[^]*z z z$/u);
      expect(kept).not.toMatch(/gh[p]_|aB3dE5/u);
      expect(kept).not.toContain("W1xY3zA5");
    }
  });
});

describe("a session's ledger", () => {
  it("sums what one session was shown, by the hash it had, and passes over other sessions and damage", () => {
    const lines = [
      writeLogLine(logged({ session: "one" })),
      writeLogLine(logged({ session: "two", characters: 9000 })),
      '{"session":"one" torn',
      writeLogLine(
        logged({
          session: "one",
          selected: [
            { scope: "project", file: "no_mocks.md", hash: "def", score: 0.5 },
            { scope: "user", file: "role.md", hash: "r", score: 0.4 },
          ],
          characters: 200,
        }),
      ),
      writeLogLine(logged({ prompt: 'about "session":"one"', characters: 5 })),
    ];
    const { surfaced, characters } = surfacedIn({ tail: () => lines }, "one");
    expect([...surfaced]).toEqual([
      ["project:no_mocks.md", "def"],
      ["user:role.md", "r"],
    ]);
    expect(characters).toBe(1000);
    expect(
      surfacedIn(
        {
          tail: () => [
            writeLogLine(
              logged({ session: "s", selected: [], pointed: [{ scope: "user", file: "a.md", hash: "h", score: 0.1 }] }),
            ),
          ],
        },
        "s",
      ).pointedAt.get("user:a.md"),
    ).toBe("h");
  });

  it("is empty for a session that nobody knows, and without a log", () => {
    expect(surfacedIn({ tail: () => [] }, "x").surfaced.size).toBe(0);
    expect(surfacedIn(undefined, "x").characters).toBe(0);
  });
});
