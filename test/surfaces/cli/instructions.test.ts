import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { ground } from "../../core/instructions/ground.ts";
import { cli } from "../../support/cli.ts";

describe("context", () => {
  it("prints instructions and then notes as JSON, in load order", async () => {
    const { project: cwd, environment } = ground({
      "project/CLAUDE.md": "main",
      "project/.claude/MEMORY.md": "- [By hand](x.md) — first",
      "project/src/CLAUDE.md": "nested",
    });
    await cli(["remember", "Deploys run on Tuesdays"], { cwd, environment });
    const { out } = await cli(["context", "--json", "--agent", "claude-code", "--touch", "src/new.ts"], {
      cwd,
      environment,
    });
    const { sections, excluded, pending, unreadable } = JSON.parse(out);
    expect(
      sections
        .map(({ kind, path, reason }: Record<string, string>) => [kind, path?.slice(cwd.length + 1), reason])
        .slice(0, 3),
    ).toEqual([
      ["instructions", "CLAUDE.md", "session-start"],
      ["instructions", "src/CLAUDE.md", "nested-traversal"],
      ["index", ".claude/MEMORY.md", "session-start"],
    ]);
    expect(sections[0]).toEqual({
      path: `${cwd}/CLAUDE.md`,
      label: "project instructions, checked into the codebase",
      scope: "project",
      reason: "session-start",
      importedBy: null,
      characters: 4,
      flags: [],
      kind: "instructions",
    });
    expect(sections.at(-1)).toMatchObject({ kind: "index", scope: "project" });
    expect([excluded, pending, unreadable]).toEqual([[], [], []]);
  });

  it("says for people what loads, why, how much, and what does not; text only when asked", async () => {
    const { project: cwd, environment } = ground({
      "project/CLAUDE.md": "the main text @docs/a.md @~/out.md",
      "project/docs/a.md": "imported",
      "home/out.md": "o",
      "project/.claude/rules/ts.md": "---\npaths: '*.ts'\n---\nts",
    });
    const { out } = await cli(["context", "--agent", "claude-code"], { cwd, environment });
    expect(out).toContain("docs/a.md\n      project, imported by CLAUDE.md; 8 characters, about 2 tokens");
    expect(out).toContain("~/out.md");
    expect(out).toContain("1 rule waits for a matching file");
    expect(out).not.toContain("the main text");
    expect((await cli(["context", "--agent", "claude-code", "--text"], { cwd, environment })).out).toContain(
      "the main text",
    );
  });

  it("explains one file", async () => {
    const { project: cwd, environment } = ground({
      "project/CLAUDE.md": "x",
      "project/src/CLAUDE.md": "n",
      "project/README.md": "r",
    });
    const why = async (file: string): Promise<string> =>
      (await cli(["context", "--why", file, "--agent", "claude-code"], { cwd, environment })).out;
    expect(await why("CLAUDE.md")).toContain("loaded: a project file that loads at the start");
    expect(await why("src/CLAUDE.md")).toContain("on demand");
    expect(await why("README.md")).toContain("not loaded");
    expect(await why("gone.md")).toContain("there is no such file");
  });

  it("refuses a client that nobody knows", async () => {
    const { project: cwd, environment } = ground({});
    expect(await cli(["context", "--agent", "nobody"], { cwd, environment })).toMatchObject({
      code: 2,
      err: expect.stringContaining("claude-code"),
    });
  });
});

describe("instructions", () => {
  it("lists, approves and revokes imports from outside", async () => {
    const { project: cwd, environment } = ground({ "project/CLAUDE.md": "@~/out.md", "home/out.md": "o" });
    const run = (...words: string[]): Promise<{ code: number; out: string }> =>
      cli([...words, "--agent", "claude-code"], { cwd, environment });
    expect((await run("instructions", "list")).out).toMatch(/^pending .*out\.md/u);
    expect(await run("instructions", "approve", "~/out.md")).toMatchObject({ code: 0 });
    expect((await run("context")).out).toContain("approved in memdir");
    expect((await run("instructions", "list")).out).toMatch(/^approved/u);
    expect(await run("instructions", "revoke", "~/out.md")).toMatchObject({ code: 0 });
    expect((await run("context")).out).not.toContain("approved in memdir");
    expect(await run("instructions", "revoke", "~/out.md")).toMatchObject({ code: 3 });
  });

  it("takes a damaged approval for none", async () => {
    const { root, project: cwd, environment, open } = ground({ "project/CLAUDE.md": "@~/out.md", "home/out.md": "o" });
    await cli(["instructions", "approve", "--yes", "--agent", "claude-code"], { cwd, environment });
    expect(open().sections).toHaveLength(2);
    const directory = `${root}/home`.concat("/.memdir/approvals");
    for (const name of fs.readdirSync(directory)) fs.writeFileSync(`${directory}/${name}`, "{");
    expect(open().sections).toHaveLength(1);
  });

  it("finds dead imports, contradictions and long files, and ends with 1; with 0 when all is well", async () => {
    const { project: cwd, environment } = ground({
      "home/.claude/CLAUDE.md": "Always use tabs for indentation.",
      "project/CLAUDE.md": "Indent with two spaces. Use pnpm, not npm. @docs/gone.md @Injectable",
      "project/CLAUDE.local.md": "Run yarn install.\n",
      "project/.claude/rules/big.md": "x".repeat(50_000),
    });
    const { code, out } = await cli(["instructions", "check", "--json", "--agent", "claude-code"], {
      cwd,
      environment,
    });
    const kinds = JSON.parse(out).findings.map(({ kind }: { kind: string }) => kind);
    expect(code).toBe(1);
    expect(kinds.toSorted()).toEqual(["contradiction", "contradiction", "dead-import", "over-40000"]);
    const fine = ground({ "project/CLAUDE.md": "Use pnpm, never npm.", "project/CLAUDE.local.md": "Prefer pnpm." });
    expect(
      await cli(["instructions", "check", "--agent", "claude-code"], {
        cwd: fine.project,
        environment: fine.environment,
      }),
    ).toMatchObject({ code: 0 });
  });

  it("names files of this place as they are written here, and finds no contradiction where no client loads both", async () => {
    const { project: cwd, environment } = ground({
      "project/CLAUDE.md": "Use pnpm.",
      "project/CLAUDE.local.md": "Use yarn.",
      "project/GEMINI.md": "Use bun.",
    });
    const { out } = await cli(["instructions", "check", "--agent", "all"], { cwd, environment });
    expect(out).toContain('contradiction CLAUDE.local.md\n    "Use yarn." against "Use pnpm." in CLAUDE.md\n');
    expect(out).not.toContain(cwd);
    expect(out).not.toContain("GEMINI.md");
  });

  it("says of a file approved in memdir that the client waits for its own approval", async () => {
    const {
      root,
      project: cwd,
      environment,
    } = ground({ "outside.md": "From outside.", "project/CLAUDE.md": "@../outside.md" });
    await cli(["instructions", "approve", `${root}/outside.md`], { cwd, environment });
    expect((await cli(["context", "--agent", "claude-code"], { cwd, environment })).out).toContain(
      "approved in memdir; the client loads it only after its own approval",
    );
  });

  it("speaks of an OpenCode session and a Codex session", async () => {
    const { project: cwd, environment } = ground({ "project/AGENTS.md": "Use pnpm." });
    expect((await cli(["context", "--agent", "opencode"], { cwd, environment })).out).toContain("An OpenCode session");
    expect((await cli(["context", "--agent", "codex"], { cwd, environment })).out).toContain("A Codex session");
  });
});
