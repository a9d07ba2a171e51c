import fs from "node:fs";
import { expect, it } from "vitest";
import { cli, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

it("guard set says whether the guard is in force, as guard list does", async () => {
  const root = scratch();
  fs.mkdirSync(`${root}/project/.git`, { recursive: true });
  const run = async (...argv: string[]): Promise<string> =>
    (await cli(argv, { cwd: `${root}/project`, environment: emptyHome(root) })).out;
  const set = (pattern: string): Promise<string> =>
    run("guard", "set", "tf", "--tool", "Bash", "--pattern", pattern, "--action", "deny");
  await run("remember", "Never apply without a plan.", "--type", "feedback", "--name", "tf");
  expect(await set("terraform apply")).toContain("not enabled yet: `memdir guard enable");
  await run("guard", "enable", "tf", "--yes");
  expect(await set("tofu apply")).toContain("no longer in force: `memdir guard enable");
  expect(await run("guard", "list")).toMatch(/^changed/u);
  expect(await set("terraform apply")).toMatch(/in force.*enabled this very guard before\n$/u);
  expect(await run("guard", "list")).toMatch(/^on/u);
});
