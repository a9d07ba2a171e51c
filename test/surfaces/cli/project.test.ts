import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

/** Of `emptyHome`, below its root. */
const HOME = "home";

function machine() {
  const root = scratch();
  const environment = emptyHome(root);
  const checkout = (name: string) => {
    fs.mkdirSync(`${root}/${name}/.git`, { recursive: true });
    return `${root}/${name}`;
  };
  const memdir = (cwd: string, argv: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
    cli(argv, { environment, cwd, ...more });
  const json = async (cwd: string, argv: readonly string[]) => JSON.parse((await memdir(cwd, [...argv, "--json"])).out);
  const names = async (cwd: string) => (await json(cwd, ["list"])).notes.map(({ file }: { file: string }) => file);
  return { root, checkout, memdir, json, names };
}

describe("memdir project", () => {
  it("mv lets notes and history follow a renamed checkout, and takes that back", async () => {
    const { root, checkout, memdir, json, names } = machine();
    const old = checkout("Jané Döe's shop");
    await memdir(old, ["remember", "--name", "port", "Port 8080"]);
    await memdir(old, ["edit", "port", "--body", "Port 9090"]);
    await memdir(old, ["remember", "--name", "mine", "--scope", "local", "Second disk"]);
    const before = await json(old, ["show", "port"]);
    const now = `${root}/Jané Döe's store`;
    fs.renameSync(old, now);
    expect(await names(now)).toEqual(["project_port.md", "project_mine.md"]);
    expect((await memdir(now, ["project", "mv", old, "--dry-run"])).out).toContain("1 moved, 0 already there");
    expect((await json(now, ["show", "port"])).path).toBe(before.path);
    expect((await memdir(now, ["project", "mv", old])).code).toBe(2);
    expect((await memdir(now, ["project", "mv", old], { answer: false })).code).toBe(0);
    expect((await memdir(now, ["project", "mv", old], { answer: true })).code).toBe(0);
    expect(await names(now)).toEqual(["project_port.md", "project_mine.md"]);
    expect((await json(now, ["show", "port", "--version", "1"])).body).toContain("8080");
    const { projects } = await json(now, ["project", "list"]);
    expect(projects).toMatchObject([{ isHere: true, notes: 1 }]);
    expect((await json(now, ["show", "port"])).path).not.toBe(before.path);
    expect((await memdir(now, ["project", "undo", "--yes"])).code).toBe(0);
    expect((await memdir(now, ["project", "undo", "--yes"])).code).not.toBe(0);
    expect(await names(now)).toEqual(["project_port.md", "project_mine.md"]);
    expect(fs.readFileSync(before.path, "utf8")).toContain("Port 9090");
  });

  it("mv carries checkpoints, the mode, settings and one's own lines as one operation with one undo", async () => {
    const { root, checkout, memdir, json, names } = machine();
    const old = checkout("shop");
    await memdir(old, ["remember", "--name", "port", "Port 8080"]);
    await memdir(old, ["remember", "--name", "mine", "--scope", "local", "Second disk"]);
    await memdir(old, ["checkpoint", "save", "--name", "importer", "--goal", "One pass", "--next", "measure"]);
    await memdir(old, ["mode", "confirm"]);
    await memdir(old, ["mode", "--capture-to", "log"]);
    await memdir(old, ["group", "add", "shops"]);
    const page = path.join(path.dirname((await json(old, ["show", "port"])).path), "MEMORY.md");
    fs.appendFileSync(page, "- a line of my own\n");
    const now = `${root}/store`;
    fs.renameSync(old, now);
    const before = filesBelow(`${root}/${HOME}`);
    const state = async () => ({
      mode: (await json(now, ["mode"])).modes.project.mode,
      captureTo: (await json(now, ["mode"])).captureTo,
      group: (await json(now, ["group"])).groups,
      checkpoints: (await json(now, ["checkpoint", "list"])).length,
      notes: await names(now),
      lines: fs.readFileSync(path.join(path.dirname((await json(now, ["show", "port"])).path), "MEMORY.md"), "utf8"),
    });
    const followed = await state();
    expect(followed).toMatchObject({ mode: "confirm", captureTo: "log", checkpoints: 1 });
    expect(followed.notes).toEqual(["project_port.md", "project_mine.md"]);
    const { operation, transfers } = await json(now, ["project", "mv", old, "--yes"]);
    expect(transfers).toHaveLength(2);
    const settings = () => fs.readFileSync(`${root}/${HOME}/.memdir/settings.json`, "utf8");
    expect(settings()).not.toContain(`${old}"`);
    expect(settings()).toContain(`${now}"`);
    const moved = await state();
    expect(moved).toMatchObject({ mode: "confirm", captureTo: "log", checkpoints: 1, notes: followed.notes });
    expect(moved.lines).toContain("- a line of my own");
    const places = [...filesBelow(`${root}/${HOME}/.memdir`).keys()].filter((file) =>
      /checkpoints\/.*\.md$/u.test(file),
    );
    expect(places).toEqual([expect.stringContaining("-store/")]);
    expect((await memdir(now, ["project", "undo", operation, "--yes"])).code).toBe(0);
    expect(await state()).toMatchObject({ ...followed, lines: expect.stringContaining("- a line of my own") });
    expect(settings()).toBe(before.get(".memdir/settings.json")?.toString());
    const kept = [...before].filter(([file]) => /checkpoints\/.*\.md$|memory\/project_.*\.md$/u.test(file));
    expect(kept.length).toBeGreaterThan(2);
    for (const [file, bytes] of kept) expect(fs.readFileSync(`${root}/${HOME}/${file}`)).toEqual(bytes);
  });

  it("a mode that was set goes with a renamed checkout, not with what comes to its place", async () => {
    const { root, checkout, memdir, json } = machine();
    const old = checkout("shop");
    await memdir(old, ["remember", "--name", "port", "Port 8080"]);
    await memdir(old, ["mode", "off"]);
    fs.renameSync(old, `${root}/store`);
    const modeIn = async (cwd: string) => (await json(cwd, ["mode"])).modes.project.mode;
    expect(await modeIn(`${root}/store`)).toBe("off");
    expect((await memdir(`${root}/store`, ["recall", "which port?"])).out).not.toContain("8080");
    await memdir(`${root}/store`, ["mode", "manual"]);
    expect(await modeIn(`${root}/store`)).toBe("manual");
    await memdir(`${root}/store`, ["mode", "default"]);
    expect(await modeIn(`${root}/store`)).toBe("auto");
  });

  it("a mode that was set before there was any note goes with a renamed checkout too", async () => {
    const { root, checkout, memdir, json } = machine();
    const old = checkout("shop");
    await memdir(old, ["mode", "off"]);
    fs.renameSync(old, `${root}/store`);
    expect((await json(`${root}/store`, ["mode"])).modes.project.mode).toBe("off");
  });

  it("a clone of a repository that has notes elsewhere is told so by recall and remember, in one line", async () => {
    const { checkout, memdir, names } = machine();
    const [one, two] = [checkout("one"), checkout("two")];
    for (const cwd of [one, two])
      fs.writeFileSync(`${cwd}/.git/config`, '[remote "origin"]\n\turl = https://me@example.com/shop.git\n');
    await memdir(one, ["remember", "--name", "port", "Port 8080"]);
    for (const argv of [
      ["recall", "which port?"],
      ["remember", "--name", "disk", "Second disk"],
    ]) {
      const { err } = await memdir(two, argv);
      expect(err.match(/1 note of this project is in .*memdir link/gu)).toHaveLength(1);
    }
    expect(await names(two)).toEqual(["project_disk.md"]);
    expect((await memdir(one, ["recall", "which port?"])).err).toBe("");
  });

  it("notes that stayed under the old name are spoken of until they are brought in, also after the first new one", async () => {
    const { root, checkout, memdir, json, names } = machine();
    const old = checkout("shop");
    await memdir(old, ["remember", "--name", "port", "Port 8080"]);
    const now = `${root}/store`;
    fs.renameSync(old, now);
    const there = path.dirname((await json(now, ["show", "port"])).path).replace(/-shop(?=\/memory)/u, "-store");
    fs.mkdirSync(there, { recursive: true });
    fs.writeFileSync(`${there}/project_own.md`, "# Own\n\nWritten by the client\n");
    expect(await names(now)).toEqual(["project_own.md"]);
    const { err } = await memdir(now, ["remember", "--name", "disk", "Second disk"]);
    const remedy = /`memdir (project merge) '([^']+)'`/u.exec(err);
    expect((await memdir(now, [...(remedy?.[1]?.split(" ") ?? []), remedy?.[2] ?? "", "--yes"])).code).toBe(0);
    expect((await names(now)).toSorted()).toEqual(["project_disk.md", "project_own.md", "project_port.md"]);
    expect((await memdir(now, ["recall", "which port?"])).err).toBe("");
  });

  it("merge keeps the same text once and both of two texts, and mv refuses where notes are", async () => {
    const { checkout, memdir, json, names } = machine();
    const one = checkout("one");
    const two = checkout("two");
    for (const cwd of [one, two]) fs.writeFileSync(`${cwd}/note.txt`, "");
    await memdir(one, ["remember", "--name", "port", "Port 8080"]);
    await memdir(two, ["remember", "--name", "port", "Port 9090"]);
    await memdir(one, ["remember", "--name", "only", "Only in one"]);
    const here = await json(two, ["show", "port"]);
    const from = await json(one, ["show", "only"]);
    fs.copyFileSync(from.path, here.path.replace("project_port.md", "project_only.md"));
    expect((await memdir(two, ["project", "mv", one, "--yes"])).code).toBe(5);
    const { plan } = await json(two, ["project", "merge", one, "--yes"]);
    expect(plan).toMatchObject([
      { moved: [], known: ["project_only.md"], both: [{ file: "project_port.md", as: "project_port_2.md" }] },
    ]);
    expect((await names(two)).toSorted()).toEqual(["project_only.md", "project_port.md", "project_port_2.md"]);
    expect(await names(one)).toEqual([]);
    expect((await memdir(two, ["project", "undo", "--yes"])).code).toBe(0);
    expect((await names(one)).toSorted()).toEqual(["project_only.md", "project_port.md"]);
    expect((await names(two)).toSorted()).toEqual(["project_only.md", "project_port.md"]);
  });

  it("split sends the notes that are about something to another project", async () => {
    const { checkout, memdir, names } = machine();
    const shop = checkout("shop");
    const till = checkout("till");
    await memdir(shop, ["remember", "--name", "rounding", "The till rounds to five cents"]);
    await memdir(shop, ["remember", "--name", "port", "Port 8080"]);
    expect((await memdir(shop, ["project", "split", "till", till, "--yes"])).code).toBe(0);
    expect(await names(till)).toEqual(["project_rounding.md"]);
    expect(await names(shop)).toEqual(["project_port.md"]);
    expect((await memdir(shop, ["project", "split", "nothing at all", till, "--yes"])).code).toBe(3);
    expect((await memdir(shop, ["project", "split", "till"])).code).toBe(2);
  });

  it("says in doctor, status and project doctor what stayed behind when Claude Code came, and mends it", async () => {
    const { root, checkout, memdir, json, names } = machine();
    const shop = checkout("shop");
    await memdir(shop, ["remember", "--name", "port", "Port 8080"]);
    expect((await memdir(shop, ["project", "doctor"])).out).toContain("every project has its notes in one place");
    fs.mkdirSync(`${root}/${HOME}/.claude`);
    expect((await memdir(shop, ["status"])).out).toContain("Claude Code does not see them");
    expect((await memdir(shop, ["doctor"])).out).toContain("memdir project merge");
    const { findings } = await json(shop, ["project", "doctor"]);
    expect(findings).toMatchObject([{ kind: "stayed-behind" }]);
    const directory = /'(.+)'$/u.exec(findings[0].remedy)?.[1] ?? "";
    expect((await memdir(shop, ["project", "merge", directory, "--yes"])).code).toBe(0);
    expect([...filesBelow(`${root}/${HOME}/.claude`).keys()].some((file) => file.endsWith("project_port.md"))).toBe(
      true,
    );
    expect(await names(shop)).toEqual(["project_port.md"]);
    expect((await memdir(shop, ["status"])).out).not.toContain("does not see them");
    expect((await memdir(shop, ["project", "doctor"])).code).toBe(0);
    await memdir(shop, ["remember", "--name", "later", "In Claude Code's place"]);
    fs.writeFileSync(`${directory}/project_again.md`, "# Again\n\nWritten here again\n");
    expect((await json(shop, ["project", "doctor"])).findings).toMatchObject([{ kind: "two-stores" }]);
  });

  it("refuses what it does not know", async () => {
    const { checkout, memdir } = machine();
    const shop = checkout("shop");
    expect((await memdir(shop, ["project", "frobnicate"])).code).toBe(2);
    expect((await memdir(shop, ["project", "mv"])).code).toBe(2);
    expect((await memdir(shop, ["project", "merge", "/no/such/place", "--yes"])).code).toBe(3);
    expect((await memdir(shop, ["project", "undo", "--yes"])).code).toBe(3);
  });
});
