import fs from "node:fs";
import path from "node:path";
import { parse } from "jsonc-parser";
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

  it("says that a client is not on this machine, and nothing of the kind of one that is", async () => {
    const { run } = place({ ".gemini/settings.json": "{}" });
    const both = await run(["install", "codex", "gemini", "--dry-run", "--json"]);
    expect(JSON.parse(both.out).clients.map((one: { absent?: boolean }) => one.absent)).toEqual([true, undefined]);
    const { out } = await run(["install", "codex", "gemini", "--yes"]);
    expect(out).toContain("Codex was not found on this machine");
    expect(out).not.toContain("Gemini CLI was not found");
    expect((await run(["install", "codex", "--dry-run"])).out).not.toContain("was not found");
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

  it.each([
    ["qwen", ".qwen/settings.json", '{\n  // mine\n  "theme": "dark"\n}\n', "UserPromptSubmit"],
    ["vscode", ".config/Code/User/mcp.json", '{ "servers": { "other": { "command": "x" } } }', '"stdio"'],
    [
      "cursor",
      ".cursor/hooks.json",
      '{ "version": 1, "hooks": { "stop": [{ "command": "mine" }] } }',
      "beforeSubmitPrompt",
    ],
    ["cline", ".cline/data/settings/cline_mcp_settings.json", '{ "mcpServers": {} }', "memdir.cjs"],
    [
      "openclaw",
      ".openclaw/openclaw.json",
      '{ "plugins": { "load": { "paths": ["/mine"] }, "entries": { "a": {} } } }',
      "allowConversationAccess",
    ],
  ])(
    "connects %s, twice the same, and takes itself out again, whatever was edited in between",
    async (client, file, text, telling) => {
      const { home, run } = place({ [file]: text });
      const before = filesBelow(home);
      const read = (): string => fs.readFileSync(path.join(home, file), "utf8");
      expect((await run(["install", client, "--yes"])).code).toBe(0);
      expect(read()).toContain(telling);
      expect((await run(["status"])).out).not.toContain("not connected to an agent");
      const once = filesBelow(home);
      expect((await run(["install", client, "--yes"])).out).toContain("already installed, nothing changes");
      expect(filesBelow(home)).toEqual(once);
      await run(["uninstall", client, "--yes"]);
      expect(filesBelow(home)).toEqual(before);
      await run(["install", client, "--yes"]);
      fs.writeFileSync(path.join(home, file), `${read().trimEnd().slice(0, -1)}, "added": true }`);
      await run(["uninstall", "--yes"]);
      expect(read()).not.toContain("memdir");
      expect(read()).toContain('"added": true');
      expect(parse(read())).toEqual({ ...parse(text), added: true });
    },
  );

  it.each([
    ["pi", [".pi/agent/extensions/memdir.ts"]],
    ["hermes", [".hermes/plugins/memdir/__init__.py", ".hermes/plugins/memdir/plugin.yaml"]],
  ])("puts files of its own into %s, leaves one that was edited, and none else", async (client, files) => {
    const { home, run } = place({});
    await run(["install", client, "--yes"]);
    expect([...filesBelow(home).keys()].filter((name) => !name.startsWith(".memdir/"))).toEqual(files);
    expect((await run(["install", client, "--yes"])).out).toContain("already installed");
    const { out } = await run(["uninstall", client, "--yes"]);
    expect([out.includes("`hermes memory off`"), out.includes("Codex")]).toEqual([client === "hermes", false]);
    expect([...filesBelow(home).keys()]).toEqual([]);
    await run(["install", client, "--yes"]);
    fs.appendFileSync(path.join(home, files[0] ?? ""), "mine\n");
    expect((await run(["uninstall", client, "--yes"])).err).toContain("changed by hand");
    expect(fs.existsSync(path.join(home, files[0] ?? ""))).toBe(true);
  });

  it("says that a running Gateway of OpenClaw needs no new start", async () => {
    const { out } = await place({}).run(["install", "openclaw", "--yes"]);
    expect(out.replaceAll(/\s+/gu, " ")).toContain("A running Gateway loads the plugin within seconds.");
    expect(out).not.toContain("start OpenClaw again");
  });

  it("does not take the memory slot of OpenClaw from another plugin", async () => {
    const { home, run } = place({ ".openclaw/openclaw.json": '{ "plugins": { "slots": { "memory": "other" } } }' });
    const before = filesBelow(home);
    const { code, out } = await run(["install", "openclaw", "--yes"]);
    expect([code, out.replaceAll(/\s+/gu, " ")]).toEqual([
      4,
      expect.stringContaining('"plugins.slots.memory" already exists'),
    ]);
    expect(filesBelow(home)).toEqual(before);
  });

  it("adds the rule to AGENTS.md only when asked, keeps what stands there, and removes it", async () => {
    const { home, run } = place({ "../AGENTS.md": "# Mine\n\nUse tabs.\n" });
    const file = path.join(home, "..", "AGENTS.md");
    const before = fs.readFileSync(file, "utf8");
    await run(["install", "vscode", "--project", "--yes"]);
    expect(fs.readFileSync(file, "utf8")).toBe(before);
    await run(["install", "vscode", "--project", "--rule", "--yes"]);
    expect(fs.readFileSync(file, "utf8")).toMatch(/^# Mine\n\nUse tabs\.\n\n<!-- memdir[^\n]*\n[^\n]*`recall`/u);
    fs.appendFileSync(file, "More.\n");
    await run(["uninstall", "--yes"]);
    expect(fs.readFileSync(file, "utf8")).toBe(`${before}More.\n`);
    expect(await run(["install", "codex", "--rule", "--yes"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("needs no rule"),
    });
  });

  it.each([["windsurf"], ["crush"], ["roo"], ["zed"], ["goose"], ["amp"]])(
    "prints for %s what to put where, and changes nothing",
    async (client) => {
      const { home, run } = place({});
      const { code, out } = await run(["install", client, "--yes"]);
      expect([code, out.includes("memdir.cjs"), /takes this, in [~.]\S+/u.test(out)]).toEqual([0, true, true]);
      expect(fs.existsSync(home)).toBe(false);
    },
  );

  it("says what it does not know", async () => {
    const { run } = place({});
    expect(await run(["install"])).toMatchObject({ code: 3, err: expect.stringContaining("no client found") });
    expect(await run(["install", "emacs"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown client "emacs"'),
    });
    expect(await run(["install", "codex", "--user", "--project"])).toMatchObject({ code: 2 });
    expect(await run(["uninstall", "--yes"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("nothing to remove"),
    });
  });
});
