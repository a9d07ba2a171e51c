import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ground } from "./ground.ts";

describe("instructions of Codex", () => {
  it("are AGENTS.md from the repository's root down, an override in its place, without imports", () => {
    const { open, short } = ground({
      "home/.codex/AGENTS.md": "\n user \n",
      "AGENTS.md": "above",
      "project/AGENTS.md": "root @a.md",
      "project/a.md": "a",
      "project/app/AGENTS.md": "no",
      "project/app/AGENTS.override.md": "over",
      "project/CLAUDE.md": "no",
    });
    expect(open("codex", "app").sections.map((section) => [short(section.path), section.text])).toEqual([
      ["home/.codex/AGENTS.md", "user"],
      ["project/AGENTS.md", "root @a.md"],
      ["project/app/AGENTS.override.md", "over"],
    ]);
  });

  it("share 32 KiB, then are cut, then left out", () => {
    const { open } = ground({ "project/AGENTS.md": "é".repeat(20_000), "project/app/AGENTS.md": "late" });
    const { sections, excluded } = open("codex", "app");
    expect(sections).toEqual([expect.objectContaining({ flags: ["cut"], text: "é".repeat(16_384) })]);
    expect(excluded).toEqual([expect.objectContaining({ why: expect.stringContaining("32768 bytes") })]);
  });

  it("follow the limits of config.toml", () => {
    const { paths } = ground({
      "home/.codex/config.toml":
        'project_doc_max_bytes = 4\nproject_doc_fallback_filenames = ["TEAM.md", "docs/X.md"]\n[x]\nproject_doc_max_bytes = 9',
      "project/TEAM.md": "1234",
      "project/app/AGENTS.md": "late",
    });
    expect(paths("codex", "app")).toEqual(["project/TEAM.md"]);
  });

  it("follow config.toml in every form that TOML has, and the defaults where it cannot be parsed", () => {
    const files = { "project/TEAM.md": "1234", "project/AGENTS.md": "x" };
    const names = "project_doc_fallback_filenames = [ # \"AGENTS.md\" comes first\n  'TEAM.md',\n]";
    const forms = [`"project_doc_max_bytes" = 0x10_00\n${names}`, `project_doc_max_bytes = 4_096 # bytes\n${names}`];
    for (const form of forms) {
      const { paths } = ground({ "home/.codex/config.toml": form, "project/TEAM.md": "1234" });
      expect(paths("codex")).toEqual(["project/TEAM.md"]);
    }
    const broken = ground({ "home/.codex/config.toml": "project_doc_max_bytes = = 0", ...files });
    expect(broken.paths("codex")).toEqual(["project/AGENTS.md"]);
  });

  it("follow the project's config.toml where the user trusts it, in whatever form", () => {
    const { paths, root } = ground({ "project/RULES.md": "rules" });
    const settings = path.join(root, "home", ".codex");
    fs.mkdirSync(settings, { recursive: true });
    fs.mkdirSync(`${root}/project/.codex`, { recursive: true });
    fs.writeFileSync(`${root}/project/.codex/config.toml`, 'project_doc_fallback_filenames = ["RULES.md"]\n');
    fs.writeFileSync(
      path.join(settings, "config.toml"),
      `[projects]\n'${root}/project' = { trust_level = 'trusted' }\n`,
    );
    expect(paths("codex")).toEqual(["project/RULES.md"]);
  });
});

describe("instructions of Gemini CLI", () => {
  it("put imports into the text of their importer, inside the project only", () => {
    const { open, short } = ground({
      "project/GEMINI.md": "@a.md `@a.md` @../out.md @gone.md",
      "project/a.md": "A",
      "out.md": "O",
    });
    const { sections, excluded, missing } = open("gemini");
    expect(sections.map((section) => [short(section.path), section.flags])).toEqual([
      ["project/GEMINI.md", []],
      ["project/a.md", ["inlined"]],
    ]);
    expect(sections[0]?.text).toContain(
      "<!-- Imported from: a.md -->\nA\n<!-- End of import from: a.md --> `@a.md` <!-- Import failed: ../out.md",
    );
    expect([excluded.length, missing.length]).toEqual([1, 1]);
  });

  it("have the names that the settings add, and files below the start on demand", () => {
    const { open, short } = ground({
      "home/.gemini/settings.json": '{ "context": { "fileName": ["AGENTS.md"] } } // mine',
      "project/AGENTS.md": "a",
      "project/GEMINI.md": "g",
      "project/src/GEMINI.md": "s",
    });
    const session = open("gemini");
    expect(session.sections.map((section) => short(section.path))).toEqual(["project/AGENTS.md", "project/GEMINI.md"]);
    expect(session.touched(["src/x.ts"]).sections.map((section) => short(section.path))).toEqual([
      "project/src/GEMINI.md",
    ]);
  });
});

describe("instructions of OpenCode", () => {
  it("are the first name that is found anywhere, nearest first, then those of opencode.json", () => {
    const { paths } = ground({
      "home/.config/opencode/AGENTS.md": "u",
      "project/AGENTS.md": "root",
      "project/app/AGENTS.md": "app",
      "project/app/CLAUDE.md": "no",
      "project/opencode.json": '{"instructions":["docs/*.md","https://example.test/x.md"]}',
      "project/docs/b.md": "b",
      "project/docs/a.md": "a",
    });
    const found = paths("opencode", "app");
    expect(found.slice(0, 3)).toEqual([
      "home/.config/opencode/AGENTS.md",
      "project/app/AGENTS.md",
      "project/AGENTS.md",
    ]);
    // Those of one pattern stand in the directory's own order, as OpenCode reads it.
    expect(found.slice(3).toSorted()).toEqual(["project/docs/a.md", "project/docs/b.md"]);
  });

  it("add the files on the way to one that is read, nearest first", () => {
    const { open, short } = ground({ "project/a/AGENTS.md": "a", "project/a/b/CLAUDE.md": "b" });
    expect(
      open("opencode")
        .touched(["a/b/x.ts"])
        .sections.map((section) => short(section.path)),
    ).toEqual(["project/a/b/CLAUDE.md", "project/a/AGENTS.md"]);
  });
});

describe("all clients as one view", () => {
  it("show each file once with the clients that load it", () => {
    const { open, short } = ground({ "project/AGENTS.md": "a", "project/CLAUDE.md": "c", "project/GEMINI.md": "g" });
    expect(open("all").sections.map((section) => [short(section.path), section.agents])).toEqual([
      ["project/CLAUDE.md", ["claude-code"]],
      ["project/AGENTS.md", ["codex", "opencode"]],
      ["project/GEMINI.md", ["gemini"]],
    ]);
  });
});
