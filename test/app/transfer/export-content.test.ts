import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { exportAll } from "../../../src/app/transfer/export.ts";
import { type LocationOptions, locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { filesBelow, memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";

function machine() {
  const root = scratch(memoryDirectory());
  const home = `${homeOf(root)}/.memdir`;
  const environment = emptyHome(root);
  for (const name of ["shop", "till"]) fs.mkdirSync(`${root}/${name}/.git`, { recursive: true });
  const memdir = (argv: readonly string[], cwd = `${root}/shop`) => cli(argv, { environment, cwd });
  const put = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(`${root}/${file}`), { recursive: true });
    fs.writeFileSync(`${root}/${file}`, text);
  };
  const exported = (target: string, all = false, options: LocationOptions = {}) => {
    const workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment, ...options }));
    try {
      return exportAll(workspace, `${root}/${target}`, { all });
    } finally {
      workspace.close();
    }
  };
  const manifest = (target: string) => JSON.parse(fs.readFileSync(`${root}/${target}/manifest.json`, "utf8"));
  return { root, home, environment, memdir, put, exported, manifest };
}

const SECRETS = {
  apiKey: "1",
  OPENAI_KEY: "1",
  accessToken: "1",
  clientSecret: "1",
  dbPassword: "1",
  approvals: { all: true },
  consents: ["x"],
  registry: "https://me:hunter2@example.com/x",
  proxy: "http://me@example.com",
};

describe("the settings of an export", () => {
  it("hold nothing that is secret by its name or its address, at any depth; the rest comes, sorted", () => {
    const { root, put, exported } = machine();
    const plain = { url: "https://example.com/me@here", mail: "me@example.com", list: ["a"], on: true };
    put(
      "home/.memdir/settings.json",
      JSON.stringify({
        ...SECRETS,
        zoo: { ...plain, ...SECRETS },
        all: [{ ...SECRETS, a: 1 }, "https://me:x@example.com", "b"],
        ...plain,
      }),
    );
    exported("out");
    const sorted = { list: ["a"], mail: plain.mail, on: true, url: plain.url };
    expect(fs.readFileSync(`${root}/out/settings.json`, "utf8")).toBe(
      `${JSON.stringify({ all: [{ a: 1 }, "b"], ...sorted, zoo: sorted }, undefined, 2)}\n`,
    );
  });

  it("are left out where nothing of them may go", () => {
    const { root, put, exported, manifest } = machine();
    put("home/.memdir/settings.json", JSON.stringify(SECRETS));
    expect(exported("out")).toMatchObject({ stores: [], files: 2 });
    expect(fs.existsSync(`${root}/out/settings.json`)).toBe(false);
    expect(Object.keys(manifest("out").files)).toEqual(["README.md"]);
  });
});

describe("an export", () => {
  it("has a store of which only history or logs are left, and none that has nothing; it makes no store", async () => {
    const { home, memdir, exported, manifest } = machine();
    expect(exported("empty").stores).toEqual([]);
    expect(fs.existsSync(`${home}/user`)).toBe(false);
    await memdir(["log", "The vendor moves the API"]);
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    await memdir(["remove", "port"]);
    exported("out");
    expect(
      manifest("out").stores.map(({ scope, notes, versions, logs }: Record<string, unknown>) => [
        scope,
        notes,
        versions,
        logs,
      ]),
    ).toEqual([
      ["project", 0, 2, undefined],
      ["user", 0, 0, 1],
    ]);
  });

  it("has the stores in force here, with what each holds; another's only where all are asked for", async () => {
    const { root, memdir, put, exported, manifest } = machine();
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    await memdir(["edit", "port", "--body", "The importer listens on port 9090"]);
    await memdir(["remember", "--name", "role", "--type", "user", "A data scientist from Brno"]);
    await memdir(["log", "The vendor moves the API in spring"]);
    await memdir(["remember", "--name", "till", "The till rounds to five cents"], `${root}/till`);
    await memdir(["checkpoint", "save", "--name", "importer", "--goal", "One pass"]);
    await memdir(["checkpoint", "save", "--name", "rounding", "--goal", "One cent"], `${root}/till`);
    for (const file of [...filesBelow(`${root}/home`).keys()].filter((name) => /checkpoints\/.*\.md$/u.test(name)))
      for (const other of [`${file}.bak`, `${path.dirname(file)}/deep/${path.basename(file)}`])
        put(`home/${other}`, fs.readFileSync(`${root}/home/${file}`, "utf8"));
    const result = exported("out");
    const [slug = ""] = [manifest("out").here].map(String);
    expect(slug).toContain("shop");
    expect(result.stores).toMatchObject([
      { path: `stores/project/${slug}`, scope: "project", name: slug, notes: 1, versions: 2 },
      { path: "stores/user/user", scope: "user", name: "user", notes: 1, logs: 1 },
    ]);
    expect(result.stores[0]).not.toHaveProperty("logs");
    const files = filesBelow(`${root}/out`);
    expect(result.files).toBe(files.size);
    expect(result.bytes).toBe([...files.values()].reduce((sum, { length }) => sum + length, 0));
    expect([...files.keys()].filter((file) => file.startsWith("checkpoints/"))).toEqual([
      expect.stringMatching(new RegExp(`^checkpoints/${slug}/[^/]*importer[^/]*\\.md$`, "u")),
    ]);
    const all = exported("all", true);
    expect(all.stores.map(({ scope, notes }) => [scope, notes])).toEqual([
      ["project", 1],
      ["project", 1],
      ["user", 1],
    ]);
    const names = [...filesBelow(`${root}/all`).keys()];
    expect(names.filter((file) => /^checkpoints\/.*-till\/[^/]*rounding/u.test(file))).toHaveLength(1);
    expect(names.filter((file) => file.startsWith(`checkpoints/${slug}/`))).toHaveLength(1);
    expect(names.filter((file) => file.startsWith("checkpoints/"))).toHaveLength(2);
    expect(names.some((file) => file.endsWith("project_till.md"))).toBe(true);
    const aside = (): string[] => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith("memdir-export-"));
    const before = aside();
    const packed = exported("out.tgz");
    expect(packed.bytes).toBe(fs.statSync(`${root}/out.tgz`).size);
    expect(packed.stores).toEqual(result.stores);
    exported("again.tar.gz");
    expect(fs.readFileSync(`${root}/again.tar.gz`)).toEqual(fs.readFileSync(`${root}/out.tgz`));
    expect(aside().filter((name) => !before.includes(name))).toEqual([]);
  });

  it("leaves out scopes that are off, stores of other notes, and what is no note", async () => {
    const { root, memdir, put, exported, environment, manifest } = machine();
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    await memdir(["remember", "--name", "role", "--type", "user", "A data scientist from Brno"]);
    const [page = ""] = [...filesBelow(root).keys()].filter((file) => /projects.*MEMORY\.md$/u.test(file));
    const notes = path.dirname(page);
    for (const file of ["image.png", ".hidden.md"]) put(`${notes}/${file}`, "# x\n\nwords\n");
    for (const file of ["2026/11/x.md", "2026/12/2026-11-22.md", "2026/02/2026-02-31.md", "abcd/11/2026-11-22.md"])
      put(`home/.memdir/user/memory/${file}`, "# x\n\nwords\n");
    put("home/.memdir/user/memory/2025/11/2025-11-22.md", "# 2025-11-22\n\n");
    put(`${notes}/deep/er/own.md`, "# Own\n\nwords\n");
    put(`${notes}/team/ours.md`, noteText("ours", "Ours", "ours"));
    const names = (target: string): string[] =>
      [...filesBelow(`${root}/${target}`).keys()].filter((file) => /\/(?:notes|logs)\//u.test(file)).toSorted();
    exported("out");
    const mine = names("out").map((file) => file.replace(/^stores\/(\w+)\/[^/]*\//u, "$1 "));
    expect(mine.filter((file) => file.startsWith("project "))).toEqual([
      "project notes/MEMORY.md",
      "project notes/deep/er/own.md",
      "project notes/project_port.md",
    ]);
    expect(manifest("out").stores).toMatchObject([
      { scope: "project", notes: 2 },
      { scope: "team", notes: 1 },
      { scope: "user", notes: 2, logs: 1 },
    ]);
    expect(mine.filter((file) => file.startsWith("user "))).toEqual([
      "user logs/2025/11/2025-11-22.md",
      "user notes/MEMORY.md",
      "user notes/abcd/11/2026-11-22.md",
      "user notes/user_role.md",
    ]);
    await memdir(["mode", "off", "--scope", "user"]);
    exported("less");
    expect(names("less").some((file) => file.includes("/user/"))).toBe(false);
    expect(names("less").length).toBeGreaterThan(2);
    expect(environment["HOME"]).toContain(root);
  });

  it("keeps two stores of one name apart", async () => {
    const { root, memdir, put, exported } = machine();
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    const [slug = ""] = fs.readdirSync(`${homeOf(root)}/.memdir/projects`);
    put(`home/.claude/projects/${slug}/memory/disk.md`, noteText("disk", "The disk", "The second disk is full"));
    const { stores } = exported("all", true);
    const [first, second] = stores.filter(({ scope }) => scope === "project");
    expect(second?.path).toBe(`${first?.path ?? ""}~2`);
    expect(second?.name).toBe(first?.name);
    expect(stores.filter(({ scope }) => scope === "project").map(({ notes }) => notes)).toEqual([1, 1]);
  });

  it("clears what one left that was killed, and nothing of a process at work or of a person", () => {
    const { root, put, exported } = machine();
    const dead = 2 ** 22 + 1;
    for (const name of [
      `out.memdir-${dead}`,
      `out.memdir-${process.pid}`,
      `out.memdir-${process.ppid}`,
      `my-out.memdir-${dead}`,
      `out.memdir-${dead}.bak`,
    ])
      put(`${name}/x`, "x");
    exported("out");
    expect(
      fs
        .readdirSync(root)
        .filter((name) => name.includes("out"))
        .toSorted(),
    ).toEqual(["out", `out.memdir-${process.ppid}`, `my-out.memdir-${dead}`, `out.memdir-${dead}.bak`].toSorted());
  });

  it.each([
    ["a directory that is not there", "none/out.tar.gz", "not-found"],
    ["a file in the place of a directory", "file/out", "io"],
    ["a file in the place of a directory (packed)", "file/out.tgz", "io"],
  ])("into %s says what is wrong, by the target's name", (_, target, code) => {
    const { root, put, exported } = machine();
    put("file", "x");
    const before = fs.readdirSync(root);
    expect(() => exported(target)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(`${root}/${target} cannot be written`) }),
    );
    expect(fs.readdirSync(root).filter((name) => !before.includes(name) && name !== "home")).toEqual([]);
  });
});
