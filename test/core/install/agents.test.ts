import { execFileSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AGENTS,
  hookCommand,
  hookSettings,
  ownHookWords,
  ownServerWords,
  serverSettings,
} from "../../../src/core/install/agents.ts";
import { shellWord, shellWords } from "../../../src/core/install/agents.ts";

const AWKWARD = [
  "/opt/a b",
  "/home/Jané Döe",
  `/x/it's "so"`,
  "/x/$HOME/${HOME}",
  "/x/back\\slash\\",
  "/x/`id`",
  "/x/!!",
  "/x/*?[a]",
  "/x/a;b&c|d>e#f~",
  "C:\\Program Files\\node",
];

function throughShell(word: string): string {
  return execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" });
}

describe("the command of a hook", () => {
  it("reaches the program word for word through sh, whatever is in the path", () => {
    for (const path of AWKWARD) expect(throughShell(shellWord(path))).toBe(path);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."$\"'\\`! {}aé\n*") }),
        (path) => throughShell(shellWord(path)) === path,
      ),
      { numRuns: 60 },
    );
  });

  it("shows no variable to a client that fills in its own before the shell sees it", () => {
    expect(throughShell(shellWord("/x/$HOME/${HOME}"))).toBe("/x/$HOME/${HOME}");
    expect(shellWord("/x/$HOME/${HOME}")).not.toMatch(/\$(?:\w|\{)/u);
  });

  it("is recognised as memdir's, for its own client alone, wherever memdir was", () => {
    // Those of Windows have a form of their own (windows-shells.test.ts).
    for (const path of AWKWARD.filter((one) => !one.startsWith("C:"))) {
      const program = { node: `${path}/node`, hook: `${path}/hook.cjs` };
      for (const agent of AGENTS) {
        expect(ownHookWords(hookCommand(program, agent), agent)).toEqual([program.node, program.hook]);
        for (const other of AGENTS.filter((one) => one !== agent))
          expect(ownHookWords(hookCommand(program, agent), other)).toBeUndefined();
      }
    }
  });

  it("was another before, which is recognised too", () => {
    const [node, hook] = ["/a b/node", "/a b/hook.cjs"];
    expect(ownHookWords(`${shellWord(node)} ${shellWord(hook)} codex`, "codex")).toEqual([node, hook]);
  });

  it("shows no variable to a client either", () => {
    expect(hookCommand({ node: "/n/node", hook: "/m/hook.cjs" }, "gemini")).not.toContain("$");
  });

  it("is not mistaken for somebody else's", () => {
    for (const command of [
      "",
      "say done",
      "node /x/hook.cjs",
      "node /x/myhook.cjs codex",
      "echo codex",
      "node /x/hook.cjs codex --later",
      "[ -x /n ] && exec node /x/other.cjs codex ; exit 0",
    ])
      expect(ownHookWords(command, "codex"), command).toBeUndefined();
  });

  it("reads words as a shell does, quotes in the middle of a word included", () => {
    expect(shellWords(`a"b c"d 'e "f' g\\ h "" x`)).toEqual(["ab cd", 'e "f', "g h", "", "x"]);
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (words) =>
        isDeepStrictEqual(shellWords(words.map(shellWord).join(" ")), words),
      ),
    );
  });
});

describe("the hooks of a client", () => {
  it("are those events at which it takes something: Gemini CLI takes text only after a tool, the others before", () => {
    const events = (agent: "claude-code" | "codex" | "gemini"): readonly string[] =>
      Object.keys(Object.values(hookSettings(agent, "x"))[0] ?? {});
    expect(events("gemini")).toEqual([
      "SessionStart",
      "BeforeAgent",
      "BeforeTool",
      "AfterTool",
      "AfterAgent",
      "SessionEnd",
    ]);
    for (const agent of ["claude-code", "codex"] as const)
      expect(events(agent)).toEqual([
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "Stop",
        "PreCompact",
        "PostCompact",
        "SessionEnd",
      ]);
  });
});

describe("an MCP server's entry", () => {
  it("is recognised in the form of each client, and nobody else's is", () => {
    const args = ["/a b/memdir.cjs", "mcp"];
    for (const agent of [...AGENTS, "mcp"] as const) {
      const [list] = Object.values(serverSettings(agent, "/n/node", args));
      expect(ownServerWords(Object.values(list ?? {})[0])).toEqual(["/n/node", "/a b/memdir.cjs"]);
    }
    for (const entry of [
      undefined,
      null,
      "x",
      {},
      { command: "node", args: ["server.js"] },
      { command: ["npx", "other", "mcp"] },
      { url: "http://127.0.0.1" },
    ])
      expect(ownServerWords(entry)).toBeUndefined();
  });
});
