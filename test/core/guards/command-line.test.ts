import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simpleCommands } from "../../../src/adapters/shell/simple-commands.ts";
import { judgeCalls } from "../../../src/app/guards/judge-calls.ts";
import { commandSubjects } from "../../../src/core/guards/command-line.ts";
import { matchGuards } from "../../../src/core/guards/judge-call.ts";

function meets(pattern: string, command: string | readonly string[]): boolean {
  const guard = { tool: "Bash", pattern, action: "deny" as const, message: undefined };
  const armed = { scope: "project" as const, directory: "/notes", file: "a.md", name: "a", guard };
  const { matched, tooSlow } = matchGuards([armed], { tool: "Bash", input: { command } }, judgeCalls);
  expect(tooSlow).toEqual([]);
  return matched.length === 1;
}

const FORCE = "git push.*--force";

describe("a guard meets every spelling of a command", () => {
  it.each([
    "git push --force",
    "git  push   --force",
    "git -C . push --force",
    "git -c user.name=x --no-pager -C '/a b' push --force",
    "git push -f",
    "git push -fu origin main",
    "git push \\\n  --force",
    "git push origin +main",
    'git push --for"ce"',
    "/usr/bin/git push --force",
    "FOO=1 sudo -u bob git push --force",
    "cd /tmp && git push --force",
    "true || (git push --force)",
    "x=$(git push --force)",
    "echo `git push --force`",
    "bash -c 'git push --force'",
    'bash -lc "cd a; git push -f"',
    "bash <<END\ngit push --force\nEND",
    "sh <<< 'git push --force'",
    "eval 'git push --force'",
    "ssh -p 22 host git push --force",
    "git remote | xargs -n 1 git push --force",
    "timeout 30 git push --force",
    "for r in a b; do git push $r --force; done",
    "git push --force-with-lease",
  ])("%j", (command) => {
    expect(meets(FORCE, command)).toBe(true);
  });

  it("given as a list of words, too", () => {
    expect(meets(FORCE, ["git", "-C", "x y", "push", "-f"])).toBe(true);
    expect(meets(FORCE, ["bash", "-lc", "git push -f"])).toBe(true);
  });

  it("whichever spelling the pattern has", () => {
    expect(meets(String.raw`git push.* -f\b`, "git push --force origin")).toBe(true);
    expect(meets("rm -rf", "rm -rf build")).toBe(true);
    expect(meets(String.raw`rm .*--recursive`, "rm -fr build")).toBe(true);
    expect(meets("--no-verify", "git commit -nm 'x'")).toBe(true);
    expect(meets("^git commit .*WIP", 'git commit -m "WIP: parser"')).toBe(true);
    expect(meets("DROP TABLE", 'psql -c "DROP TABLE users"')).toBe(true);
    expect(meets("NODE_ENV=production", "NODE_ENV=production npm run build")).toBe(true);
    expect(meets("> /etc/", "echo x > /etc/hosts")).toBe(false);
    expect(meets("^echo .*> /etc/", "echo x > /etc/hosts")).toBe(true);
    expect(meets("-n prod delete", "kubectl -n prod delete pod x")).toBe(true);
    expect(meets("kubectl delete", "kubectl -n prod delete pod x")).toBe(true);
  });
});

describe("a guard lets what only speaks of a command pass", () => {
  it.each([
    "echo git push --force",
    "printf '%s' 'git push --force'",
    "grep -rn 'git push --force' docs",
    "sudo grep 'git push --force' docs",
    'git commit -m "never git push --force"',
    'git commit --message="no git push --force"',
    'gh pr create --title "git push --force" --body "git push --force"',
    "# git push --force\nls",
    "cat <<END\ngit push --force\nEND",
    "git push origin main # --force",
    "git push; ls --force",
    "git push origin main",
    "git pull --force",
  ])("%j", (command) => {
    expect(meets(FORCE, command)).toBe(false);
  });
});

describe("a command of bare words", () => {
  it("needs no parser, and is taken apart as the parser does it", () => {
    const word = fc.constantFrom(
      "git",
      "push",
      "sudo",
      "-C",
      "-fu",
      "--force",
      "a/b.ts",
      "npm",
      "test",
      "if",
      "time",
      "@x/y",
      "1:2",
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(2), (words, gap) => {
        const script = words.join(" ".repeat(gap + 1));
        // A line break is the parser's.
        expect(commandSubjects(script, simpleCommands)).toEqual(commandSubjects(`\n${script}`, simpleCommands));
      }),
    );
    let asked = 0;
    commandSubjects("npm run build", () => (asked++, undefined));
    expect(asked).toBe(0);
    commandSubjects("npm run build; git push", () => (asked++, undefined));
    expect(asked).toBe(1);
  });
});

describe("what is not a shell script", () => {
  it("is held against the pattern as it stands", () => {
    expect(meets("Remove-Item.*-Recurse", "if ($x) { Remove-Item  $y -Recurse }")).toBe(true);
    expect(meets(FORCE, "git push --force '")).toBe(true);
  });

  it("may be long, deep or empty", () => {
    expect(meets(FORCE, `${"(".repeat(5000)}git push --force`)).toBe(true);
    expect(meets(FORCE, `${"ls; ".repeat(3000)}`)).toBe(false);
    expect(meets(FORCE, "   ")).toBe(false);
  });
});
