import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/surfaces/cli/catalogue.ts";
import { emptyHome } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));

function run(
  program: string,
  args: readonly string[],
  cwd = scratch(),
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: emptyHome(cwd), encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

function scriptFile(shell: string, root: string): string {
  const { code, out } = run(process.execPath, [COMMAND, "completion", shell], root);
  expect(code).toBe(0);
  const file = path.join(root, `memdir.${shell}`);
  fs.writeFileSync(file, out);
  return file;
}

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** What bash offers for a line that ends with the last word. */
function inBash(...words: readonly string[]): readonly string[] {
  const root = scratch();
  const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memdir; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { out, err } = run("bash", ["--norc", "-c", script, scriptFile("bash", root), ...words], root);
  expect(err).toBe("");
  return out.split("\n").filter((one) => one !== "");
}

describe("completion in bash", () => {
  it("offers every command, and those that begin with what was typed", () => {
    expect(inBash("memdir", "")).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
    expect(inBash("memdir", "re")).toEqual(expect.arrayContaining(["recall", "redo", "remember", "remove", "restore"]));
    expect(inBash("memdir", "hi")).toEqual(["history"]);
    expect(inBash("memdir", "help", "hist")).toEqual(["history"]);
  });

  it("offers the options of a command and of its alias, and the values of an option", () => {
    expect(inBash("memdir", "list", "--")).toEqual(expect.arrayContaining(["--type", "--scope", "--json", "--help"]));
    expect(inBash("memdir", "ls", "--ty")).toEqual(["--type"]);
    expect(inBash("memdir", "add", "text", "--type", "f")).toEqual(["feedback"]);
    expect(inBash("memdir", "add", "text", "--type", "=", "f")).toEqual(["feedback"]);
    expect(inBash("memdir", "mode", "--capture-to", "")).toEqual(["notes", "log", "default"]);
  });

  it("offers what a command does, and leaves files to the shell elsewhere", () => {
    expect(inBash("memdir", "checkpoint", "re")).toEqual(["restore", "remove"]);
    expect(inBash("memdir", "install", "cl")).toEqual(["claude-code", "cline"]);
    expect(inBash("memdir", "capture", "")).toEqual([]);
    expect(inBash("memdir", "list", "--dir", "")).toEqual([]);
  });
});

describe("completion in other shells", () => {
  it.runIf(has("zsh"))("loads in zsh, completes memdir and names every command", () => {
    const root = scratch();
    const file = scriptFile("zsh", root);
    expect(run("zsh", ["-n", file], root)).toEqual({ code: 0, out: "", err: "" });
    const script = 'autoload -U compinit; compinit -u -D; source "$1"; print -r -- "${_comps[memdir]}"';
    expect(run("zsh", ["-f", "-c", script, "zsh", file], root)).toEqual({ code: 0, out: "_memdir\n", err: "" });
    const text = fs.readFileSync(file, "utf8");
    for (const { name } of COMMANDS) expect(text).toContain(`'${name}':'`);
  });

  it.runIf(has("fish"))("completes commands, options and values in fish", () => {
    const root = scratch();
    const file = scriptFile("fish", root);
    expect(run("fish", ["--no-config", "--no-execute", file], root).code).toBe(0);
    const offered = (line: string): readonly string[] =>
      run("fish", ["--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', file, line], root)
        .out.split("\n")
        .map((row) => row.split("\t")[0] ?? "");
    expect(offered("memdir hist")).toEqual(expect.arrayContaining(["history"]));
    expect(offered("memdir ls --ty")).toEqual(expect.arrayContaining(["--type"]));
    expect(offered("memdir add --type f")).toEqual(expect.arrayContaining(["feedback"]));
    expect(offered("memdir checkpoint re")).toEqual(expect.arrayContaining(["restore", "remove"]));
  });

  it("names every command and its options for PowerShell, quotes in pairs", () => {
    const { out } = run(process.execPath, [COMMAND, "completion", "powershell"]);
    for (const { name, options } of COMMANDS) {
      expect(out).toContain(`'${name}'`);
      for (const option of Object.keys(options)) expect(out).toContain(`'--${option}'`);
    }
    for (const row of out.split("\n").slice(1)) expect(row.split("'").length % 2, row).toBe(1);
    for (const [open, close] of ["()", "{}", "[]"])
      expect(out.split(open ?? "").length).toBe(out.split(close ?? "").length);
  });

  it("says which shells there are", () => {
    expect(run(process.execPath, [COMMAND, "completion", "tcsh"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown shell tcsh; use one of bash, zsh, fish, powershell"),
    });
  });
});

describe("the demo", () => {
  it("leaves nothing in the temporary directory, and with --keep its scratch directory", () => {
    const root = scratch();
    const demo = (...args: readonly string[]): number | null =>
      spawnSync(process.execPath, [COMMAND, "demo", ...args], {
        cwd: root,
        env: { ...emptyHome(root), TMPDIR: `${root}/tmp` },
      }).status;
    fs.mkdirSync(`${root}/tmp`);
    expect(demo()).toBe(0);
    expect(fs.readdirSync(`${root}/tmp`)).toEqual([]);
    expect(demo("--keep")).toBe(0);
    expect(fs.readdirSync(`${root}/tmp`)).toHaveLength(1);
  });
});
