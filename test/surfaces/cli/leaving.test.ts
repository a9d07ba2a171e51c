import fs from "node:fs";
import { create } from "tar";
import { describe, expect, it } from "vitest";
import { cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

/** Of `emptyHome`, below its root. */
const HOME = "home";

function person(name: string) {
  const root = scratch();
  const cwd = `${root}/${name}`;
  fs.mkdirSync(`${cwd}/.git`, { recursive: true });
  const environment = emptyHome(root);
  const memdir = (argv: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
    cli(argv, { environment, cwd, ...more });
  const json = async (argv: readonly string[]) => JSON.parse((await memdir([...argv, "--json"])).out);
  return { root, cwd, memdir, json };
}

async function full() {
  const one = person("Jané Döe's shop");
  await one.memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
  await one.memdir(["edit", "port", "--body", "The importer listens on port 9090"]);
  await one.memdir(["remember", "--name", "role", "--type", "user", "A data scientist"]);
  await one.memdir(["remember", "--name", "cluster", "--scope", "team", "Staging is called zebra"]);
  await one.memdir(["remember", "--name", "here only", "--scope", "local", "The fast disk is the second one"]);
  await one.memdir(["remember", "--name", "gone", "Soon removed"]);
  await one.memdir(["remove", "gone"]);
  await one.memdir(["checkpoint", "save", "--name", "importer", "--goal", "Import in one pass"]);
  const { notes } = await one.json(["list"]);
  const page = `${(await one.json(["show", "port"])).path.replace(/[^/]+$/u, "")}MEMORY.md`;
  fs.writeFileSync(page, `- a line of my own\n${fs.readFileSync(page, "utf8")}`);
  fs.writeFileSync(
    `${one.root}/${HOME}/.memdir/settings.json`,
    JSON.stringify({ model: "ollama/qwen3:4b", apiKey: "k", consent: ["agent-cli"] }),
  );
  return { ...one, notes, page };
}

describe("export and import", () => {
  it("take everything elsewhere without loss: notes, history, checkpoints, lines by hand", async () => {
    const from = await full();
    const archive = `${from.root}/all of it.tar.gz`;
    expect((await from.memdir(["export", archive])).out).toMatch(/project .*: 1 note, 4 versions/u);
    const to = person("another place");
    const looked = await to.memdir(["import", archive, "--dry-run"]);
    expect(looked.out).toContain("1 new note, 0 already here");
    expect((await to.json(["list"])).notes).toEqual([]);
    expect((await to.memdir(["import", archive])).err).toContain("run it again with --yes");
    expect((await to.memdir(["import", archive, "--yes"])).code).toBe(0);
    expect(looked.out).not.toContain("left out");
    const told = (notes: readonly Record<string, unknown>[]) =>
      notes.map(({ scope, file, description, type }) => ({ scope, file, description, type }));
    expect(told((await to.json(["list"])).notes)).toEqual(told(from.notes));
    expect((await to.json(["show", "port", "--version", "1"])).body).toContain("8080");
    expect(await to.json(["checkpoint", "list"])).toHaveLength(1);
    const { path } = await to.json(["show", "port"]);
    expect(fs.readFileSync(path.replace(/[^/]+$/u, "MEMORY.md"), "utf8")).toContain("- a line of my own");
    expect((await to.memdir(["restore", "gone"])).code).toBe(0);
    const again = await to.json(["import", archive, "--yes"]);
    expect(
      again.plan.every(({ added, both }: { added: unknown[]; both: unknown[] }) => added.length + both.length === 0),
    ).toBe(true);
  });

  it("can be taken back with the commands that the import names, and with a bare undo", async () => {
    const from = await full();
    await from.memdir(["export", `${from.root}/all.tar.gz`]);
    const files = (notes: readonly { readonly file: string }[]) => notes.map(({ file }) => file).toSorted();
    const to = person("another place");
    const { out } = await to.memdir(["import", `${from.root}/all.tar.gz`, "--yes"]);
    const commands = [...out.matchAll(/`memdir (undo [^`]+)`/gu)].map(([, command = ""]) => command.split(" "));
    expect(commands).toHaveLength(4);
    for (const command of commands) expect((await to.memdir(command)).code).toBe(0);
    expect((await to.json(["list"])).notes).toEqual([]);
    const third = person("third place");
    const imported = (await third.memdir(["import", `${from.root}/all.tar.gz`, "--yes"])).out;
    const [, version = ""] = /`memdir undo (\d+)`/u.exec(imported) ?? [];
    expect((await third.memdir(["undo", version])).out).toContain("project_port.md: removed");
    expect(files((await third.json(["list"])).notes)).not.toContain("project_port.md");
    expect((await third.memdir(["import", `${from.root}/all.tar.gz`, "--yes"])).out).toMatch(
      /imported 1 note; `memdir undo \d+` takes them back/u,
    );
    expect((await third.memdir(["import", `${from.root}/all.tar.gz`, "--yes"])).out).toMatch(/imported 0 notes$/mu);
    expect((await third.memdir(["undo"])).out).toContain("project_port.md: removed");
  });

  it("name the directory of a store that is not of here in the way back", async () => {
    const from = await full();
    const till = `${from.root}/till's`;
    fs.mkdirSync(`${till}/.git`, { recursive: true });
    await from.memdir(["remember", "--name", "till", "The till rounds to five cents"], { cwd: till });
    await from.memdir(["export", `${from.root}/every.tar.gz`, "--all"]);
    const to = person("another place");
    const { out } = await to.memdir(["import", `${from.root}/every.tar.gz`, "--yes"]);
    const [, id = "", directory = ""] = /`memdir undo (\d+) --dir '([^`]+)'`/u.exec(out) ?? [];
    expect((await to.memdir(["undo", id, "--dir", directory.replaceAll(String.raw`'\''`, "'")])).out).toContain(
      "project_till.md: removed",
    );
  });

  it("give the same bytes for the same state, as plain files that need no memdir, without secrets", async () => {
    const { root, memdir } = await full();
    await memdir(["export", `${root}/a.tar.gz`]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await memdir(["export", `${root}/b.tgz`, "--json"]);
    expect(fs.readFileSync(`${root}/a.tar.gz`).equals(fs.readFileSync(`${root}/b.tgz`))).toBe(true);
    await memdir(["export", `${root}/plain dir`]);
    const files = filesBelow(`${root}/plain dir`);
    expect([...files.keys()].some((file) => /^stores\/project\/.*\/notes\/project_port\.md$/u.test(file))).toBe(true);
    const settings = files.get("settings.json")?.toString() ?? "";
    expect(JSON.parse(settings)).toEqual({ model: "ollama/qwen3:4b" });
    expect(files.get("README.md")?.toString()).toContain("nothing needs memdir to be read");
  });

  it("keep both where another text has the same name, and give history a home only where there is none", async () => {
    const from = await full();
    await from.memdir(["export", `${from.root}/dir`]);
    const to = person("another place");
    await to.memdir(["remember", "--name", "port", "The exporter has no port at all"]);
    const { imported } = await to.json(["import", `${from.root}/dir`, "--yes"]);
    expect(imported).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          scope: "project",
          both: [{ file: "project_port.md", as: "project_port_2.md" }],
          versions: 0,
        }),
      ]),
    );
    expect((await to.json(["show", "project_port.md"])).body).toContain("exporter");
    expect((await to.json(["show", "project_port_2.md"])).body).toContain("9090");
    await to.memdir(["undo", "project_port_2.md"]);
    expect((await to.json(["list"])).notes.map(({ file }: { file: string }) => file)).not.toContain(
      "project_port_2.md",
    );
  });

  it("take checkpoints of a directory of notes, into another directory or into a project", async () => {
    const from = person("shop");
    const notes = `${from.root}/notes here`;
    fs.mkdirSync(notes);
    await from.memdir([
      "checkpoint",
      "save",
      "--name",
      "importer",
      "--goal",
      "one pass",
      "--next",
      "measure",
      "--dir",
      notes,
    ]);
    await from.memdir(["checkpoint", "restore", "--dir", notes]);
    await from.memdir(["export", `${from.root}/a.tar.gz`, "--dir", notes]);
    await from.memdir(["export", `${from.root}/plain`, "--dir", notes]);
    expect([...filesBelow(`${from.root}/plain/checkpoints`).keys()].map((file) => file.replace(/\d.*/u, ""))).toEqual([
      "here/",
    ]);
    const to = person("elsewhere");
    const other = `${to.root}/other notes`;
    fs.mkdirSync(other);
    await to.memdir(["import", `${from.root}/a.tar.gz`, "--yes", "--dir", other]);
    expect((await to.memdir(["checkpoint", "restore", "--dir", other])).out).toContain("measure");
    expect(await to.json(["checkpoint", "list"])).toEqual([]);
    await to.memdir(["import", `${from.root}/a.tar.gz`, "--yes"]);
    expect(await to.json(["checkpoint", "list"])).toHaveLength(1);
  });

  it("take every project of the machine with --all", { tags: ["slow"] }, async () => {
    const { root, memdir, json } = await full();
    const other = `${root}/till`;
    fs.mkdirSync(`${other}/.git`, { recursive: true });
    await memdir(["remember", "--name", "till", "The till rounds to five cents"], { cwd: other });
    await memdir(["export", `${root}/every.tar.gz`, "--all"]);
    const to = person("another place");
    await to.memdir(["import", `${root}/every.tar.gz`, "--yes"]);
    const found = [...filesBelow(`${to.root}/${HOME}/.memdir`).keys()].filter((file) =>
      file.endsWith("project_till.md"),
    );
    expect(found).toHaveLength(1);
    expect((await json(["list"])).notes).toHaveLength(4);
  });

  it("refuse what was changed, what is no export, what leads out of it, and to overwrite", async () => {
    const { root, memdir } = await full();
    await memdir(["export", `${root}/dir`]);
    expect((await memdir(["export", `${root}/dir`])).code).toBe(5);
    const manifest = JSON.parse(fs.readFileSync(`${root}/dir/manifest.json`, "utf8"));
    const note = Object.keys(manifest.files).find((file) => file.endsWith("project_port.md")) ?? "";
    fs.appendFileSync(`${root}/dir/${note}`, "changed");
    expect((await memdir(["import", `${root}/dir`, "--yes"])).err).toContain("was changed");
    fs.writeFileSync(`${root}/broken.tar.gz`, Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
    expect((await memdir(["import", `${root}/broken.tar.gz`])).code).toBe(1);
    fs.writeFileSync(`${root}/text.txt`, "text");
    expect((await memdir(["import", `${root}/text.txt`])).code).toBe(3);
    fs.mkdirSync(`${root}/evil`);
    fs.symlinkSync("/etc", `${root}/evil/link`);
    create({ sync: true, gzip: true, file: `${root}/evil.tar.gz`, cwd: `${root}/evil` }, ["link"]);
    expect((await memdir(["import", `${root}/evil.tar.gz`])).err).toContain("neither file nor directory");
    expect((await memdir(["export"])).code).toBe(2);
    expect((await memdir(["import"])).code).toBe(2);
  });

  it("refuse an import where a scope of the export may not be written, before anything is", async () => {
    const from = await full();
    await from.memdir(["log", "The vendor moves the API"]);
    const archive = `${from.root}/out.tar.gz`;
    await from.memdir(["export", archive]);
    for (const mode of ["off", "recall-only"]) {
      const to = person("another place");
      await to.memdir(["mode", mode, "--scope", "user"]);
      const before = filesBelow(to.root);
      expect(await to.memdir(["import", archive, "--yes"])).toMatchObject({
        code: 4,
        err: expect.stringContaining("user scope"),
      });
      expect(filesBelow(to.root)).toEqual(before);
    }
  });

  it("take away what an export left that was killed, also where this process has its number", async () => {
    const { root, memdir } = await full();
    fs.mkdirSync(`${root}/out.memdir-${process.pid}/stores`, { recursive: true });
    fs.writeFileSync(`${root}/out.memdir-${process.pid}/stores/half.md`, "half");
    expect(await memdir(["export", `${root}/out`])).toMatchObject({ code: 0 });
    expect(fs.readdirSync(root).filter((name) => name.startsWith("out"))).toEqual(["out"]);
    expect((await memdir(["import", `${root}/out`, "--dry-run"])).code).toBe(0);
  });

  it("say so where nothing can be written", async () => {
    const { root, memdir } = await full();
    fs.mkdirSync(`${root}/locked`, { mode: 0o500 });
    if (process.getuid?.() === 0) fs.writeFileSync(`${root}/file`, "");
    const { code, err } = await memdir([
      "export",
      process.getuid?.() === 0 ? `${root}/file/x.tar.gz` : `${root}/locked/x.tar.gz`,
    ]);
    expect(code).not.toBe(0);
    expect(err).toContain("x.tar.gz");
    expect(err).not.toContain("bug in memdir");
    expect(fs.readdirSync(`${root}/locked`)).toEqual([]);
  });
});
