import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.ts";
import { emptyHome } from "../support/cli.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";

/** Every control character of C0 but NUL, tab and line ends, and DEL: what a keyboard or a terminal leaves in a text. */
const TYPED = [...Array.from({ length: 31 }, (_, at) => at + 1), 127]
  .filter((code) => ![9, 10, 13].includes(code))
  .map((code) => String.fromCharCode(code))
  .join("");

function open() {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
  return openMemory({ cwd: `${root}/orders`, environment: emptyHome(root), model: "off" });
}

/** Each way in which a person's text comes in, and what is kept of it. */
const WAYS: readonly (readonly [string, (memory: ReturnType<typeof open>, text: string) => Promise<string>])[] = [
  [
    "remember",
    async (memory, text) => {
      const said = await memory.remember({ body: text, name: `name ${text}`, description: `line ${text}` });
      if (said.outcome !== "created") return said.outcome === "refused" ? said.reason : said.outcome;
      const { note } = memory.show(said.ref.file) ?? {};
      return `${note?.name} ${note?.description} ${note?.body}`;
    },
  ],
  [
    "revise",
    async (memory, text) => {
      await memory.remember({ body: "before", name: "kept" });
      const said = await memory.revise("kept", { body: text, description: text });
      const { note } = memory.show("kept") ?? {};
      return said.outcome === "refused" ? said.reason : `${note?.description} ${note?.body}`;
    },
  ],
  [
    "log",
    async (memory, text) => {
      const said = await memory.log.append(text);
      return said.outcome === "refused" ? said.reason : (memory.log.read()[0]?.entries[0]?.text ?? "");
    },
  ],
  [
    "checkpoint",
    async (memory, text) => {
      const said = await memory.checkpoints.save({ name: text, sections: { goal: text } });
      return said.kind === "refused" ? said.reason : `${said.checkpoint.name} ${said.checkpoint.sections.goal}`;
    },
  ],
  [
    "capture",
    async (memory, text) => {
      const turn = {
        role: "user",
        id: "m1",
        text: `From now on ${text}.`,
        time: "2026-03-02T09:00:00Z",
        toolCalls: [],
      } as const;
      const { notes, refused } = await memory.capture({
        agent: "claude-code",
        session: "s1",
        cwd: undefined,
        turns: [turn],
        toolTexts: [],
        problems: [],
      });
      return notes[0]?.text ?? refused[0]?.reason ?? "nothing";
    },
  ],
];

describe.each(WAYS)("control characters that were typed into what %s takes", (_, take) => {
  it("are stripped, and the words are kept", async () => {
    const memory = open();
    const kept = await take(memory, `always squash merges${TYPED} before pushing`);
    expect(kept).toContain("always squash merges before pushing");
    expect(kept).not.toMatch(/[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/u);
    memory.close();
  });

  it.each([
    ["a tag", "\u{E0041}"],
    ["a bidirectional override", "\u202E"],
    ["a zero-width space", "\u200B"],
    ["NUL", "\0"],
    ["a C1 control", "\u009B"],
  ])("are no way in for %s, which is refused", async (_name, hidden) => {
    const memory = open();
    expect(await take(memory, `always squash merges\u0008${hidden} before pushing`)).toBe("hidden-characters");
    memory.close();
  });
});

it("a secret with a backspace in it is whole again before it is looked for", async () => {
  const memory = open();
  const token = `gh${"p"}_${"aB3dE6gH9".repeat(4)}`;
  const said = await memory.remember({ body: `the key is ${token.slice(0, 9)}\u0008${token.slice(9)}` });
  expect(said).toMatchObject({ outcome: "refused", reason: "secret" });
  memory.close();
});
