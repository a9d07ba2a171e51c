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

describe("memdir export hermes", () => {
  const HERMES = "home/.hermes/memories";
  const notes = async (memdir: (...argv: string[]) => Promise<unknown>): Promise<void> => {
    await memdir("remember", "The staging host is called heron.", "--type", "project", "--name", "staging");
    await memdir("remember", "Answers are short.\n\n§\n\nAlways.", "--type", "feedback", "--name", "short");
  };

  it("adds notes to what Hermes wrote, once, in a form that Hermes and import read as it was", async () => {
    const { root, memdir, take } = world({ [`${HERMES}/MEMORY.md`]: "The project uses pnpm, not npm." });
    await notes(memdir);
    const plan = JSON.parse((await memdir("export", "hermes", "--dry-run", "--json")).out);
    expect(plan.written).toBe(false);
    expect(fs.readFileSync(`${root}/${HERMES}/MEMORY.md`, "utf8")).toBe("The project uses pnpm, not npm.");
    expect((await memdir("export", "hermes", "--yes")).out).toContain("exported 2 notes");
    const read = (): readonly string[] =>
      ["MEMORY.md", "USER.md"].map((name) => fs.readFileSync(`${root}/${HERMES}/${name}`, "utf8"));
    const first = read();
    expect(first).toEqual([
      "The project uses pnpm, not npm.\n§\nThe staging host is called heron.",
      "Answers are short.\n\n- §\n\nAlways.",
    ]);
    expect(JSON.parse((await memdir("export", "hermes", "--yes", "--json")).out).written).toBe(false);
    expect(read()).toEqual(first);
    const { imported } = await take("hermes", "--yes");
    expect(imported).toHaveLength(1);
    await memdir("export", "hermes", "--yes");
    expect(read()).toEqual(first);
  });

  it("stays within Hermes' limits, pinned notes first, and names what it leaves out", async () => {
    const { root, memdir } = world({ [`${HERMES}/MEMORY.md`]: "x".repeat(2100) });
    await notes(memdir);
    for (const [name, word] of [
      ["first", "heron"],
      ["second", "stork"],
    ] as const)
      await memdir(
        "remember",
        `The ${word} cluster runs ${word} jobs at night. ${word}`,
        "--type",
        "project",
        "--name",
        name,
      );
    await memdir("pin", "second");
    const { files } = JSON.parse((await memdir("export", "hermes", "--yes", "--json")).out);
    const memory = files.find(({ name }: { name: string }) => name === "MEMORY.md");
    expect(memory.added[0]).toContain("second");
    expect(memory.leftOut.length + memory.added.length).toBe(3);
    expect(memory.leftOut[0].why).toContain("2200");
    expect(fs.readFileSync(`${root}/${HERMES}/MEMORY.md`, "utf8").length).toBeLessThanOrEqual(2200);
  });

  it("writes through no link, and never without being asked", async () => {
    const { root, memdir } = world({ "elsewhere.md": "Mine." });
    await notes(memdir);
    await memdir("export", "hermes");
    expect(fs.existsSync(`${root}/${HERMES}`)).toBe(false);
    fs.mkdirSync(`${root}/${HERMES}`, { recursive: true });
    fs.symlinkSync(`${root}/elsewhere.md`, `${root}/${HERMES}/MEMORY.md`);
    expect((await memdir("export", "hermes", "--yes")).err).toContain("is a link");
    expect(fs.readFileSync(`${root}/elsewhere.md`, "utf8")).toBe("Mine.");
  });
});
