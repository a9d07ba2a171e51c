import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCalls } from "../../../src/app/guards/judge-calls.ts";
import { type Guard, guardHash, parseGuard, readGuard } from "../../../src/core/guards/guard.ts";
import { matchGuards, subjectOf, toolMatches } from "../../../src/core/guards/judge-call.ts";

function met(tool: string, pattern: string, call: string, input: unknown): boolean {
  const guard = { tool, pattern, action: "deny" as const, message: undefined };
  const armed = { scope: "project" as const, directory: "/notes", file: "a.md", name: "a", guard };
  const { matched, tooSlow } = matchGuards([armed], { tool: call, input }, judgeCalls);
  expect(tooSlow).toEqual([]);
  return matched.length === 1;
}

const meets = (pattern: string, command: string | readonly string[]): boolean =>
  met("Bash", pattern, "Bash", { command });

/** From the first character to the last: nothing else may stand in its way. */
const EXACT = "^git push --force$";

/** Options that take the next word. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  git: "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix",
  docker: "-c -H -l --config --context --host --log-level",
  podman: "-c --connection --log-level --url",
  kubectl: "-n -s --namespace --context --cluster --kubeconfig --server --user --as",
  helm: "-n --namespace --kube-context --kubeconfig",
  npm: "-C -w --prefix --workspace --registry",
  pnpm: "-C -F --dir --filter",
  yarn: "--cwd",
  gh: "-R --repo",
  aws: "--profile --region --endpoint-url --output",
  gcloud: "--project --account --configuration",
  systemctl: "-H -M --host --machine",
  cargo: "-C --color --config -Z",
  make: "-C -f --directory --file",
};
const WRAPPERS: Readonly<Record<string, string>> = {
  sudo: "-u -g -h -p -C -r -t -T -U -D -R",
  doas: "-u -C",
  env: "-u -C --unset --chdir",
  exec: "-a",
  "/usr/bin/time": "-f -o",
  nice: "-n --adjustment",
  ionice: "-c -n",
  stdbuf: "-i -o -e",
  xargs: "-I -n -P -d -L -s -a -E",
};

const pairs = (table: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(table).flatMap(([program, options]) => options.split(" ").map((option) => [program, option] as const));

describe("a guard looks past", () => {
  it.each(pairs(WITH_VALUE))("%s %s and its value", (program, option) => {
    expect(meets(`^${program} remove it$`, `${program} ${option} push remove it`)).toBe(true);
  });

  it.each(pairs(WRAPPERS))("%s %s and its value", (program, option) => {
    expect(meets(EXACT, `${program} ${option} 5 git push --force`)).toBe(true);
  });

  it.each(["-s", "-k", "--signal", "--kill-after"])("timeout %s, its value and the time", (option) => {
    expect(meets(EXACT, `timeout ${option} 5 9 git push --force`)).toBe(true);
  });

  it.each("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -R -S -W -w".split(" "))("ssh %s and its value", (option) => {
    expect(meets(EXACT, `ssh ${option} 5 host git push --force`)).toBe(true);
    expect(meets("^host git", `ssh ${option} 5 host git push --force`)).toBe(false);
  });

  it.each([
    "command",
    "builtin",
    "nohup",
    "setsid",
    "A=1",
    "A=1 B=2",
    "sudo --",
    "sudo -E",
    "eval",
    "ssh host",
    "eval eval eval eval",
    "C:/bin/sudo.exe",
    "'C:\\bin\\sudo.exe'",
    "sudo env A=1 nice",
  ])("%s", (before) => {
    expect(meets(EXACT, `${before} git push --force`)).toBe(true);
  });

  it.each(["sh", "bash", "zsh", "dash", "ksh", "ash", "/bin/sh"])("%s in each of its forms", (shell) => {
    for (const command of [
      `${shell} -c 'git push --force'`,
      `${shell} -ec 'git push --force' name`,
      `${shell} -cx 'git push --force'`,
      `${shell} <<< 'git push --force'`,
      `${shell} 2>/dev/null <<< 'git push --force'`,
      `${shell} <<END\ngit push --force\nEND`,
    ])
      expect(meets(EXACT, command), command).toBe(true);
  });

  it.each(["git.exe push --force", "'C:\\Program Files\\git\\git.EXE' push --force", "./git push --force"])(
    "the place of the program: %s",
    (command) => expect(meets(EXACT, command)).toBe(true),
  );
});

describe("a guard does not mistake", () => {
  const FORCE = "git push.*--force";
  it.each([
    ["an argument of a script for a script", EXACT, "bash script-c 'git push --force'"],
    ["an option of a shell that only begins with c for one", EXACT, "bash -c.d 'git push --force'"],
    ["the option for the script", "^-c$", "bash -c ls"],
    ["a file for what is in it", EXACT, "bash < 'git push --force'"],
    ["a name with a dash for a cluster of options", FORCE, "git push origin fix-fa"],
    ["an option with a value in one word for a cluster", FORCE, "git push -ofa=1"],
    ["a plus sign within a word for a forced branch", FORCE, "git push origin c++x"],
    ["a word that ends like an option for one", String.raw`^git push.* -d\b`, "git push origin x--delete=y"],
    ["an option for the end of the command", "^git$", "git --version"],
    ["a program named like an option's value for an option", "^push", "sudo my-tool push"],
    ["the end of a chain of six scripts for the command", EXACT, "eval eval eval eval eval git push --force"],
    ["setting a variable for a command without words", "^$", "FOO=1"],
    ["a list with only a variable for one", "^$", ["FOO=1"]],
    ["the words behind an option's dashes for options", "^sudo -x", "sudo -- -x"],
  ])("%s", (_, pattern, command) => {
    expect(meets(pattern, command)).toBe(false);
  });

  it.each([
    ["a wrapper that runs nothing", "^sudo -k$", "/usr/bin/sudo -k"],
    ["a wrapper alone", "^env$", "/usr/bin/env"],
    ["a wrapper whose option has no value", "^sudo -u$", "/bin/sudo -u"],
    ["a program with a dash in its name", "^my-tool --force$", "sudo my-tool --force"],
    ["a single dash", "^- git$", "sudo - git"],
    ["a value that looks like the end of options", "^git push$", "git -C -- push"],
    ["an option in which another one stands", "--push-option=", "git push '--push-option=ci-m=x'"],
    ["a long option with its value", String.raw`^git push .*-d\b`, "git push origin --delete=old"],
    ["variables that are set", "^AWS_PROFILE=prod$", "AWS_PROFILE=prod"],
    ["a file that is emptied", "^> /etc/hosts$", "> /etc/hosts"],
  ])("%s: it is looked at as it stands", (_, pattern, command) => {
    expect(meets(pattern, command)).toBe(true);
  });

  it.each(["echo", "printf", "print", "grep", "egrep", "fgrep", "rg", "ag", "ack"])(
    "what %s is given for what is done, but knows the program itself",
    (printer) => {
      expect(meets(FORCE, `${printer} git push --force`)).toBe(false);
      expect(meets(`^${printer}`, `${printer} git push --force`)).toBe(true);
    },
  );

  it.each([
    "git commit -m",
    "git commit -am",
    "git commit --message",
    "hg commit -m",
    "jj describe -m",
    "svn commit -m",
    ...["-t", "--title", "-b", "--body", "-n", "--notes", "-d", "--description"].flatMap((option) => [
      `gh pr create ${option}`,
      `glab mr create ${option}`,
    ]),
  ])("words of a message for what is done: %s", (command) => {
    expect(meets("rm -rf", `${command} 'never rm -rf'`)).toBe(false);
    expect(meets("rm -rf", `${command}='never rm -rf'`)).toBe(false);
    expect(meets("rm -rf", `${command} 'said'; rm -rf x`)).toBe(true);
  });
});

describe("two spellings of an option are one", () => {
  it.each([
    ["git push", "-f", "--force"],
    ["git push", "-d", "--delete"],
    ["git push", "-u", "--set-upstream"],
    ["git push", "-n", "--dry-run"],
    ["git commit", "-n", "--no-verify"],
    ["git commit", "-a", "--all"],
    ["git clean", "-f", "--force"],
    ["git checkout", "-f", "--force"],
    ["git branch", "-d", "--delete"],
    ["git branch", "-f", "--force"],
    ["git add", "-A", "--all"],
    ["rm", "-r", "--recursive"],
    ["rm", "-R", "--recursive"],
    ["rm", "-f", "--force"],
    ["chmod", "-R", "--recursive"],
    ["chown", "-R", "--recursive"],
    ["npm install", "-g", "--global"],
    ["npm publish", "-w", "--workspace"],
    ["docker rm", "-f", "--force"],
    ["docker rmi", "-f", "--force"],
  ])("%s %s, %s", (command, short, long) => {
    expect(meets(`^${command} x ${short} ${long}$`, `${command} x ${short}`)).toBe(true);
    expect(meets(`^${command} x ${long}( .*)? ${short}( |$)`, `${command} x ${long}`)).toBe(true);
    expect(meets(`${long}|${short}`, `${command} x`)).toBe(false);
  });

  it("a branch to be moved by force, a branch deleted by force", () => {
    expect(meets("^git push origin .*--force$", "git push origin +main")).toBe(true);
    expect(meets("^git branch -D x --delete --force$", "git branch -D x")).toBe(true);
    expect(meets("--force", "git push origin +")).toBe(false);
  });
});

describe("a guard from values that somebody wrote", () => {
  const value = { tool: " Bash ", pattern: "x", action: "warn" };
  const reason = (more: Readonly<Record<string, unknown>>): string => {
    const read = parseGuard({ ...value, ...more });
    return read.kind === "invalid" ? read.reason : read.kind;
  };

  it.each([
    [{ tool: "  " }, /names no tool/u],
    [{ tool: 5 }, /names no tool/u],
    [{ tool: "x".repeat(201) }, /names no tool/u],
    [{ tool: "x".repeat(200) }, /^guard$/u],
    [{ pattern: "" }, /has no pattern/u],
    [{ pattern: 5 }, /has no pattern/u],
    [{ pattern: "x".repeat(500) }, /^guard$/u],
    [{ pattern: "x".repeat(501) }, /501 characters/u],
    [{ action: undefined }, /action is missing; use warn, ask, deny/u],
    [{ action: "kill" }, /action is "kill"/u],
    [{ action: "ask" }, /^guard$/u],
    [{ action: "deny" }, /^guard$/u],
    [{ pattern: "(" }, /not a regular expression/u],
  ])("%j", (more, expected) => {
    expect(reason(more)).toMatch(expected);
  });

  it("has a message only where there is text, and names its tool without spaces around it", () => {
    const read = (message: unknown): unknown => parseGuard({ ...value, message });
    expect(read(" a\nb ")).toMatchObject({ guard: { tool: "Bash", message: "a b" } });
    for (const message of ["  ", 5, undefined]) expect(read(message)).toMatchObject({ guard: { message: undefined } });
  });

  it("may be absent from a note, or in one without a type", () => {
    expect(readGuard({ metadata: { guard: null } }, "feedback")).toEqual({ kind: "none" });
    expect(readGuard({ metadata: "x" }, "feedback")).toEqual({ kind: "none" });
    expect(readGuard({ metadata: { guard: "x" } }, "feedback")).toMatchObject({ kind: "invalid" });
    expect(readGuard({ metadata: { guard: value } }, undefined)).toMatchObject({
      reason: expect.stringContaining("of no type"),
    });
  });

  it("keeps the approval that an earlier version gave it", () => {
    const guard: Guard = { tool: "Bash", pattern: "x", action: "deny", message: undefined };
    expect(guardHash(guard)).toBe("1d4fb0463dad1fd91505db4c5e1e55c91b3b0816386044b99dd5029147459579");
    expect(guardHash({ ...guard, message: "m" })).toBe(
      "907be9084c8fc6f241c3e7af922617bccf4ee776d58e94a4972a63dfcb672bbe",
    );
  });
});

describe("what a call is about", () => {
  it.each(["command", "cmd", "file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path"])(
    "stands in %s",
    (field) => {
      expect(subjectOf({ [field]: "/etc/x", content: "y" })).toBe("/etc/x");
      expect(subjectOf({ [field]: ["/etc/x"], content: "y" })).toBe("/etc/x");
      expect(met("Read", "^/etc/", "Read", { [field]: "/etc/x", content: "y" })).toBe(true);
    },
  );

  it("is the next field where one is empty", () => {
    for (const command of ["", []]) expect(subjectOf({ command, file_path: "/a" })).toBe("/a");
  });
});

describe("the name of a tool", () => {
  it.each([
    ["Bash", "run_shell_command shell local_shell shell_command exec_command"],
    ["Read", "read_file"],
    ["Write", "write_file"],
    ["Edit", "MultiEdit replace apply_patch"],
    ["Glob", "find_files"],
    ["Grep", "grep_search search_file_content"],
    ["WebFetch", "web_fetch"],
    ["WebSearch", "web_search google_web_search"],
  ])("%s stands for %s and the other way round, and for no other", (name, others) => {
    for (const other of [name, ...others.split(" ")]) {
      expect([toolMatches(name, other), toolMatches(other, name)], other).toEqual([true, true]);
      expect(toolMatches(name === "Bash" ? "Read" : "Bash", other)).toBe(false);
    }
  });

  it("is no glob where a client made it up, and may hold a star", () => {
    expect(met("Bash", ".", "*", { command: "ls" })).toBe(false);
    expect(met("mcp__*", ".", "mcp__db__drop", { command: "ls" })).toBe(true);
    expect(toolMatches("*", "*x")).toBe(true);
    expect(toolMatches("a|b", "b")).toBe(true);
    expect(toolMatches("a | b", "b")).toBe(true);
    expect(toolMatches("a|b", "c")).toBe(false);
  });

  it("matches a glob as a regular expression would", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 7 });
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 7 }), (glob, name) => {
        const pattern = new RegExp(`^${glob.replaceAll("?", ".").replaceAll("*", ".*")}$`, "u");
        expect(toolMatches(glob, name)).toBe(pattern.test(name));
      }),
      { numRuns: 400 },
    );
  });
});
