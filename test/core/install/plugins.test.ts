import { describe, expect, it } from "vitest";
import { AGENTS, type HookAgent, type Program } from "../../../src/core/install/agents.ts";
import { pluginFiles } from "../../../src/core/install/opencode-plugin.ts";
import { targetsOf } from "../../../src/app/install/targets.ts";

const PROGRAM: Program = { node: "/n/node", hook: "/d/hook.cjs", command: "/d/memdir.cjs" };
const others = { qwen: "/q", vscode: "/v", cursor: "/u", cline: "/l", pi: "/pi", openclaw: "/oc", hermes: "/h" };
const AT = { claude: "/c", claudeState: "/c.json", codex: "/x", gemini: "/g", opencode: "/o", project: "/p", others };
const PLUGINS = pluginFiles("1.2.3");

/** All that installing writes, with commands named instead of spelled out. */
function named(text: string): string {
  return text
    .replaceAll(/\[ -x [^\]]*\] && \[ -f [^\]]*\] && exec (.*?) ; mkdir.*?; exit 0/gu, "$1")
    .replaceAll(/\\"[^"]*node\\" \\"[^"]*hook\.cjs\\"|node \\"[^"]*run\.cjs\\" hook/gu, "HOOK")
    .replaceAll(/"\/n\/node", "\/d\/hook\.cjs"|"node", "\.\/run\.cjs", "hook"/gu, "HOOK");
}

function installed(agent: HookAgent): Readonly<Record<string, unknown>> {
  return Object.assign(
    {},
    ...targetsOf(agent, "user", AT, PROGRAM, () => false).map((target) => (target.kind === "json" ? target.tree : {})),
  );
}

describe("the plugins", () => {
  it("have the hooks that installing writes: the same events, limits and commands", () => {
    for (const agent of ["claude-code", "codex", "gemini"] as const)
      expect(named(JSON.stringify(JSON.parse(PLUGINS[agent]["hooks/hooks.json"] ?? "").hooks)), agent).toBe(
        named(JSON.stringify(installed(agent)["hooks"])),
      );
    const [plugin] = targetsOf("opencode", "user", AT, PROGRAM, () => false);
    expect(named(PLUGINS.opencode["memdir.js"] ?? "")).toBe(plugin?.kind === "file" ? named(plugin.text) : "");
  });

  it("start the server that installing names", () => {
    const servers = [
      JSON.parse(PLUGINS["claude-code"][".mcp.json"] ?? ""),
      JSON.parse(PLUGINS.codex[".mcp.json"] ?? ""),
      JSON.parse(PLUGINS.gemini["gemini-extension.json"] ?? ""),
    ];
    for (const { mcpServers } of servers)
      expect(mcpServers.memdir).toMatchObject({
        command: "node",
        args: [expect.stringMatching(/\/run\.cjs$/u), "mcp"],
      });
  });

  it("carry the version, a launcher, and no type that Codex refuses", () => {
    for (const agent of AGENTS) {
      expect(JSON.stringify(PLUGINS[agent])).toContain("1.2.3");
      expect(PLUGINS[agent]["run.cjs"]).toContain("hook.cjs");
      expect(JSON.stringify(PLUGINS[agent])).not.toContain('\\"type\\": \\"http\\"');
    }
  });
});
