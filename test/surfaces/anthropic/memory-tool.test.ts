import fs from "node:fs";
import path from "node:path";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../../src/index.ts";
import { memoryTool } from "../../../src/surfaces/anthropic/memory-tool.ts";
import { emptyHome } from "../../support/cli.ts";
import { A_SECRET } from "../../support/planted-secrets.ts";
import { scratch } from "../../support/scratch.ts";

type Tool = ReturnType<typeof betaMemoryTool>;
type Command = Parameters<Tool["run"]>[0];

let memory: Memory;
let tool: Tool;

beforeEach(() => {
  const root = scratch();
  memory = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
  tool = betaMemoryTool(memoryTool({ memory }));
  return () => memory.close();
});

/** What the model is answered, be it an error or not. */
async function answerOf(run: Tool["run"], command: Command): Promise<string> {
  try {
    return String(await run(command));
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const create = (file: string, file_text: string): Command => ({
  command: "create",
  path: `/memories/${file}`,
  file_text,
});
const view = (file: string): Command => ({ command: "view", path: `/memories${file}` });

describe("the memory tool", () => {
  it("keeps what the model writes as notes of the project, which recall finds", async () => {
    await tool.run(create("deploy.md", "# Deploys\n\nDeploys go out on Tuesdays from the release branch.\n"));
    expect(memory.files.list().map((one) => one.path)).toEqual(["deploy.md"]);
    expect(memory.recall("when do deploys go out from the release branch?").text).toContain("Tuesdays");
    const [version] = memory.history("deploy.md");
    expect(version).toMatchObject({ actor: "agent" });
  });

  it("shows, changes and renames notes that others wrote, and undo brings back what it deleted", async () => {
    await memory.remember({
      type: "feedback",
      name: "no mocks",
      description: "what tests run on",
      body: "Integration tests use the container.",
    });
    const file = memory.files.list()[0]?.path ?? "";
    expect(await tool.run(view(`/${file}`))).toContain("Integration tests use the container.");
    const edit = { old_str: "the container", new_str: "the postgres container" };
    await tool.run({ command: "str_replace", path: `/memories/${file}`, ...edit });
    await tool.run({ command: "rename", old_path: `/memories/${file}`, new_path: "/memories/tests/mocks.md" });
    expect(memory.files.read("tests/mocks.md")).toContain("the postgres container");
    expect(memory.files.list().map((one) => one.path)).toEqual(["tests/mocks.md"]);
    await tool.run({ command: "delete", path: "/memories/tests" });
    expect(memory.list()).toEqual([]);
    memory.undo();
    expect(memory.list()).toHaveLength(1);
  });

  it("refuses a secret, text that nobody can see, and names that no note can have, and says why", async () => {
    expect(await answerOf(tool.run, create("a.md", A_SECRET.text))).toMatch(/^error: .*secret/u);
    await tool.run(create("a.md", "harmless"));
    const at = { path: "/memories/a.md" };
    const changes: Command[] = [
      { command: "str_replace", ...at, old_str: "harmless", new_str: A_SECRET.text },
      { command: "insert", ...at, insert_line: 0, insert_text: A_SECRET.text },
      { command: "insert", ...at, insert_line: 0, insert_text: "seen \u202E unseen" },
    ];
    for (const change of changes) expect(await answerOf(tool.run, change)).toMatch(/^error: .*(?:secret|hidden)/u);
    expect(await tool.run(view("/a.md"))).toMatch(/harmless$/u);
    for (const name of ["todo.txt", ".hidden.md", "MEMORY.md", "con.md"])
      expect(await answerOf(tool.run, create(name, "x"))).toMatch(/cannot be a note/u);
    expect(await answerOf(tool.run, view("/MEMORY.md"))).toMatch(/does not exist/u);
    expect(memory.list()).toHaveLength(1);
  });

  it("lets no path out of the directory", async () => {
    for (const outside of ["/etc/passwd", "/memories/../x.md", "/memories/a/../../x.md"])
      expect(await answerOf(tool.run, { command: "view", path: outside })).toMatch(/must start with|would escape/u);
  });

  it("does not overwrite what was changed after it was read", async () => {
    await tool.run(create("a.md", "one"));
    await memory.files.replace("a.md", "one", "two");
    await expect(memory.files.replace("a.md", "one", "three")).rejects.toMatchObject({ code: "conflict" });
    expect(memory.files.read("a.md")).toBe("two");
  });

  it("deletes or renames all files of a directory or none", async () => {
    for (const name of ["d/a.md", "d/b.md"]) await tool.run(create(name, name));
    const blocked: Command = { command: "rename", old_path: "/memories/d", new_path: "/memories/.d" };
    expect(await answerOf(tool.run, blocked)).toMatch(/cannot be a note/u);
    expect(memory.files.list().map((one) => one.path)).toEqual(["d/a.md", "d/b.md"]);
    await tool.run({ command: "rename", old_path: "/memories/d", new_path: "/memories/e/f" });
    expect(memory.files.list().map((one) => one.path)).toEqual(["e/f/a.md", "e/f/b.md"]);
  });
});

const PATHS = ["a.md", "b.md", "d/a.md", "d/c.md", "d/e/f.md", "g/h/i/j.md"];
const PLACES = [...PATHS, "", "d", "d/e", "g/h", "none", "none.md", "d/../b.md", "./a.md", "d/"];
const filePath = fc.constantFrom(...PATHS).map((file) => `/memories/${file}`);
const anyPath = fc.constantFrom(...PLACES).map((place) => (place === "" ? "/memories" : `/memories/${place}`));
const text = fc
  .array(fc.constantFrom("one", "two", "two two", "", "é $& $1"), { maxLength: 5 })
  .map((l) => l.join("\n"));
const word = fc.constantFrom("one", "two", "$&", "none", "");
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ command: fc.constant("view" as const), path: anyPath }),
  fc.record({
    command: fc.constant("view" as const),
    path: filePath,
    view_range: fc.tuple(fc.integer({ min: -1, max: 5 }), fc.integer({ min: -1, max: 6 })).map((pair) => [...pair]),
  }),
  fc.record({ command: fc.constant("create" as const), path: fc.oneof(filePath, filePath, anyPath), file_text: text }),
  fc.record({ command: fc.constant("str_replace" as const), path: anyPath, old_str: word, new_str: word }),
  fc.record({
    command: fc.constant("insert" as const),
    path: anyPath,
    insert_line: fc.integer({ min: -1, max: 6 }),
    insert_text: text,
  }),
  fc.record({ command: fc.constant("delete" as const), path: anyPath }),
  fc.record({ command: fc.constant("rename" as const), old_path: anyPath, new_path: fc.oneof(filePath, anyPath) }),
);

/** memdir keeps files and not directories: one that has become empty is gone. */
function withoutEmpty(directory: string, isRoot = true): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) withoutEmpty(path.join(directory, entry.name), false);
  if (!isRoot && fs.readdirSync(directory).length === 0) fs.rmdirSync(directory);
}

/** What is meant to differ: how large a directory is, and the system's own words for a path that leads through a file. */
function comparable(answer: string): string {
  if (/^error: E[A-Z]+:/u.test(answer)) return "error";
  // The first line of a listing is the directory itself, whatever it is called; those below it end with a slash.
  return answer
    .replace(/^(Here're the files and directories .*\n)\S+\t/u, "$1SIZE\t")
    .replace(/^\S+\t(.*\/)$/gmu, "SIZE\t$1");
}

describe("the memory tool beside the reference handler of the SDK", () => {
  it("gives the same answers for a directory that is called as a file is", async () => {
    const root = scratch();
    const own = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
    const ours = betaMemoryTool(memoryTool({ memory: own }));
    const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(path.join(root, "reference")));
    for (const one of [
      create("d/a.md", ""),
      { command: "rename", old_path: "/memories/d/", new_path: "/memories/b.md" },
      { command: "view", path: "/memories/d/../b.md" },
      { command: "view", path: "/memories/b.md" },
      { command: "view", path: "/memories" },
    ] as const)
      expect(comparable(await answerOf(ours.run, one))).toBe(comparable(await answerOf(theirs.run, one)));
    own.close();
  });

  it("gives the same answers to random commands", { tags: ["slow"], timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
        const root = scratch();
        const own = openMemory({ cwd: root, environment: emptyHome(root), model: "off" });
        try {
          const ours = betaMemoryTool(memoryTool({ memory: own }));
          const base = path.join(root, "reference");
          const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(base));
          for (const one of commands) {
            const expected = comparable(await answerOf(theirs.run, one));
            const given = comparable(await answerOf(ours.run, one));
            withoutEmpty(path.join(base, "memories"));
            // A name that no note can have: from here on the two hold different files.
            if (/cannot be a note/u.test(given)) return;
            expect(expected === "error" ? given.replace(/^error.*/su, "error") : given).toBe(expected);
          }
        } finally {
          own.close();
        }
      }),
      { numRuns: 150 },
    );
  });
});
