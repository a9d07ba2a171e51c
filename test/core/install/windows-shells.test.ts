import { describe, expect, it } from "vitest";
import { AGENTS, hookCommand, ownHookWords } from "../../../src/core/install/agents.ts";

const NODE = "C:\\Program Files\\nodejs\\node.exe";
const HOOK = "C:\\Users\\Jané Dev\\AppData\\Roaming\\npm\\node_modules\\memdir\\dist\\hook.cjs";
const WORDS = ["node", HOOK.replaceAll("\\", "/"), "codex"];

/** As the C runtime splits what cmd hands over: quotes group, a backslash is itself but before a quote. */
function splitByWindows(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|[^\s"])+/gu)].map(([word]) => word.replaceAll('"', ""));
}

describe("the hook command on Windows", () => {
  const command = hookCommand({ node: NODE, hook: HOOK }, "codex");

  it("is three words to cmd, none of which cmd changes", () => {
    expect(splitByWindows(command)).toEqual(WORDS);
    expect(command.replace(/"[^"]*"/gu, "")).not.toMatch(/[%!&|<>^()]/u);
  });

  it("begins with a bare word, since PowerShell takes a quoted one for a text and not for a command", () => {
    expect(command).toMatch(/^node /u);
    expect(command).not.toMatch(/[`$]/u);
  });

  it("has no backslash, which Git Bash would take away", () => {
    expect(command).not.toContain("\\");
  });

  it("is known again by its one path, of a drive or a share", () => {
    for (const hook of [HOOK, "\\\\server\\share\\memdir\\dist\\hook.cjs", "d:/memdir/hook.cjs"])
      for (const agent of AGENTS)
        expect(ownHookWords(hookCommand({ node: NODE, hook }, agent), agent)).toEqual([hook.replaceAll("\\", "/")]);
  });

  it("was another before, which is known again too", () => {
    const before = `"${NODE.replaceAll("\\", "\\\\")}" "${HOOK.replaceAll("\\", "\\\\")}" codex`;
    expect(ownHookWords(before, "codex")).toEqual([NODE, HOOK]);
  });
});
