import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { openProjectLooks, type ProjectLooks } from "../../../src/adapters/tree/project-looks.ts";
import { newRepository, type Repository } from "../../support/git-repository.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

/** Masked as a scanner would. */
const KEY = ["sword", "fish", "0000"].join("-");

let root: string;
let repository: Repository;
let looks: ProjectLooks;
const LIMIT = 5_000;

const open = (cwd: string, environment: Readonly<Record<string, string | undefined>> = process.env): ProjectLooks =>
  openProjectLooks({
    cwd,
    emptyRepository: `${root}/state/empty`,
    environment,
    mask: (text) => Promise.resolve(text.replaceAll(KEY, "[secret]").replace(/BEGIN\n[^]*?END/gu, "[secret]\n\n")),
    elapsedMs: () => performance.now(),
  });

beforeEach(() => {
  root = scratch();
  repository = newRepository(`${root}/project`);
  repository.write("src/a.ts", "export const one = 1;\nconst port = 5433;\n");
  repository.write("src/deep/b.ts", `const key = "${KEY}";\nBEGIN\nport body\nEND\nafter port\n`);
  repository.write(".env", `TOKEN=${KEY}\nport=1\n`);
  repository.write(".gitignore", "ignored.log\n");
  repository.commit("first commit");
  repository.write("src/a.ts", "export const one = 2;\nconst port = 5433;\n");
  repository.write("conf/.env.local", `port=${KEY}2\n`);
  repository.commit("second commit");
  repository.git("branch", "feature/x");
  repository.write("new.md", "a new port\n");
  repository.write("ignored.log", "port in a log\n");
  fs.writeFileSync(`${root}/outside.txt`, "port outside\n");
  fs.symlinkSync(`${root}/outside.txt`, `${repository.root}/link.txt`);
  fs.symlinkSync(root, `${repository.root}/up`);
  fs.symlinkSync(".env", `${repository.root}/plain.txt`);
  looks = open(repository.root);
});

describe("what the extractor may see of a project", () => {
  it("finds files by pattern and lines by expression, those of git alone", async () => {
    expect((await looks.glob("src/**/*.ts", LIMIT)).split("\n")).toEqual(["src/a.ts", "src/deep/b.ts"]);
    const found = await looks.grep("por[t]", LIMIT);
    expect(found).toContain("src/a.ts:2: const port = 5433;");
    expect(found).toContain("new.md:1: a new port");
    expect(found).not.toMatch(/ignored|outside|\.env/u);
  });

  it("shows lines with the number they have, without a key that spans lines", async () => {
    const found = await looks.grep("port", LIMIT);
    expect(found).toContain("src/deep/b.ts:5: after port");
    expect(found).not.toContain("port body");
    expect(await looks.grep("const key", LIMIT)).toBe('src/deep/b.ts:1: const key = "[secret]";');
  });

  it("lists a directory and reads files, whole or in part", async () => {
    expect((await looks.list(".", LIMIT)).split("\n")).toEqual([
      ".env",
      ".gitignore",
      "conf/",
      "ignored.log",
      "link.txt (link)",
      "new.md",
      "plain.txt (link)",
      "src/",
      "up (link)",
    ]);
    expect(await looks.file("src/a.ts", LIMIT)).toContain("one = 2");
    expect(await looks.shell("head -n 1 src/a.ts", LIMIT)).toBe("export const one = 2;");
    expect(await looks.shell("tail -n 1 src/a.ts", LIMIT)).toBe("const port = 5433;");
    expect(await looks.shell("wc -l src/a.ts", LIMIT)).toBe("2 lines");
    expect(await looks.file("src/a.ts", 10)).toHaveLength(10);
  });

  it("asks git for its past, by names, ranges and paths", async () => {
    expect(await looks.shell("git log --oneline", LIMIT)).toMatch(/second commit[^]*first commit/u);
    expect(await looks.shell("git log --oneline -n 1 main", LIMIT)).not.toContain("first commit");
    expect(await looks.shell("git log --oneline HEAD~1..feature/x", LIMIT)).not.toContain("first commit");
    expect(await looks.shell("git show HEAD~1:src/a.ts", LIMIT)).toContain("one = 1");
    expect(await looks.shell("git show --stat HEAD", LIMIT)).toContain("src/a.ts");
    expect(await looks.shell("git diff HEAD~1 HEAD -- src", LIMIT)).toContain("+export const one = 2;");
    expect(await looks.shell("git blame src/a.ts", LIMIT)).toContain("const port");
    expect((await looks.shell("git branch", LIMIT)).split("\n")).toEqual(["  feature/x", "* main"]);
    expect(await looks.shell("git status", LIMIT)).toContain("??\tnew.md");
  });

  it.each([
    "/etc/passwd",
    "../outside.txt",
    "link.txt",
    "up/outside.txt",
    "src/../../outside.txt",
    "up",
    ".git/config",
    ".git",
    ".env",
    "src/../.env",
    "conf/.env.local",
    "plain.txt",
    "\0",
    "src",
  ])("refuses the file %j", async (given) => {
    expect(await looks.file(given, LIMIT)).toMatch(/^refused: /u);
    expect(await looks.shell(`cat '${given.replace("\0", "")}'`, LIMIT)).toMatch(/^refused: /u);
  });

  it.each(["..", "/", "up", ".git", "src/a.ts"])("refuses the directory %s", async (given) => {
    expect(await looks.list(given, LIMIT)).toMatch(/^refused: /u);
  });

  it.each(["../**", "/etc/*", ":(exclude)a", ":!a", "", "x".repeat(300), "a\nb"])(
    "refuses the pattern %j",
    async (pattern) => {
      expect(await looks.glob(pattern, LIMIT)).toMatch(/^refused: /u);
    },
  );

  it.each([
    "git show HEAD:.env",
    "git show HEAD:conf/.env.local",
    "git log -p -- .env",
    "git diff HEAD~1 -- conf/.env.local",
    "git blame .env",
    "git log -- ../x",
    "git show HEAD:../x",
    "git diff nothing-of-this-name/../../x",
    "git blame src/a.ts new.md",
  ])("refuses %s", async (command) => {
    expect(await looks.shell(command, LIMIT)).toMatch(/^refused: /u);
  });

  it("leaves files with keys out of every answer of git, and masks the rest", async () => {
    for (const command of [
      "git log -p",
      "git show",
      "git show HEAD~1",
      "git diff HEAD~1 HEAD",
      "git log --stat",
      "git status",
      "git diff --cached",
    ]) {
      const shown = await looks.shell(command, 50_000);
      expect(shown, command).toMatch(/\S/u);
      expect(shown, command).not.toContain(KEY);
      expect(shown, command).not.toContain(".env");
    }
    expect(await looks.glob("**", LIMIT)).not.toContain(".env");
  });

  it("ends a search that takes too long, and bounds what it says", async () => {
    repository.write(
      "long.txt",
      Array.from({ length: 4_000 }, (_, index) => `line ${index} ${"x".repeat(900)}`).join("\n"),
    );
    const found = await looks.grep("line", 1_000_000);
    expect(found.split("\n").length).toBeLessThanOrEqual(201);
    expect(Math.max(...found.split("\n").map((line) => line.length))).toBeLessThan(400);
    const hasty = openProjectLooks({
      cwd: repository.root,
      emptyRepository: `${root}/state/empty`,
      environment: process.env,
      mask: (text) => Promise.resolve(text),
      elapsedMs: () => performance.now(),
      budgetMs: 0,
    });
    expect(await hasty.grep("line", LIMIT)).toContain("took too long");
    expect(await looks.grep("(", LIMIT)).toMatch(/^refused: /u);
  });

  it("runs nothing that the repository or the environment names, and writes nothing into it", async () => {
    const marker = `${root}/ran`;
    const trap = `${root}/trap.sh`;
    fs.writeFileSync(trap, `#!/bin/sh\ntouch '${marker}'\ncat 2>/dev/null\n`, { mode: 0o755 });
    repository.write(".gitattributes", "* diff=evil filter=evil text\n");
    fs.appendFileSync(
      `${repository.root}/.git/config`,
      `[core]\n\tfsmonitor = ${trap}\n\tpager = ${trap}\n[diff]\n\texternal = ${trap}\n[diff "evil"]\n\ttextconv = ${trap}\n\tcommand = ${trap}\n[filter "evil"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${trap}\n[alias]\n\tlog = !${trap}\n\tstatus = !${trap}\n`,
    );
    repository.write("src/a.ts", "changed\n");
    const before = filesBelow(repository.root);
    const hostile = open(repository.root, {
      ...process.env,
      GIT_EXTERNAL_DIFF: trap,
      GIT_PAGER: trap,
      PAGER: trap,
      GIT_DIR: "/nowhere",
    });
    for (const command of [
      "git log -p",
      "git show",
      "git diff",
      "git diff --cached",
      "git status",
      "git blame src/a.ts",
      "git branch",
    ])
      await hostile.shell(command, LIMIT);
    await hostile.grep("changed", LIMIT);
    await hostile.glob("**", LIMIT);
    expect(fs.existsSync(marker)).toBe(false);
    expect(filesBelow(repository.root)).toEqual(before);
  });

  it("says so where there is no git, and still reads files", async () => {
    fs.mkdirSync(`${root}/bare`);
    fs.writeFileSync(`${root}/bare/a.md`, "text\n");
    const bare = open(`${root}/bare`);
    expect(await bare.file("a.md", LIMIT)).toBe("text\n");
    expect(await bare.grep("text", LIMIT)).toContain("no git here");
    expect(await bare.shell("git log", LIMIT)).toContain("no git here");
  });
});
