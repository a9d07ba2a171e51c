import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLookCommand } from "../../../src/adapters/tree/look-command.ts";
import { isSecretPath } from "../../../src/core/shared/secrets/secret-files.ts";

describe("a command to look with", () => {
  it.each([
    ["git log", { kind: "git", verb: "log", flags: [], words: [], paths: [] }],
    [
      "git log -n 5 --oneline -- 'src/a b.ts'",
      { kind: "git", verb: "log", flags: ["-n5", "--oneline"], words: [], paths: ["src/a b.ts"] },
    ],
    [
      'git log --since "two weeks ago"',
      { kind: "git", verb: "log", flags: ["--since=two weeks ago"], words: [], paths: [] },
    ],
    ["git show HEAD~2:src/a.ts", { kind: "git", verb: "show", flags: [], words: ["HEAD~2:src/a.ts"], paths: [] }],
    [
      "git diff main..feature --stat",
      { kind: "git", verb: "diff", flags: ["--stat"], words: ["main..feature"], paths: [] },
    ],
    ["git blame -L 3,9 src/a.ts", { kind: "git", verb: "blame", flags: ["-L3,9"], words: ["src/a.ts"], paths: [] }],
    ["git status -sb", { kind: "status" }],
    ["git branch -a", { kind: "branches" }],
    ["ls -la src", { kind: "list", path: "src" }],
    ["head -n 3 a.md", { kind: "lines", from: "start", count: 3, paths: ["a.md"] }],
    ["tail -20 a.md", { kind: "lines", from: "end", count: 20, paths: ["a.md"] }],
    ["cat a.md b.md", { kind: "lines", from: "start", count: 400, paths: ["a.md", "b.md"] }],
    ["wc -l a.md", { kind: "count", paths: ["a.md"] }],
  ])("is taken apart: %s", (text, command) => {
    expect(readLookCommand(text)).toEqual(command);
  });

  it.each([
    "rm -rf .",
    "node -e 1",
    "sh -c ls",
    "env ls",
    "sudo git log",
    "./git log",
    "/usr/bin/git log",
    "find . -exec rm",
    "sed -i s/a/b/ a",
    "tee a",
    "xargs ls",
    "curl http://x",
    "",
    "git log; rm a",
    "git log && rm a",
    "git log | sh",
    "git log > a",
    "git log < a",
    "git log `rm a`",
    "git log $(rm a)",
    "git log $HOME",
    'git log "$(rm a)"',
    "git log \\\nrm a",
    "git log\nrm a",
    "ls *",
    "ls ~",
    "ls {a,b}",
    "git log 'a",
    "cat <(ls)",
    "ls a?b",
    "git log !x",
    "git -c core.pager=rm log",
    "git --exec-path=. log",
    "git -C .. log",
    "git --git-dir=../x log",
    "git --work-tree=/ status",
    "git -p log",
    "git --paginate log",
    "git --config-env=a=b log",
    "git log --output=a",
    "git log --output a",
    "git log --ext-diff",
    "git log --textconv",
    "git log --exec=rm",
    "git log --format=%G?",
    "git log --pretty=format:%GG",
    "git log --show-signature",
    "git log --follow a",
    "git log -O a",
    "git log -Oa",
    "git log --all",
    "git log --open-files-in-pager",
    "git log -L 1,2:a",
    "git diff --no-index /etc/passwd a",
    "git diff --output=a",
    "git diff -O/etc/passwd",
    "git diff --ext-diff",
    "git show --textconv",
    "git show --output=/a",
    "git blame --contents /etc/passwd a",
    "git blame -C a",
    "git blame --ignore-revs-file=/etc/passwd a",
    "git status --help",
    "git status --porcelain=v2 --ignored",
    "git branch -D main",
    "git branch new",
    "git branch -m a b",
    "git branch --edit-description",
    "git checkout .",
    "git fetch",
    "git config -l",
    "git grep -O a",
    "git archive HEAD",
    "git bundle create a",
    "git rev-parse HEAD",
    "git hash-object -w a",
    "git cat-file -p HEAD",
    "git worktree add a",
    "git stash",
    "git __proto__",
    "git constructor",
    "git toString",
    "git log -- :(attr:x)a",
    "git log -- -x",
    "cat -- -x",
    "git status -- a",
    "git branch -- new",
    "git log -- ':(exclude)a'",
    "head -f a",
    "tail -f a",
    "tail -n x a",
    "head",
    "cat",
    "cat -A a",
    "wc",
    "wc --files0-from=a",
    "ls -R /",
    "ls --hyperlink a",
    "ls a b",
    `git log ${"a ".repeat(30)}`,
    `git log ${"a".repeat(600)}`,
    "git log \u0000a",
    "git log a\u001Bb",
  ])("is refused: %s", (text) => {
    expect(readLookCommand(text)).toMatchObject({ kind: "refused", why: expect.stringMatching(/\S+ \S+/u) });
  });

  it("comes through as a flag only where the flag is on the list", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "-c",
        "--output=x",
        "--ext-diff",
        "-O",
        "--exec",
        "--textconv",
        "--no-index",
        "HEAD",
        "--",
        "-n",
        "5",
        "--stat",
        "-p",
        "--since",
        "a",
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.constantFrom("log", "show", "diff", "blame"), fc.array(word, { maxLength: 8 }), (verb, words) => {
        const command = readLookCommand(`git ${verb} ${words.join(" ")}`);
        if (command.kind !== "git") return;
        expect(
          command.flags.filter((flag) =>
            /^(?:--(?:output|ext-diff|exec|textconv|no-index|config|git-dir)|-[cOC])/u.test(flag),
          ),
        ).toEqual([]);
        expect([...command.words, ...command.paths].some((each) => each.startsWith("-"))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a path", () => {
  it.each([
    ".env",
    "a/.ENV",
    ".env.production",
    "prod.env",
    "deploy/id_rsa",
    "x.pem",
    "a/.ssh/config",
    "config/credentials.json",
    "secrets.yml",
    ".npmrc",
    "infra/main.tfvars",
    ".aws/config",
    "server.key",
  ])("holds keys by its name: %s", (path) => {
    expect(isSecretPath(path)).toBe(true);
  });

  it.each(["src/env.ts", ".env.example", "docs/secrets-handling.md", "keyboard.ts", "src/key.ts", "environment/a"])(
    "may be shown: %s",
    (path) => {
      expect(isSecretPath(path)).toBe(false);
    },
  );
});
