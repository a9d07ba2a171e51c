import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyHome } from "../support/cli.ts";
import { scratchForFile } from "../support/scratch-for-file.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
/** Gives a command a terminal; part of every Linux. */
const TERMINAL = "script";
const hasTerminal = spawnSync(TERMINAL, ["--version"]).status === 0;
if (!hasTerminal) process.stderr.write("SKIPPED: `script` of util-linux is missing, so no question was answered\n");

/** The built command on a real terminal: what it asks and starts there is loaded only there. */
describe.skipIf(!hasTerminal)("on a terminal", () => {
  let root: string;
  let environment: NodeJS.ProcessEnv;
  const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");
  /** What was printed, with what was typed among it, and the exit code. */
  const typed = (keys: string, ...args: readonly string[]): { readonly out: string; readonly code: number | null } => {
    const line = quoted([process.execPath, COMMAND, ...args]);
    const { stdout, status } = spawnSync(TERMINAL, ["-qec", line, "/dev/null"], {
      cwd: `${root}/orders`,
      env: environment,
      encoding: "utf8",
      input: keys,
    });
    return { out: stdout, code: status };
  };
  const listed = (): string =>
    execFileSync(process.execPath, [COMMAND, "list"], { cwd: `${root}/orders`, env: environment, encoding: "utf8" });

  beforeAll(() => {
    root = scratchForFile();
    fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
    environment = { ...emptyHome(root), TERM: "dumb", EDITOR: "sed -i s/5433/6000/" };
    typed("", "remember", "The container listens on port 5433.", "--name", "port", "--type", "project");
  });

  it("an editor that a person named changes a note", () => {
    expect(typed("", "edit", "port")).toMatchObject({ code: 0 });
    expect(listed()).toContain("6000");
  });

  it.each([
    ["nothing was changed", ["install", "claude-code"]],
    ["nothing was forgotten", ["forget", "port"]],
  ])("Ctrl-C at a question says that %s, and exits with 130", async (says, args) => {
    const child = spawn(TERMINAL, ["-qec", quoted([process.execPath, COMMAND, ...args]), "/dev/null"], {
      cwd: `${root}/orders`,
      env: environment,
      timeout: 60_000,
    });
    let out = "";
    child.stdout.on("data", (part: Buffer) => {
      const isAsked = out.includes("[y/N] ");
      out += part.toString();
      if (!isAsked && out.includes("[y/N] ")) child.stdin.write("\u0003");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ out, code }).toMatchObject({ code: 130, out: expect.stringContaining(`memdir: interrupted; ${says}`) });
  });

  it.each([
    ["n", true],
    ["y", false],
  ])("forget asks, and %s decides", (key, isKept) => {
    expect(typed(`${key}\n`, "forget", "port").out).toContain("[y/N]");
    expect(listed().includes("6000")).toBe(isKept);
  });

  it.each([
    ["remember", ["remember", "-", "--name", "typed"], ["show", "typed"]],
    ["edit", ["edit", "typed", "--body", "-"], ["show", "typed"]],
    ["log", ["log", "-"], ["log"]],
  ])("%s - reads what a person types until they end it, and says so", (_, args, look) => {
    const said = `The importer reads ${args[0] ?? ""} files at night.`;
    const { out, code } = typed(`${said}\n`, ...args);
    expect({ out, code }).toMatchObject({ code: 0, out: expect.stringContaining("end with Ctrl-D") });
    expect(typed("", ...look).out).toContain(said);
  });

  it("review asks until nothing waits", () => {
    expect(typed("", "review")).toMatchObject({ code: 0 });
  });

  it("install shows the diff and asks; no writes nothing", () => {
    const { out } = typed("n\n", "install", "claude-code");
    expect(out).toContain("[y/N]");
    expect(fs.existsSync(`${environment["HOME"]}/.claude/settings.json`)).toBe(false);
  });
});
