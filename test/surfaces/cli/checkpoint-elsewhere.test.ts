import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { newRepository, type Repository } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
let shop: Repository;

beforeEach(() => {
  root = scratch();
  shop = newRepository(`${root}/Jané Döe's shop`);
  shop.write("src/import.ts", "one\n");
  shop.commit("first");
});

const memdir = async (cwd: string, ...argv: readonly string[]): Promise<string> =>
  (await cli(["checkpoint", ...argv], { environment: emptyHome(root), cwd })).out;
const save = (cwd = shop.root): Promise<string> =>
  memdir(cwd, "save", "--name", "importer", "--goal", "one pass", "--next", "port the retry");
const restored = (cwd = shop.root): Promise<string> => memdir(cwd, "restore", "importer");

describe("restoring a checkpoint says what became of", () => {
  it("a branch that is gone, with its commit here after a merge or lost", async () => {
    shop.git("switch", "--quiet", "-c", "retry");
    shop.write("src/retry.ts", "retry\n");
    shop.commit("Port the retry");
    await save();
    shop.git("switch", "--quiet", "main");
    expect(await restored()).toMatch(
      /- the branch was retry and is main\n- commit [0-9a-f]{10} is not in the present history \(it is on retry\); not here:\n {2}[0-9a-f]+ Port the retry/u,
    );
    shop.git("branch", "--quiet", "-D", "retry");
    expect(await restored()).toMatch(
      /there is no branch retry here now\n- commit [0-9a-f]{10} is not in the present history \(its branch retry is gone\)/u,
    );
    shop.git("merge", "--quiet", "HEAD@{1}");
    const merged = await restored();
    expect(merged).toContain("there is no branch retry here now");
    expect(merged).not.toContain("not in the present history");
  });

  it("a commit that was rebased away, and which one took its place", async () => {
    shop.git("switch", "--quiet", "-c", "retry");
    shop.write("src/retry.ts", "retry\n");
    shop.commit("Port the retry");
    await save();
    shop.git("switch", "--quiet", "main");
    shop.write("src/batch.ts", "400\n");
    shop.commit("Smaller batches");
    shop.git("switch", "--quiet", "retry");
    shop.git("rebase", "--quiet", "main");
    expect(await restored()).toMatch(
      /\(retry was rebased or reset\); not here:\n {2}([0-9a-f]+) Port the retry \(here as [0-9a-f]+\)\n- 2 commits here and not there:/u,
    );
  });

  it("a stash that was dropped, applied, or is not the newest any more", async () => {
    shop.write("src/import.ts", "stashed\n");
    shop.git("stash", "--quiet");
    shop.git("pack-refs", "--all");
    await save();
    expect(await restored()).toContain("Nothing changed in the repository since.");
    shop.write("src/import.ts", "stashed later\n");
    shop.git("stash", "--quiet");
    expect(await restored()).toMatch(/- stash [0-9a-f]{10} is no longer the newest/u);
    shop.git("stash", "drop", "--quiet", "stash@{1}");
    expect(await restored()).toMatch(
      /- stash [0-9a-f]{10} is not here: it was applied or dropped, or lies on another machine/u,
    );
  });

  it("a changed file that was committed since", async () => {
    shop.write("src/import.ts", "two\n");
    await save();
    shop.commit("Two");
    expect(await restored()).toContain("- src/import.ts was modified and is committed as it was");
  });

  it("what is uncommitted in the worktree it was saved in", async () => {
    const other = `${root}/other worktree`;
    shop.git("worktree", "add", "--quiet", "-b", "other", other);
    shop.write("src/import.ts", "two\n");
    shop.write("notes.txt", "same\n");
    await save();
    fs.writeFileSync(`${other}/notes.txt`, "same\n");
    const text = await restored(other);
    expect(text).toContain("- the branch was main and is other");
    expect(text).toContain(`- the checkpoint was saved in another checkout (${fs.realpathSync(shop.root)})`);
    expect(text).toContain("- uncommitted there and not here: src/import.ts (modified, still so)");
    expect(text).toContain("- uncommitted there and the same here: notes.txt");
    expect(text).toContain("- uncommitted here: notes.txt (untracked)");
    shop.commit("Two");
    expect(await restored(other)).toContain("src/import.ts (modified, no longer so)");
    expect(text).not.toContain("gone");
  });

  it("a commit that another machine never had", async () => {
    shop.write("src/import.ts", "two\n");
    await save();
    const [file = ""] = execFileSync("find", [`${homeOf(root)}/.memdir/checkpoints`, "-name", "*.md"], {
      encoding: "utf8",
    })
      .trim()
      .split("\n");
    const there = newRepository(`${root}/laptop/shop`);
    there.write("src/import.ts", "elsewhere\n");
    there.commit("another beginning");
    fs.copyFileSync(file, `${root}/laptop/from-home.md`);
    const text = await memdir(there.root, "restore", "../from-home.md");
    expect(text).toMatch(
      /commit [0-9a-f]{10} of the checkpoint is not known here \(it was never fetched, or is gone since it was rebased\); here is [0-9a-f]{10}/u,
    );
    expect(text).toContain("- uncommitted there and not here: src/import.ts (modified)");
    expect(text).not.toMatch(/src\/import\.ts was modified and is/u);
  });

  it("the repository itself", async () => {
    await save();
    fs.rmSync(`${shop.root}/.git`, { recursive: true });
    const [file = ""] = execFileSync("find", [`${homeOf(root)}/.memdir/checkpoints`, "-name", "*.md"], {
      encoding: "utf8",
    })
      .trim()
      .split("\n");
    expect(await memdir(shop.root, "restore", file)).toContain("there is no git repository here now");
  });
});

describe("a checkpoint file from another machine", () => {
  const fileOf = async (): Promise<string> => {
    await save();
    const [file = ""] = execFileSync("find", [`${homeOf(root)}/.memdir/checkpoints`, "-name", "*.md"], {
      encoding: "utf8",
    })
      .trim()
      .split("\n");
    return file;
  };
  const laptop = (): string => {
    const there = newRepository(`${root}/laptop/shop`);
    there.write("src/import.ts", "elsewhere\n");
    there.commit("another beginning");
    return there.root;
  };

  it("is gone on with after it was restored, whatever other tasks are here", async () => {
    const file = await fileOf();
    const there = laptop();
    await memdir(there, "save", "--name", "till", "--goal", "round to five cents", "--next", "ask jane");
    fs.copyFileSync(file, `${there}/../from-home.md`);
    await memdir(there, "restore", "../from-home.md");
    expect(await memdir(there, "list")).toMatch(/importer .*port the retry/u);
    await memdir(there, "save", "--done", "again");
    expect(JSON.parse(await memdir(there, "show", "--json"))).toMatchObject({
      name: "importer",
      sections: { goal: "one pass", next: "- port the retry", done: "- again" },
    });
    await memdir(there, "restore", "../from-home.md");
    expect(JSON.parse(await memdir(there, "list", "--json"))).toHaveLength(3);
  });

  it("is gone on with where a task of the same name stands further", async () => {
    const file = await fileOf();
    const there = laptop();
    await memdir(there, "save", "--name", "importer", "--goal", "something else", "--next", "ask jane");
    await memdir(there, "restore", file);
    await memdir(there, "save", "--done", "again");
    expect(JSON.parse(await memdir(there, "show", "--json")).sections.goal).toBe("one pass");
  });

  it("is shown and not kept where it has a secret", async () => {
    const file = await fileOf();
    const there = laptop();
    fs.writeFileSync(
      `${there}/leaky.md`,
      `${fs.readFileSync(file, "utf8")}\nThe key is ${["AKIA", "Q3EGRTLZ5WMN7XKD"].join("")}\n`,
    );
    const { out, err } = await cli(["checkpoint", "restore", "leaky.md"], { environment: emptyHome(root), cwd: there });
    expect(out).toContain("port the retry");
    expect(err).toContain("does not keep it");
    expect(JSON.parse(await memdir(there, "list", "--json"))).toEqual([]);
  });
});

describe("memdir checkpoint dismiss", () => {
  it("keeps the checkpoint and says so", async () => {
    await save();
    expect(await memdir(shop.root, "dismiss")).toMatch(/^dismissed: [0-9a-f]{10} \(importer\)/u);
    expect(JSON.parse(await memdir(shop.root, "dismiss", "importer", "--json"))).toEqual({
      dismissed: expect.stringMatching(/^[0-9a-f]{10}$/u),
    });
    expect(await restored()).toContain("port the retry");
  });

  it("takes the task that sessions hear of, one after the other, and says when there is none", async () => {
    const run = (...argv: readonly string[]) =>
      cli(["checkpoint", ...argv], { environment: emptyHome(root), cwd: shop.root });
    await save();
    await memdir(shop.root, "save", "--name", "till", "--goal", "round", "--next", "ask jane");
    await memdir(shop.root, "save", "--name", "idea", "--goal", "nothing to do next");
    expect(await memdir(shop.root, "dismiss")).toContain("(till)");
    expect(await memdir(shop.root, "dismiss")).toContain("(importer)");
    const { code, err } = await run("dismiss");
    expect(code).toBe(3);
    expect(err).toContain("sessions hear of no unfinished task here");
  });

  it("and restore are marked in the list, and what was dismissed is not gone on with", async () => {
    await save();
    await memdir(shop.root, "save", "--name", "till", "--goal", "round", "--next", "ask jane");
    await memdir(shop.root, "save", "--name", "idea", "--goal", "later");
    await memdir(shop.root, "restore", "importer");
    await memdir(shop.root, "dismiss", "till");
    const rows = await memdir(shop.root, "list");
    expect(rows).toMatch(/ importer \(restored\) /u);
    expect(rows).toMatch(/ till \(dismissed\) /u);
    expect(rows).toMatch(/ idea {2}/u);
    const marks = JSON.parse(await memdir(shop.root, "list", "--json")).map(
      ({ name, mark }: { name: string; mark?: string }) => [name, mark],
    );
    expect(marks).toEqual([
      ["idea", undefined],
      ["till", "dismissed"],
      ["importer", "restored"],
    ]);
    expect(await memdir(shop.root, "save", "--done", "again")).toContain("(importer");
  });
});
