import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readDb0, readImportSource } from "../../../src/app/transfer/import-sources.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import type { ImportKind } from "../../../src/app/transfer/candidate.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

function world(files: Readonly<Record<string, string>>) {
  const root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    fs.writeFileSync(`${root}/${name}`, text.replaceAll("CWD", `${root}/shop`));
  }
  const locations = locate({ cwd: `${root}/shop`, environment: emptyHome(root) });
  const read = (kind: ImportKind, place?: string) => {
    const source = readImportSource(locations, kind, place);
    return {
      place: path.relative(root, source.place),
      files: source.files.map((one) => one.path),
      skipped: source.skipped.map(({ path: file, why }) => `${file}: ${why}`),
      source,
    };
  };
  return { root, read };
}

const NO_LINKS = "a link or no file; links are not followed";

describe("what an import reads", () => {
  it("is every Markdown file in the order of names, with what is not read and why", () => {
    const { root, read } = world({
      "old/b.md": "b",
      "old/a.MD": "a",
      "old/sub/deep/c.md": "c",
      "old/.hidden/x.md": "x",
      "old/.x.md": "x",
      "old/x.txt": "x",
      "elsewhere/y.md": "y",
    });
    fs.symlinkSync(`${root}/elsewhere`, `${root}/old/linked`);
    fs.symlinkSync(`${root}/elsewhere/y.md`, `${root}/old/y.md`);
    const { files, skipped, place, source } = read("claude-code", "../old");
    expect(place).toBe("old");
    expect(files).toEqual(["a.MD", "b.md", "sub/deep/c.md"]);
    expect(skipped.toSorted()).toEqual([
      ".hidden: hidden",
      ".x.md: hidden",
      `linked: ${NO_LINKS}`,
      "x.txt: not a Markdown file",
      `y.md: ${NO_LINKS}`,
    ]);
    expect(source.files[0]).toEqual({
      path: "a.MD",
      text: "a",
      changed: new Date(fs.statSync(`${root}/old/a.MD`).mtimeMs).toISOString(),
    });
  });

  it.each([
    [
      "codex",
      {
        "m/MEMORY.md": "x",
        "m/rollout_summaries/a.md": "x",
        "m/memory_summary.md": "x",
        "m/sub/MEMORY.md": "x",
        "m/x/rollout_summaries/b.md": "x",
      },
      ["MEMORY.md", "rollout_summaries/a.md"],
      [
        "memory_summary.md: made by Codex from the files that are read",
        "sub/MEMORY.md: made by Codex from the files that are read",
        "x/rollout_summaries/b.md: made by Codex from the files that are read",
      ],
    ],
    [
      "openclaw",
      {
        "m/MEMORY.md": "x",
        "m/memory/2026-03-10.md": "x",
        "m/memory/old/2026-03-10-more.md": "x",
        "m/memory/notes.md": "x",
        "m/2026-03-10.md": "x",
        "m/sub/memory/2026-03-10.md": "x",
        "m/memory/26-03-10.md": "x",
      },
      ["MEMORY.md", "memory/2026-03-10.md", "memory/26-03-10.md", "memory/notes.md", "memory/old/2026-03-10-more.md"],
      ["2026-03-10.md", "sub/memory/2026-03-10.md"].map((file) => `${file}: neither MEMORY.md nor in memory/`),
    ],
    [
      "server-memory",
      { "m/memory.json": "x", "m/sub/x.JSONL": "x", "m/a.md": "x", "m/a.json5": "x" },
      ["memory.json", "sub/x.JSONL"],
      ["a.json5: not a .json or .jsonl file", "a.md: not a .json or .jsonl file"],
    ],
    [
      "hermes",
      { "m/MEMORY.md": "x", "m/USER.md": "x", "m/OTHER.md": "x", "m/sub/MEMORY.md": "x", "m/USER.mdx": "x" },
      ["MEMORY.md", "USER.md"],
      [
        "OTHER.md: neither MEMORY.md nor USER.md",
        "USER.mdx: not a Markdown file",
        "sub/MEMORY.md: neither MEMORY.md nor USER.md",
      ],
    ],
    ["basic-memory", { "m/a.md": "x", "m/b.markdown": "x" }, ["a.md"], ["b.markdown: not a Markdown file"]],
  ] as const)("of %s is what that tool wrote", (kind, files, taken, passed) => {
    const { root, read } = world(files);
    const { files: found, skipped } = read(kind, `${root}/m`);
    expect(found.toSorted()).toEqual([...taken].toSorted());
    expect(skipped.toSorted()).toEqual([...passed].toSorted());
  });

  it("is one file where one is named, whatever its name", () => {
    const { read, root } = world({ "m/notes.txt": "words" });
    expect(read("server-memory", `${root}/m/notes.txt`).files).toEqual(["notes.txt"]);
  });

  it("leaves out a file of more than a million bytes, and takes one of a million", () => {
    const { read, root } = world({ "m/a.md": "x".repeat(1_000_000), "m/b.md": "x".repeat(1_000_001) });
    expect(read("claude-code", `${root}/m`)).toMatchObject({ files: ["a.md"], skipped: ["b.md: larger than 1 MB"] });
  });

  it("ends at 5,000 files and names the others", () => {
    const { read, root } = world({});
    fs.mkdirSync(`${root}/m`);
    for (let at = 0; at < 5_002; at++) fs.writeFileSync(`${root}/m/${String(at).padStart(4, "0")}.md`, "x");
    const { files, skipped } = read("claude-code", `${root}/m`);
    expect(files).toHaveLength(5_000);
    expect(skipped).toEqual(["5000.md: more than 5000 files", "5001.md: more than 5000 files"]);
  });
});

describe("where nothing is said", () => {
  it("Codex and Gemini have usual places, the others need one", () => {
    const { read } = world({
      "home/.codex/memories/MEMORY.md": "x",
      "home/.gemini/tmp/abc/.project_root": "CWD\n",
      "home/.gemini/tmp/abc/memory/MEMORY.md": "of this project",
      "home/.gemini/tmp/aaa/.project_root": "CWD/below\n",
      "home/.gemini/tmp/aaa/memory/MEMORY.md": "of another",
      "home/.gemini/GEMINI.md": "added",
    });
    expect(read("codex")).toMatchObject({ place: "home/.codex/memories", files: ["MEMORY.md"] });
    expect(read("gemini")).toMatchObject({ place: "home/.gemini/tmp/abc/memory", files: ["MEMORY.md", "GEMINI.md"] });
    expect(read("gemini").source.files[0]?.text).toBe("of this project");
    expect(read("gemini", "../home/.gemini/tmp/aaa/memory").files).toEqual(["MEMORY.md"]);
    expect(() => read("server-memory")).toThrow(
      expect.objectContaining({ code: "invalid-input", message: expect.stringContaining("give the file") }),
    );
    for (const kind of ["claude-code", "basic-memory", "openclaw"] as const)
      expect(() => read(kind)).toThrow(
        expect.objectContaining({ code: "invalid-input", message: expect.stringContaining("give the directory") }),
      );
  });

  it("Hermes' is in the directory that HERMES_HOME names, else in the person's", () => {
    const { root } = world({ "home/.hermes/memories/MEMORY.md": "in the home", "set/memories/MEMORY.md": "set" });
    for (const [HERMES_HOME, text] of [
      ["", "in the home"],
      [`${root}/set`, "set"],
    ] as const) {
      const locations = locate({ cwd: `${root}/shop`, environment: { ...emptyHome(root), HERMES_HOME } });
      expect(readImportSource(locations, "hermes", undefined).files.map((file) => file.text)).toEqual([text]);
    }
  });

  it("Gemini's are those of the project, wherever in it one works", () => {
    const { root } = world({
      "home/.gemini/tmp/abc/.project_root": "CWD\n",
      "home/.gemini/tmp/abc/memory/MEMORY.md": "of this project",
      "shop/src/a.ts": "",
    });
    const locations = locate({ cwd: `${root}/shop/src`, environment: emptyHome(root) });
    expect(readImportSource(locations, "gemini", undefined).files.map(({ text }) => text)).toEqual(["of this project"]);
  });

  it("Gemini's are those of the working directory where no project is looked at", () => {
    const { root } = world({
      "home/.gemini/tmp/abc/.project_root": "CWD\n",
      "home/.gemini/tmp/abc/memory/MEMORY.md": "of this directory",
      "notes/a.md": "x",
    });
    const locations = locate({ cwd: `${root}/shop`, dir: `${root}/notes`, environment: emptyHome(root) });
    expect(readImportSource(locations, "gemini", undefined).files.map(({ text }) => text)).toEqual([
      "of this directory",
    ]);
  });

  it("db0's is what DB0_STORAGE names, else the file beside Claude Code's settings; what is given comes first", async () => {
    const { root } = world({
      "home/.claude/db0.jsonl": '{"id": "beside"}\n',
      "shop/set.jsonl": '{"id": "set"}\n',
      "shop/given.jsonl": '{"id": "given"}\n',
    });
    const placeOf = async (storage: string | undefined, given?: string): Promise<string> => {
      const environment = { ...emptyHome(root), ...(storage !== undefined && { DB0_STORAGE: storage }) };
      const locations = locate({ cwd: `${root}/shop`, environment });
      const { place } = await readDb0(locations, given).catch((error: Error) => ({ place: error.message }));
      return place.replaceAll(`${root}/`, "");
    };
    expect([await placeOf(undefined), await placeOf("")]).toEqual([
      expect.stringContaining("there is no file home/.claude/db0.sqlite;"),
      expect.stringContaining("there is no file home/.claude/db0.sqlite;"),
    ]);
    expect(await placeOf("set.jsonl")).toBe("shop/set.jsonl");
    expect(await placeOf("set.jsonl", "given.jsonl")).toBe("shop/given.jsonl");
  });

  it("says that there is nothing, and why a file was not read", () => {
    const { read, root } = world({ "m/a.txt": "x", "n/a.txt": "x", "n/b.txt": "x" });
    const told = (kind: ImportKind, place?: string): unknown => {
      try {
        return read(kind, place);
      } catch (error) {
        return error;
      }
    };
    expect(told("gemini")).toMatchObject({ code: "not-found", message: expect.stringMatching(/tmp\/none\/memory$/u) });
    expect(told("codex", `${root}/none`)).toMatchObject({
      code: "not-found",
      message: expect.stringMatching(/none$/u),
    });
    expect(told("codex", `${root}/m`)).toMatchObject({
      message: expect.stringContaining("1 file there was not read, a.txt: not a Markdown file"),
    });
    expect(told("codex", `${root}/n`)).toMatchObject({
      message: expect.stringContaining("2 files there were not read, a.txt"),
    });
    expect(fs.existsSync(`${homeOf(root)}/.memdir`)).toBe(false);
  });
});
