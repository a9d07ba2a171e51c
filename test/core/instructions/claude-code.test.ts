import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { ground } from "./ground.ts";

describe("instructions of Claude Code", () => {
  it("come in order: managed, user, each directory down to the start, local last", () => {
    const { paths } = ground({
      "managed/CLAUDE.md": "m",
      "managed/.claude/rules/m.md": "mr",
      "home/.claude/CLAUDE.md": "u",
      "home/.claude/rules/u.md": "ur",
      "CLAUDE.md": "above",
      "project/CLAUDE.md": "p",
      "project/.claude/CLAUDE.md": "ph",
      "project/.claude/rules/deep/r.md": "r",
      "project/CLAUDE.local.md": "l",
      "project/app/CLAUDE.md": "app",
      "project/app/src/CLAUDE.md": "below",
    });
    expect(paths("claude-code", "app")).toEqual([
      "managed/CLAUDE.md",
      "managed/.claude/rules/m.md",
      "home/.claude/CLAUDE.md",
      "home/.claude/rules/u.md",
      "CLAUDE.md",
      "project/CLAUDE.md",
      "project/.claude/CLAUDE.md",
      "project/.claude/rules/deep/r.md",
      "project/CLAUDE.local.md",
      "project/app/CLAUDE.md",
    ]);
  });

  it("have each import after its importer, once, four hops deep, cycles cut", () => {
    const { open, short } = ground({
      "project/CLAUDE.md": "@1.md @CLAUDE.md",
      "project/1.md": "@2.md @2.md",
      "project/2.md": "@3.md @1.md",
      "project/3.md": "@4.md",
      "project/4.md": "@5.md",
      "project/5.md": "five",
    });
    const session = open();
    expect(
      session.sections.map(({ path, importedBy }) => [
        short(path),
        importedBy === undefined ? null : short(importedBy),
      ]),
    ).toEqual([
      ["project/CLAUDE.md", null],
      ["project/1.md", "project/CLAUDE.md"],
      ["project/2.md", "project/1.md"],
      ["project/3.md", "project/2.md"],
      ["project/4.md", "project/3.md"],
    ]);
    expect(session.excluded).toEqual([
      expect.objectContaining({ path: expect.stringContaining("5.md"), why: expect.stringContaining("hops") }),
    ]);
  });

  it("never take an address, a package or a decorator for a file", () => {
    const { paths } = ground({
      "project/CLAUDE.md": 'dev@example.test (@types/node) @Injectable() `@a.md` "@b.md"',
      "project/types/node": "x",
      "project/a.md": "x",
      "project/b.md": "x",
      "project/example.test": "x",
    });
    expect(paths()).toEqual(["project/CLAUDE.md"]);
  });

  it("wait for approval where a project imports from outside, and not where the user does", () => {
    const files = {
      "project/CLAUDE.md": "@../out.md @~/home.md",
      "out.md": "out",
      "home/home.md": "h",
      "home/.claude/CLAUDE.md": "@../free.md",
      "home/free.md": "f",
    };
    const { open, paths, root, short } = ground(files);
    expect(paths()).toEqual(["home/.claude/CLAUDE.md", "home/free.md", "project/CLAUDE.md"]);
    expect(open().pending.map(({ path }) => short(path))).toEqual(["out.md", "home/home.md"]);
    fs.writeFileSync(
      `${root}/home`.concat("/.claude.json"),
      JSON.stringify({ projects: { [`${root}/project`]: { hasClaudeMdExternalIncludesApproved: true } } }),
    );
    expect(paths()).toEqual(["home/.claude/CLAUDE.md", "home/free.md", "project/CLAUDE.md", "out.md", "home/home.md"]);
  });

  it("leave out what claudeMdExcludes of any settings file matches, but nothing that is managed", () => {
    const { open, root, project } = ground({
      "managed/CLAUDE.md": "m",
      "project/CLAUDE.md": "p @secret.md",
      "project/secret.md": "s",
      "project/CLAUDE.local.md": "l",
      "project/.claude/rules/a.md": "a",
    });
    fs.mkdirSync(`${root}/home`.concat("/.claude"), { recursive: true });
    fs.writeFileSync(
      `${root}/home`.concat("/.claude/settings.json"),
      JSON.stringify({ claudeMdExcludes: ["**/secret.md", `${root}/managed/**`] }),
    );
    fs.writeFileSync(`${project}/.claude/settings.local.json`, JSON.stringify({ claudeMdExcludes: ["**/rules/**"] }));
    const session = open();
    expect(session.sections.map(({ scope }) => scope)).toEqual(["managed", "project", "local"]);
    expect(session.excluded).toHaveLength(2);
  });

  it("load rules with paths when a matching file is touched, once, whether it exists or not", () => {
    const { open, short } = ground({
      "project/.claude/rules/ts.md": '---\npaths:\n  - "src/**/*.{ts,tsx}"\n---\nts',
      "project/.claude/rules/py.md": "---\npaths: **/*.py\n---\npy",
      "project/src/CLAUDE.md": "nested",
      "project/src/deep/CLAUDE.local.md": "mine",
    });
    const session = open();
    expect(session.sections).toEqual([]);
    expect(session.waiting).toHaveLength(2);
    expect(session.touched(["src/deep/new.tsx"]).sections.map(({ path, reason }) => [short(path), reason])).toEqual([
      ["project/src/CLAUDE.md", "nested-traversal"],
      ["project/src/deep/CLAUDE.local.md", "nested-traversal"],
      ["project/.claude/rules/ts.md", "path-glob-match"],
    ]);
    expect(session.touched(["src/deep/new.tsx", "src/other.ts"]).sections).toEqual([]);
  });

  it("leave out comments and frontmatter, and flag what is odd", () => {
    const { open } = ground({
      "project/CLAUDE.md": "\uFEFF---\ntitle: x\n---\n<!-- note -->\r\ntext\r\n",
      "project/CLAUDE.local.md": Uint8Array.from([0x61, 0xff, 0x62]),
      "project/.claude/rules/big.md": "x".repeat(400_000),
    });
    const byScope = Object.fromEntries(
      open().sections.map(({ path, text, flags }) => [path.slice(path.lastIndexOf("/") + 1), { text, flags }]),
    );
    expect(byScope["CLAUDE.md"]).toEqual({ text: "text", flags: ["bom", "frontmatter-stripped", "comments-stripped"] });
    expect(byScope["CLAUDE.local.md"]).toEqual({ text: "a\uFFFDb", flags: ["invalid-utf8"] });
    expect(byScope["big.md"]).toMatchObject({ flags: ["over-40000"], text: "x".repeat(400_000) });
  });

  it("go on past loops, dangling links, directories, huge and empty files, each with a reason", () => {
    const { open, paths, root } = ground(
      {
        "project/.claude/rules/ok.md": "ok",
        "project/.claude/rules/empty.md": " \n",
        "project/.claude/rules/huge.md": "x".repeat(4 * 1024 * 1024 + 1),
        "project/.claude/CLAUDE.md/inside": "x",
      },
      { "project/CLAUDE.md": "CLAUDE.md", "project/CLAUDE.local.md": "nowhere.md", "project/.claude/rules/loop": "." },
    );
    expect(paths()).toEqual(["project/.claude/rules/ok.md"]);
    const { unreadable, excluded } = open();
    expect(unreadable.map(({ path }) => path.slice(root.length + 9)).toSorted()).toEqual([
      ".claude/CLAUDE.md",
      ".claude/rules/huge.md",
      "CLAUDE.local.md",
      "CLAUDE.md",
    ]);
    expect(excluded).toEqual([expect.objectContaining({ why: "it is empty" })]);
  });

  it("read AGENTS.md only where no CLAUDE.md says anything", () => {
    expect(ground({ "project/AGENTS.md": "a", "project/CLAUDE.md": "<!-- later -->" }).paths()).toEqual([
      "project/AGENTS.md",
    ]);
    expect(ground({ "project/AGENTS.md": "a", "CLAUDE.md": "above" }).paths()).toEqual(["CLAUDE.md"]);
  });

  it("are the same bytes from the same disk, with 2,000 rules", () => {
    const rules = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [
        `project/.claude/rules/d${n % 40}/r${n}.md`,
        n % 2 === 0 ? `rule ${n}` : `---\npaths: src/${n}/**\n---\nrule ${n}`,
      ]),
    );
    const { open } = ground(rules);
    const [first, second] = [open(), open()];
    expect(first.sections).toHaveLength(1_000);
    expect(first.waiting).toHaveLength(1_000);
    expect(JSON.stringify(second.sections)).toBe(JSON.stringify(first.sections));
    expect(first.touched(["src/7/a.ts"]).sections).toHaveLength(1);
  });
});
