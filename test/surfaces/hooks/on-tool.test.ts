import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { judgeCalls } from "../../../src/app/guards/judge-calls.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { answerTool, type ToolAnswer } from "../../../src/surfaces/hooks/on-tool.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${root}/project/.git`, { recursive: true });
});

async function guard(name: string, action: string, pattern: string): Promise<void> {
  const options = { cwd: `${root}/project`, environment: emptyHome(root) };
  for (const argv of [
    ["remember", `Take care with ${name}, it erased work once.`, "--type", "feedback", "--name", name],
    [
      "guard",
      "set",
      name,
      "--tool",
      "Bash",
      "--pattern",
      pattern,
      "--action",
      action,
      "--message",
      `Reason of ${name}.`,
    ],
    ["guard", "enable", name, "--yes"],
  ])
    expect(await cli(argv, options)).toMatchObject({ code: 0 });
}

function answer(command: string, kind: "before-tool" | "after-tool" = "before-tool"): ToolAnswer {
  const base = { session: "s", cwd: undefined, transcript: undefined, turn: undefined, inSubAgent: false };
  const locations = locate({ cwd: `${root}/project`, environment: emptyHome(root) });
  return answerTool(
    locations,
    { ...base, kind, tool: "Bash", input: { command } },
    { judge: judgeCalls, recheck: () => true, takesContext: "before", now: Date.now() },
  );
}

describe("a tool call that guards speak of", () => {
  it("is warned of, asked about or stopped, as the strongest of them says, with its note cited", async () => {
    await guard("warned", "warn", "flag");
    expect(answer("touch flag")).toMatchObject({ context: expect.stringContaining("Reason of warned.") });
    expect(answer("touch flag").decision).toBeUndefined();
    await guard("asked", "ask", "flag");
    expect(answer("touch flag").decision).toEqual({
      kind: "ask",
      reason: expect.stringMatching(/person to be asked first.*Reason of asked\./u),
    });
    await guard("denied", "deny", "flag");
    expect(answer("touch flag").decision).toEqual({
      kind: "deny",
      reason: expect.stringMatching(/Stopped.*Reason of denied\./u),
    });
    expect(answer("touch another")).toEqual({ tooSlow: [] });
  });

  it.each(["warn", "ask", "deny"])("is given the note's description where a %s has no message", async (action) => {
    const options = { cwd: `${root}/project`, environment: emptyHome(root) };
    const text = "Ask Ana before the tables are dropped, because reports read them at night.";
    for (const argv of [
      ["remember", text, "--type", "feedback", "--name", "tables"],
      ["guard", "set", "tables", "--tool", "Bash", "--pattern", "drop", "--action", action],
      ["guard", "enable", "tables", "--yes"],
    ])
      expect(await cli(argv, options)).toMatchObject({ code: 0 });
    const { context, decision } = answer("dropdb shop");
    expect(context ?? decision?.reason).toContain("Ask Ana before the tables are dropped");
  });

  it("is not decided about any more once it has run", async () => {
    await guard("asked", "ask", "flag");
    expect(answer("touch flag", "after-tool")).toEqual({ tooSlow: [] });
    expect(answer("touch flag").decision).toMatchObject({ kind: "ask" });
  });
});
