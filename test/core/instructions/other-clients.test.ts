import { describe, expect, it } from "vitest";
import { ground } from "./ground.ts";

describe("instructions of Codex", () => {
  it("are AGENTS.md from the repository's root down, an override in its place, without imports", () => {
    const { open, short } = ground({ "home/.codex/AGENTS.md": "\n user \n", "AGENTS.md": "above", "project/AGENTS.md": "root @a.md", "project/a.md": "a", "project/app/AGENTS.md": "no", "project/app/AGENTS.override.md": "over", "project/CLAUDE.md": "no" });
    expect(open("codex", "app").sections.map(({ path, text }) => [short(path), text])).toEqual([["home/.codex/AGENTS.md", "user"], ["project/AGENTS.md", "root @a.md"], ["project/app/AGENTS.override.md", "over"]]);
  });

  it("share 32 KiB, then are cut, then left out", () => {
    const { open } = ground({ "project/AGENTS.md": "é".repeat(20_000), "project/app/AGENTS.md": "late" });
    const { sections, excluded } = open("codex", "app");
    expect(sections).toEqual([expect.objectContaining({ flags: ["cut"], text: "é".repeat(16_384) })]);
    expect(excluded).toEqual([expect.objectContaining({ why: expect.stringContaining("32768 bytes") })]);
  });

  it("follow the limits of config.toml", () => {
    const { paths } = ground({ "home/.codex/config.toml": 'project_doc_max_bytes = 4\nproject_doc_fallback_filenames = ["TEAM.md", "docs/X.md"]\n[x]\nproject_doc_max_bytes = 9', "project/TEAM.md": "1234", "project/app/AGENTS.md": "late" });
    expect(paths("codex", "app")).toEqual(["project/TEAM.md"]);
  });
});

describe("instructions of Gemini CLI", () => {
  it("put imports into the text of their importer, inside the project only", () => {
    const { open, short } = ground({ "project/GEMINI.md": "@a.md `@a.md` @../out.md @gone.md", "project/a.md": "A", "out.md": "O" });
    const { sections, excluded, missing } = open("gemini");
    expect(sections.map(({ path, flags }) => [short(path), flags])).toEqual([["project/GEMINI.md", []], ["project/a.md", ["inlined"]]]);
    expect(sections[0]?.text).toContain("<!-- Imported from: a.md -->\nA\n<!-- End of import from: a.md --> `@a.md` <!-- Import failed: ../out.md");
    expect([excluded.length, missing.length]).toEqual([1, 1]);
  });

  it("have the names that the settings add, and files below the start on demand", () => {
    const { open, short } = ground({ "home/.gemini/settings.json": '{ "context": { "fileName": ["AGENTS.md"] } } // mine', "project/AGENTS.md": "a", "project/GEMINI.md": "g", "project/src/GEMINI.md": "s" });
    const session = open("gemini");
    expect(session.sections.map(({ path }) => short(path))).toEqual(["project/AGENTS.md", "project/GEMINI.md"]);
    expect(session.touched(["src/x.ts"]).sections.map(({ path }) => short(path))).toEqual(["project/src/GEMINI.md"]);
  });
});

describe("instructions of OpenCode", () => {
  it("are the first name that is found anywhere, nearest first, then those of opencode.json", () => {
    const { paths } = ground({ "home/.config/opencode/AGENTS.md": "u", "project/AGENTS.md": "root", "project/app/AGENTS.md": "app", "project/app/CLAUDE.md": "no", "project/opencode.json": '{"instructions":["docs/*.md","https://example.test/x.md"]}', "project/docs/b.md": "b", "project/docs/a.md": "a" });
    expect(paths("opencode", "app")).toEqual(["home/.config/opencode/AGENTS.md", "project/app/AGENTS.md", "project/AGENTS.md", "project/docs/a.md", "project/docs/b.md"]);
  });

  it("add the files on the way to one that is read, nearest first", () => {
    const { open, short } = ground({ "project/a/AGENTS.md": "a", "project/a/b/CLAUDE.md": "b" });
    expect(open("opencode").touched(["a/b/x.ts"]).sections.map(({ path }) => short(path))).toEqual(["project/a/b/CLAUDE.md", "project/a/AGENTS.md"]);
  });
});

describe("all clients as one view", () => {
  it("show each file once with the clients that load it", () => {
    const { open, short } = ground({ "project/AGENTS.md": "a", "project/CLAUDE.md": "c", "project/GEMINI.md": "g" });
    expect(open("all").sections.map(({ path, agents }) => [short(path), agents])).toEqual([["project/CLAUDE.md", ["claude-code"]], ["project/AGENTS.md", ["codex", "opencode"]], ["project/GEMINI.md", ["gemini"]]]);
  });
});
