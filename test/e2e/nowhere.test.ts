import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));
const MOST_MS = 60_000;

/** Below /proc nothing can be created, and Node's own recursive mkdir never returns there. */
describe.skipIf(!fs.existsSync("/proc/self"))("a home in which nothing can be created", () => {
  it.each([
    [6, "nothing can be created there", ["remember", "Deploys happen on Thursdays with Ana", "--name", "deploys"]],
    [0, "", ["list"]],
    [0, "", ["recall", "when do we deploy?"]],
    [0, "", ["status"]],
  ])('ends with %i and says "%s": %j', (code, said, args) => {
    const root = scratch();
    fs.mkdirSync(`${root}/.git`);
    const env = { PATH: process.env["PATH"], HOME: "/proc/nohome" };
    const done = spawnSync(process.execPath, [COMMAND, ...args], {
      cwd: root,
      env,
      timeout: MOST_MS,
      encoding: "utf8",
    });
    expect([done.signal, done.status]).toEqual([null, code]);
    expect(done.stderr).toContain(said);
  });
});
