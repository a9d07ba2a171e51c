import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;

beforeEach(() => {
  root = scratch();
});

function memdir(...argv: string[]): Promise<CliResult> {
  return cli([...argv, "--dir", "notes"], { cwd: root, environment: emptyHome(root) });
}

const at = (name: string): string => path.join(root, "notes", name);
const page = (): string => fs.readFileSync(at("MEMORY.md"), "utf8");

async function remember(name: string, text = `A fact about ${name} that stands alone.`): Promise<string> {
  await memdir("remember", text, "--name", name);
  return `project_${name}.md`;
}

const HOOK = "- [Where the alpacas live](project_alpacas.md) — by hand, *with* marks  ";

describe("a line of MEMORY.md that a person wrote", () => {
  it.each(["above the generated part", "below it", "alone"])(
    "comes back byte for byte when its note does, %s",
    async (place) => {
      await remember("alpacas");
      if (place !== "alone") await remember("bisons");
      const text =
        place === "below it"
          ? `${page()}\n## Mine\n\n${HOOK}\n\nLast words.\n`
          : `# My notes\n\nFirst words.\n${HOOK}\n\nMore.\n${place === "alone" ? "" : page()}`;
      fs.writeFileSync(at("MEMORY.md"), text);
      await memdir("pin", "alpacas"); // a write brings the page up to date
      await memdir("pin", "alpacas", "--off");
      const before = page();
      expect(before).toContain(HOOK);
      await memdir("remove", "alpacas");
      expect(page()).not.toContain(HOOK);
      await memdir("undo", "project_alpacas.md");
      expect(page()).toBe(before);
      await memdir("remove", "alpacas");
      await memdir("restore", "project_alpacas.md");
      expect(page()).toBe(before);
      await remember("camels");
      await memdir("supersede", "alpacas", "camels");
      expect(page()).not.toContain(HOOK);
      await memdir("undo");
      expect(page()).toContain(HOOK);
      await memdir("supersede", "alpacas", "camels");
      await memdir("restore", "project_alpacas.md");
      expect(page()).toContain(HOOK);
    },
  );

  it("stays away when the person took it out after the note had come back", async () => {
    await remember("alpacas");
    fs.writeFileSync(at("MEMORY.md"), `${HOOK}\n`);
    await memdir("remove", "alpacas");
    await memdir("undo");
    fs.writeFileSync(at("MEMORY.md"), page().replace(`${HOOK}\n`, ""));
    await remember("bisons");
    await memdir("remove", "alpacas");
    await memdir("undo", "project_alpacas.md");
    expect(page()).not.toContain(HOOK);
  });

  it("follows a note that a person renamed", async () => {
    await remember("alpacas");
    fs.writeFileSync(at("MEMORY.md"), `# Mine\n\n${HOOK}\n`);
    await memdir("pin", "alpacas");
    fs.renameSync(at("project_alpacas.md"), at("animals of the (high) plain.md"));
    await memdir("list");
    await remember("bisons");
    expect(page()).toContain(
      "- [Where the alpacas live](<animals of the (high) plain.md>) — by hand, *with* marks  \n",
    );
    expect(page()).not.toContain("project_alpacas.md");
    const before = page();
    await memdir("remove", "animals of the (high) plain.md");
    await memdir("undo", "animals of the (high) plain.md");
    expect(page()).toBe(before);
  });

  it("names the notes that have no line in it, after a change and in doctor", async () => {
    await remember("alpacas");
    const lines = Array.from({ length: 230 }, (_, line) => `- a line of my own, number ${line}`);
    fs.writeFileSync(at("MEMORY.md"), `${lines.join("\n")}\n`);
    const { out } = await memdir("remember", "A fact about bisons that stands alone.", "--name", "bisons");
    expect(out).toContain("2 notes have no line in it: project_bisons.md, project_alpacas.md; recall still finds them");
    const checks: unknown = JSON.parse((await memdir("doctor", "--json")).out);
    expect(JSON.stringify(checks)).toContain("2 notes have no line in it: project_alpacas.md, project_bisons.md");
  });

  it("stays though no note is there, whoever wrote it: a dream leaves it, doctor names it", async () => {
    await remember("alpacas");
    await remember("bisons");
    fs.rmSync(at("project_bisons.md"));
    const own = "- [Old herd](herd.md) — whoever wrote this line, a file does not say";
    fs.writeFileSync(at("MEMORY.md"), `${own}\n${page()}`);
    expect((await memdir("dream", "--apply")).code).toBe(0);
    await remember("camels");
    expect(
      page()
        .split("\n")
        .filter((line) => line.startsWith("- [")),
    ).toEqual([own, expect.stringContaining("](project_camels.md)"), expect.stringContaining("](project_alpacas.md)")]);
    expect((await memdir("doctor")).out.replace(/\s+/gu, " ")).toContain("lines without a note: herd.md");
  });
});

describe("a secret that a person wrote into a note", () => {
  const SECRET = `gh${"p"}_aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vWxYz0123`;

  it("is named by doctor and audit, and no change puts a blot in its place", async () => {
    fs.mkdirSync(path.join(root, "notes"));
    const text = `Deploys take ${SECRET} from the vault.\n\nAsk Jane.\n`;
    fs.writeFileSync(at("deploys.md"), text);
    for (const command of ["doctor", "audit"]) {
      const { out } = await memdir(command);
      expect(out.replace(/\s+/gu, " ")).toMatch(/deploys\.md:? holds what looks like a secret/u);
    }
    const shown = (await memdir("show", "deploys")).out;
    expect(shown).toBe(text.replace(SECRET, "[redacted]"));
    const refused = await memdir("edit", "deploys", "--body", shown.replace("Jane", "Joe"));
    expect([refused.code, fs.readFileSync(at("deploys.md"), "utf8")]).toEqual([4, text]);
    const cured = await memdir("edit", "deploys", "--body", "Deploys take their token from the vault. Ask Joe.");
    expect([cured.code, fs.readFileSync(at("deploys.md"), "utf8").includes(SECRET)]).toEqual([0, false]);
  });
});

describe("a note that a person renamed", () => {
  it("keeps its history under every name it had, and can be undone through the rename", async () => {
    await remember("alpacas", "One.");
    await memdir("edit", "alpacas", "--body", "Two.");
    fs.renameSync(at("project_alpacas.md"), at("llamas.md"));
    await memdir("list");
    fs.renameSync(at("llamas.md"), at("vicunas.md"));
    const { versions } = JSON.parse((await memdir("history", "vicunas.md", "--json")).out);
    expect(versions.map(({ actor }: { actor: string }) => actor)).toEqual(["external", "external", "user", "user"]);
    expect((await memdir("show", "vicunas.md", "--version", "1")).out).toContain("One.");
    expect((await memdir("diff", "vicunas.md", "--version", "2")).out).toContain("-One.");
    expect((await memdir("undo", "vicunas.md")).out).toContain("undone: version 2 (edited)");
    expect(fs.readFileSync(at("vicunas.md"), "utf8")).toContain("One.");
    expect((await memdir("redo", "vicunas.md")).code).toBe(0);
    expect(fs.readFileSync(at("vicunas.md"), "utf8")).toContain("Two.");
  });
});

it("a note that a person renamed has the past of its own, not that of another that went at the same time", async () => {
  await remember("alpacas", "One.");
  await remember("bisons", "Two.");
  fs.rmSync(at("project_alpacas.md"));
  fs.renameSync(at("project_bisons.md"), at("buffalos.md"));
  const names = JSON.parse((await memdir("history", "buffalos.md", "--json")).out).versions.flatMap(
    ({ files }: { files: readonly { file: string }[] }) => files.map(({ file }) => file),
  );
  expect(names).toContain("project_bisons.md");
  expect((await memdir("show", "buffalos.md", "--version", "2")).out).toContain("Two.");
  expect((await memdir("show", "buffalos.md", "--version", "1")).out).not.toContain("One.");
});

describe("a note that gets another name or type", () => {
  it("keeps its file, and says why", async () => {
    await remember("alpacas");
    for (const change of [
      ["--name", "llamas"],
      ["--type", "reference"],
    ])
      expect((await memdir("edit", "project_alpacas.md", ...change)).out).toContain(
        "the file is still project_alpacas.md: links, index lines and history refer to it by its file",
      );
  });
});

describe("a MEMORY.md that people filled", () => {
  it("names a new note where the client still loads it", async () => {
    await remember("alpacas");
    const lines = Array.from({ length: 230 }, (_, line) => `- a line of my own, number ${line}`);
    fs.writeFileSync(at("MEMORY.md"), `${lines.join("\n")}\n`);
    await remember("bisons");
    const loaded = page().split("\n").slice(0, 200).join("\n");
    expect(loaded).toContain("project_bisons.md");
    expect(loaded).toContain("project_alpacas.md");
    expect(
      page()
        .split("\n")
        .filter((line) => line.startsWith("- a line of my own")),
    ).toEqual(lines);
    const before = page();
    await memdir("pin", "bisons");
    await memdir("pin", "bisons", "--off");
    expect(page()).toBe(before);
  });
});
