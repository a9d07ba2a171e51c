import { describe, expect, it } from "vitest";
import { judgeCalls } from "../../../src/app/guards/judge-calls.ts";
import { type Guard, guardHash, parseGuard, readGuard } from "../../../src/core/guards/guard.ts";
import { matchGuards, strongest, subjectOf } from "../../../src/core/guards/judge-call.ts";
import { toolMatches } from "../../../src/core/guards/judge-call.ts";

const PUSH: Guard = { tool: "Bash", pattern: String.raw`git push.*(--force|-f)\b`, action: "deny", message: undefined };
const armed = (guard: Guard) => ({
  scope: "project" as const,
  directory: "/notes",
  file: "feedback_push.md",
  name: "push",
  guard,
});

describe("a guard", () => {
  it("is read from metadata of a feedback note, and of no other", () => {
    const data = { metadata: { guard: { tool: "Bash", pattern: "x", action: "warn", message: " say\nthis " } } };
    expect(readGuard(data, "feedback")).toEqual({
      kind: "guard",
      guard: { tool: "Bash", pattern: "x", action: "warn", message: "say this" },
    });
    expect(readGuard(data, "project")).toMatchObject({ kind: "invalid", reason: expect.stringContaining("feedback") });
    expect(readGuard({}, "feedback")).toEqual({ kind: "none" });
  });

  it("that cannot be used says why", () => {
    const broken = [
      { pattern: "x", action: "deny" },
      { tool: "Bash", action: "deny" },
      { tool: "Bash", pattern: "(", action: "deny" },
      { tool: "Bash", pattern: "x", action: "kill" },
      { tool: "Bash", pattern: "x".repeat(501), action: "deny" },
    ];
    for (const value of broken) expect(parseGuard(value)).toMatchObject({ kind: "invalid" });
  });

  it("is another guard when anything of it changes", () => {
    const hashes = [
      PUSH,
      { ...PUSH, tool: "*" },
      { ...PUSH, pattern: "." },
      { ...PUSH, action: "warn" as const },
      { ...PUSH, message: "m" },
    ].map(guardHash);
    expect(new Set(hashes).size).toBe(5);
  });

  it("meets the calls of its tool that its pattern matches", () => {
    const met = (tool: string, input: unknown): boolean =>
      matchGuards([armed(PUSH)], { tool, input }, judgeCalls).matched.length === 1;
    expect(met("Bash", { command: "git push --force origin" })).toBe(true);
    expect(met("Bash", { command: "git push origin" })).toBe(false);
    expect(met("Read", { file_path: "git push --force" })).toBe(false);
    expect(met("run_shell_command", { command: "git push -f" })).toBe(true);
    expect(met("shell", { command: ["git", "push", "-f"] })).toBe(true);
  });

  it("whose pattern backtracks without end is stopped, and the call goes on", () => {
    const slow = armed({ ...PUSH, pattern: "^(a+)+$" });
    const started = Date.now();
    const { matched, tooSlow } = matchGuards(
      [slow, armed(PUSH)],
      { tool: "Bash", input: { command: `${"a".repeat(60)}!` } },
      judgeCalls,
    );
    expect(matched).toEqual([]);
    expect(tooSlow).toContain(slow);
    expect(Date.now() - started).toBeLessThan(1000);
  });

  it("gives way to the strongest of several", () => {
    expect(strongest([armed({ ...PUSH, action: "warn" }), armed({ ...PUSH, action: "ask" })])).toBe("ask");
    expect(strongest([])).toBeUndefined();
  });
});

describe("what a pattern is held against", () => {
  it("is the command, else the path, else the whole input", () => {
    expect(subjectOf({ command: "ls", file_path: "/a", description: "rm" })).toBe("ls");
    expect(subjectOf({ file_path: "/a", content: "rm" })).toBe("/a");
    expect(subjectOf({ query: "rm" })).toBe('{"query":"rm"}');
    expect(subjectOf(undefined)).toBe("");
    expect(subjectOf({ command: "x".repeat(50_000) })).toHaveLength(20_000);
  });
});

describe("a tool's name", () => {
  it("may be a glob with alternatives, in any letter case, and takes no time whatever it is", () => {
    expect(toolMatches("mcp__*__delete", "mcp__db__delete")).toBe(true);
    expect(toolMatches("Edit|Write", "write_file")).toBe(true);
    expect(toolMatches("?ash", "Bash")).toBe(true);
    expect(toolMatches("Bash", "BashOutput")).toBe(false);
    expect(toolMatches("*", "anything")).toBe(true);
    const started = Date.now();
    expect(toolMatches("*a".repeat(90), "a".repeat(5000).concat("b"))).toBe(false);
    expect(Date.now() - started).toBeLessThan(1000);
  });
});
