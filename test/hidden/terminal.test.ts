import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { memoryOffer, TOOL_NAMES } from "../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../src/surfaces/mcp/project-memory.ts";
import { COMMANDS } from "../../src/surfaces/cli/catalogue.ts";
import { paint, visible } from "../../src/surfaces/cli/io.ts";
import { person } from "../support/person.ts";
import { memoryDirectory } from "../support/scratch.ts";
import { sessionFile } from "../support/session-file.ts";

/** Clears the screen, renames the window, turns text round, a C1 introducer, a backspace, and a line written over. */
const HOSTILE = "\u001b[2J\u001b]0;owned\u0007\u202Egnp.exe\u009b31m\u0008\u007fover\rwritten";

/** Everything that a terminal obeys or that a reader does not see; a line end may be CR LF. */
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]|\r(?!\n)/u;

/** A store, a log, a session and settings that somebody else wrote, hostile wherever a text can stand. */
async function hostilePlace() {
  const made = person(memoryDirectory());
  const { cwd, root, memdir } = made;
  const notes = `${root}/notes`;
  fs.mkdirSync(notes);
  const yaml = JSON.stringify(HOSTILE);
  fs.writeFileSync(
    `${notes}/evil.md`,
    `---\nname: ${JSON.stringify(`port ${HOSTILE}`)}\ndescription: ${JSON.stringify(`container port ${HOSTILE}`)}\nmetadata:\n  type: ${yaml}\n  evidence: {session: ${yaml}, message: ${yaml}}\n---\n\nThe container listens on port 5433. ${HOSTILE}\nSee src/gone${HOSTILE}.ts\n`,
  );
  fs.writeFileSync(`${notes}/by\u001b[2Jname.md`, `the container again ${HOSTILE}\n`);
  fs.writeFileSync(`${notes}/MEMORY.md`, `- a line ${HOSTILE}\n`);
  sessionFile(`${root}/session.jsonl`).say(`From now on use the container ${HOSTILE} always.`);
  fs.writeFileSync(`${cwd}/CLAUDE.md`, `# Style ${HOSTILE}\n\n@/nowhere/${HOSTILE}.md\n`);
  const here = (argv: readonly string[], more = {}) => memdir([...argv, "--dir", notes], { answer: false, ...more });
  await here(["pin", "evil.md"]);
  return { ...made, notes, here };
}

describe("what a terminal or a pipe gets", () => {
  it(
    "shows hostile characters by name, whatever command prints them",
    { timeout: 60_000, tags: ["slow"] },
    async () => {
      const { here, root } = await hostilePlace();
      const seen: Record<string, string> = {};
      for (const { name } of COMMANDS) {
        if (name === "mcp" || name === "demo") continue;
        const ways = [
          [],
          ["evil.md"],
          [HOSTILE],
          ["which port has the container"],
          [`${root}/session.jsonl`],
          ["--json"],
          ["evil.md", "--json"],
        ];
        for (const way of ways) {
          const { out, err } = await here([name, ...way]);
          expect(
            `${out}${err}`.replace(RAW, (raw) => `RAW ${raw.charCodeAt(0).toString(16)}`),
            [name, ...way].join(" "),
          ).not.toContain("RAW ");
          seen[name] = `${seen[name] ?? ""}${out}${err}`;
        }
      }
      // Nothing was hidden instead: what was hostile is there to be seen.
      for (const name of ["list", "show", "context", "history", "diff", "capture", "doctor"])
        expect(seen[name], name).toContain("<U+001B>[2J");
      expect(seen["show"]).toContain("<U+202E>");
      expect(seen["list"]).toContain("<U+000D>");
    },
  );

  it("keeps the exact text in JSON, escaped", async () => {
    const { here } = await hostilePlace();
    const { out } = await here(["show", "evil.md", "--json"]);
    expect(out).not.toMatch(RAW);
    expect(JSON.parse(out).body).toContain(HOSTILE.slice(0, HOSTILE.indexOf("\r")));
    expect(out).toContain(String.raw`\u202e`);
  });

  it("has styles of ours alone: one in a text is named also where there is colour", () => {
    const io = { color: true };
    expect(visible(paint(io, "red", "\u001b[31mred\u001b[0m"))).toBe("\u001b[31m<U+001B>[31mred<U+001B>[0m\u001b[39m");
    expect(visible("\u001b[1mbold\r\nnext\rover \u{1F468}\u200D\u{1F469} flags and family stay")).toBe(
      "<U+001B>[1mbold\r\nnext<U+000D>over \u{1F468}\u200D\u{1F469} flags and family stay",
    );
  });

  it("is as safe in the text of MCP results", async () => {
    const { cwd, environment, notes } = await hostilePlace();
    const memory = openProjectMemory({ cwd, environment, dir: notes });
    const call = {
      client: { name: "test", canElicit: false, canSample: false, hasRoots: false },
      meta: {},
      signal: new AbortController().signal,
      progress: () => undefined,
      notify: () => undefined,
      request: async () => ({}),
    };
    const texts: string[] = [];
    for (const { spec, run } of memoryOffer(memory, TOOL_NAMES).tools())
      for (const given of [
        {},
        { note: "evil.md" },
        { note: HOSTILE },
        { prompt: "which port has the container" },
        { query: "container" },
      ]) {
        const { content } = await run(given, call).catch(() => ({ content: [] }));
        for (const part of content) {
          expect(String(part["text"]), spec.name).not.toMatch(RAW);
          texts.push(String(part["text"]));
        }
      }
    memory.close();
    expect(texts.join("\n")).toContain("container port");
  });
});
