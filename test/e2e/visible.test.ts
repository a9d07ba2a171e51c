import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { emptyHome, homeOf } from "../support/cli.ts";
import { scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));

it("the command itself shows hostile characters by name through a pipe, on its short paths too", () => {
  const root = scratch();
  fs.mkdirSync(`${root}/orders/.git`, { recursive: true });
  const memdir = (...args: readonly string[]): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
      cwd: `${root}/orders`,
      env: { ...emptyHome(root), FORCE_COLOR: "1" },
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  memdir("remember", "The container listens on port 5433.", "--name", "port", "--type", "feedback");
  const store = fs.readdirSync(`${homeOf(root)}/.memdir/projects`)[0] ?? "";
  const file = `${homeOf(root)}/.memdir/projects/${store}/memory/feedback_port.md`;
  const text = fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, text.replace("container listens", "container \u001b[2J\u202E listens"));
  memdir("pin", "feedback_port.md");
  for (const args of [
    ["list"],
    ["show", "port"],
    ["context", "--text"],
    ["recall", "which port has the container"],
    ["show", "\u001b]0;x\u0007"],
  ])
    expect(memdir(...args), args[0]).not.toMatch(/\u001b(?!\[\d{1,2}m)|[\u0007\u202e]/u);
  expect(memdir("show", "port")).toContain("<U+001B>[2J<U+202E>");
});
