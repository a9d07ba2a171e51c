import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const TOKEN = ["ghp", "0123456789abcdefghijABCDEFGHIJ456789"].join("_");

interface Step {
  readonly action: string;
  readonly type: string;
  readonly reason?: string;
}

function world(files: Readonly<Record<string, string>>) {
  const root = scratch();
  const cwd = `${root}/shop`;
  fs.mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    fs.writeFileSync(`${root}/${name}`, text);
  }
  const memdir = (...argv: string[]) =>
    cli(argv, { cwd, environment: { HOME: `${root}/home`, PATH: process.env["PATH"] } });
  const take = async (...argv: string[]) => JSON.parse((await memdir("import", ...argv, "--json")).out);
  return { root, memdir, take };
}

describe("memdir import, from other agents", () => {
  it("takes each entry of Hermes' files, found where Hermes keeps them, and refuses the one with a secret", async () => {
    const { take, memdir } = world({
      "home/.hermes/memories/MEMORY.md": `The project uses pnpm, not npm.\n§\nDeploys run from the ops laptop.\nIt needs the VPN.\n§\nThe token is ${TOKEN}`,
      "home/.hermes/memories/USER.md": "The user is called Ada.\n§\nShe prefers tabs over spaces.",
      "home/.hermes/memories/MEMORY.md.lock": "",
    });
    const { plan, imported, skipped } = await take("hermes", "--yes");
    expect(plan.map(({ action, type, reason }: Step) => reason ?? `${action} ${type}`)).toEqual([
      "add project",
      "add project",
      "secret",
      "add user",
      "add user",
    ]);
    expect(imported).toHaveLength(4);
    expect(skipped).toMatchObject([{ path: "MEMORY.md.lock" }]);
    expect((await memdir("show", "project_deploys_run_from_the_ops_laptop.md")).out).toContain("It needs the VPN.");
    const again = await take("hermes", "--yes");
    expect(again.imported).toEqual([]);
    expect(again.plan.map(({ reason }: Step) => reason)).toEqual(["known", "known", "secret", "known", "known"]);
  });

  it("makes a note of each item of OpenClaw's lists, and one of a text that is none", async () => {
    const { take, root } = world({
      "claw/MEMORY.md":
        "# People\n\n- Ada owns the release train.\n- Kim answers for the importer.\n  Ask before noon.\n\n# Deploys\n\nThey run from the ops laptop.\n\n- It needs the VPN.\n",
    });
    const { plan, imported } = await take("openclaw", `${root}/claw`, "--yes");
    expect(plan.map(({ origin }: { origin: string }) => origin)).toEqual([
      "MEMORY.md#People: Ada owns the release train.",
      "MEMORY.md#People: Kim answers for the importer. Ask before noon.",
      "MEMORY.md#Deploys",
    ]);
    expect(imported).toHaveLength(3);
    expect((await take("openclaw", `${root}/claw`, "--yes")).imported).toEqual([]);
  });
});
