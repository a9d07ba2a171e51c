import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { whereIs } from "../../support/every-byte.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

/** A project with notes in two stores, a checkpoint, a mode and a line of the person's own, whose checkout was renamed. */
async function renamedProject() {
  const root = scratch();
  const [old, now] = [`${root}/shop`, `${root}/store`];
  const environment = emptyHome(root);
  fs.mkdirSync(`${old}/.git`, { recursive: true });
  const memdir = (cwd: string, ...argv: readonly string[]) => cli(argv, { environment, cwd });
  await memdir(old, "remember", "--name", "port", "Port 8080");
  await memdir(old, "remember", "--name", "mine", "--scope", "local", "Second disk");
  await memdir(old, "checkpoint", "save", "--name", "importer", "--goal", "One pass");
  await memdir(old, "mode", "confirm");
  const page = [...filesBelow(homeOf(root)).keys()].find((file) => /projects\/.*MEMORY\.md$/u.test(file)) ?? "";
  const own = "- [My own title](project_port.md) — a line of my own\n";
  fs.writeFileSync(`${homeOf(root)}/${page}`, `${own}${fs.readFileSync(`${homeOf(root)}/${page}`, "utf8")}`);
  await memdir(old, "remember", "--name", "disk", "Third disk"); // the page is as memdir leaves it
  fs.renameSync(old, now);
  /** Notes, pages, checkpoints and settings, each with its text. */
  const holds = () =>
    [...filesBelow(homeOf(root))]
      .filter(([file]) => /memory\/[^/]*\.md$|checkpoints\/.*\.md$|settings\.json$/u.test(file))
      .map(([file, bytes]): [string, string] => [file, bytes.toString()])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { root, old, now, memdir: (...argv: readonly string[]) => memdir(now, ...argv), holds };
}

describe("memdir redo after an undone project mv", () => {
  it("moves everything again, as undo took everything back, and so on", async () => {
    const { old, memdir, holds } = await renamedProject();
    const before = holds();
    expect((await memdir("project", "mv", old, "--yes")).code).toBe(0);
    const moved = holds();
    expect(moved.map(([file]) => file)).not.toEqual(before.map(([file]) => file));
    for (let round = 0; round < 2; round++) {
      expect(await memdir("undo")).toMatchObject({ code: 0 });
      expect(holds()).toEqual(before);
      expect(await memdir("redo")).toMatchObject({ code: 0 });
      expect(holds()).toEqual(moved);
    }
    expect((await memdir("project", "undo", "--yes")).code).toBe(0);
    expect(holds()).toEqual(before);
    expect((await memdir("project", "undo", "--yes")).code).toBe(3);
  });

  it("leaves what the person changed since: a line that was taken out stays out", async () => {
    const { root, old, memdir, holds } = await renamedProject();
    await memdir("project", "mv", old, "--yes");
    const pages = () => holds().filter(([file]) => /projects\/.*-store\/memory\/MEMORY\.md$/u.test(file));
    const [[page = "", text = ""] = []] = pages();
    expect(text).toContain("My own title");
    fs.writeFileSync(`${homeOf(root)}/${page}`, text.replace(/^.*My own title.*\n/mu, ""));
    await memdir("undo");
    await memdir("redo");
    expect(pages()).toHaveLength(1);
    expect(JSON.stringify(pages())).not.toContain("My own title");
  });
});

it("what a move of a project keeps to be taken back does not name a note that was forgotten since", async () => {
  const { root, old, memdir } = await renamedProject();
  await memdir("project", "mv", old, "--yes");
  expect(whereIs("project_port", homeOf(root)).join()).toContain("operations");
  expect((await memdir("forget", "port", "--yes")).code).toBe(0);
  expect([whereIs("project_port", homeOf(root)), whereIs("My own title", homeOf(root))]).toEqual([[], []]);
});
