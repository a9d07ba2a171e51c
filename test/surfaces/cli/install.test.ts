import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli, type CliOptions, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

function place(
  files: Readonly<Record<string, string>> = { ".claude/settings.json": '{\n  "env": { "KEY": "value" }\n}\n' },
) {
  const root = scratch();
  const home = path.join(root, "home");
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), content);
  }
  const options: CliOptions = { cwd: root, environment: { ...emptyHome(root), PATH: "" } };
  return { home, run: (argv: readonly string[], more: CliOptions = {}) => cli(argv, { ...options, ...more }) };
}

describe("memdir install", () => {
  it("shows a diff, asks, installs, and ends with what to do next", async () => {
    const { home, run } = place();
    const { code, out } = await run(["install"], { answer: true });
    expect(code).toBe(0);
    expect(out).toContain(`--- ${home}/.claude/settings.json\n+++ ${home}/.claude/settings.json\n@@ -1,3 `);
    expect(out).toMatch(/^\+ {4}"SessionStart": \[\{ "hooks": \[\{ "type": "command", "command": /mu);
    expect(out).toContain("Claude Code: installed");
    expect(out.trimEnd()).toMatch(/Next: start Claude Code again and tell it something worth remembering\.$/u);
    expect((await run(["status"])).out).toContain("agents    Claude Code (hooks, MCP server)");
    expect((await run(["install"])).out).toContain("already installed, nothing changes");
    const gone = await run(["uninstall"], { answer: true });
    expect(gone.out).toContain(`restored  ${home}/.claude/settings.json`);
    expect(gone.out.replaceAll(/\s+/gu, " ")).toContain("Your notes stay where they are");
    expect([...filesBelow(home).keys()]).toEqual([".claude/settings.json"]);
  });

  it("changes nothing on a no, without a terminal, or when only looking", async () => {
    const { home, run } = place();
    const before = filesBelow(home);
    expect(await run(["install"], { answer: false })).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing changed"),
    });
    const no = (await run(["install", "codex"], { answer: false })).out;
    expect([no.includes("type /hooks"), no.endsWith("Nothing changed.\n")]).toEqual([false, true]);
    expect(await run(["install"])).toMatchObject({ code: 2, err: expect.stringContaining("add --yes") });
    expect(await run(["install", "--dry-run"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing changed"),
    });
    expect(JSON.parse((await run(["install", "--dry-run", "--json"])).out)).toMatchObject({
      done: false,
      clients: [{ client: "claude-code", state: "would install", files: [{ change: "edit" }, { change: "create" }] }],
    });
    expect(filesBelow(home)).toEqual(before);
  });

  it("tells programs what it did and what the client will ask", async () => {
    const { run } = place({});
    const { out } = await run(["install", "codex", "gemini", "--yes", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      done: true,
      clients: [
        {
          client: "codex",
          state: "installed",
          review: [expect.stringContaining("/hooks"), expect.stringContaining("default_tools_approval_mode")],
        },
        { client: "gemini", review: [expect.stringContaining("trust")] },
      ],
      next: expect.stringContaining("/hooks"),
    });
    expect(JSON.parse((await run(["uninstall", "--yes", "--json"])).out)).toMatchObject({
      done: true,
      files: expect.arrayContaining([expect.objectContaining({ change: "remove" })]),
    });
  });

  it("leaves a client alone whose settings it cannot parse, naming file and line, and installs into the others", async () => {
    const { home, run } = place({ ".claude/settings.json": "{\n  broken\n}", ".gemini/settings.json": "{}" });
    const { code, out } = await run(["install", "--yes"]);
    expect(code).toBe(4);
    expect(out.replaceAll(/\s+/gu, " ")).toContain(
      `Claude Code stays as it is: ${home}/.claude/settings.json, line 2: it is not JSON`,
    );
    expect(out).toContain("Gemini CLI: installed");
    expect(fs.existsSync(path.join(home, ".claude.json"))).toBe(false);
  });

  it("warns of a file that the client does not read as it is", async () => {
    const { run } = place({ ".claude/settings.json": '{\n  // mine\n  "model": "opus",\n}' });
    expect((await run(["install", "--yes"])).out.replaceAll(/\s+/gu, " ")).toContain(
      "because of comments and trailing commas in it; take them out, or nothing in it takes effect",
    );
  });

  it("shows no token that stands beside its change", async () => {
    const token = ["gh", "p_", "a1B2".repeat(9)].join("");
    const { run } = place({ ".claude.json": `{\n  "token": "${token}"\n}` });
    for (const more of [[], ["--json"]]) {
      const { out } = await run(["install", "claude-code", "--dry-run", ...more]);
      expect(out).toContain(".claude.json");
      expect(out).not.toContain(token);
    }
  });

  it("prints for other clients what they need, and writes .mcp.json for a project", async () => {
    const { run, home } = place({});
    expect(await run(["install", "mcp"])).toMatchObject({ code: 0, out: expect.stringContaining('"mcpServers"') });
    await run(["install", "mcp", "--project", "--yes"]);
    expect(JSON.parse(fs.readFileSync(path.join(home, "..", ".mcp.json"), "utf8")).mcpServers.memdir.args.at(-1)).toBe(
      "mcp",
    );
  });

  it("says what it does not know", async () => {
    const { run } = place({});
    expect(await run(["install"])).toMatchObject({ code: 3, err: expect.stringContaining("no client found") });
    expect(await run(["install", "cursor"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown client "cursor"'),
    });
    expect(await run(["install", "codex", "--user", "--project"])).toMatchObject({ code: 2 });
    expect(await run(["uninstall", "--yes"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("nothing to remove"),
    });
  });
});
