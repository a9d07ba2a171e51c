import { beforeEach, describe, expect, it } from "vitest";
import { cli, type CliResult, emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;

beforeEach(() => {
  root = scratch();
});

function memdir(...argv: string[]): Promise<CliResult> {
  return cli(argv, { cwd: root, environment: emptyHome(root) });
}

async function bodies(): Promise<string> {
  const { notes } = JSON.parse((await memdir("list", "--json")).out);
  const shown = notes.map(({ file }: { file: string }) => memdir("show", file));
  return (await Promise.all(shown)).map(({ out }: CliResult) => out).join("\n");
}

describe("words that begin with a dash", () => {
  it.each([
    [["remember", "- tabs rather than spaces"], "- tabs rather than spaces"],
    [["remember", "--", "- tabs rather than spaces"], "- tabs rather than spaces"],
    [["remember", "--", "--force", "is dangerous"], "--force is dangerous"],
    [["remember", "--force is dangerous here"], "--force is dangerous here"],
    [["remember", "-x is a flag\nof tar", "--type", "reference"], "-x is a flag\nof tar"],
    [["remember", "--description", "- a list", "text of the note"], "- a list"],
    [["remember", "--description=- a list", "text of the note"], "- a list"],
  ])("are a text where they hold white space or stand after `--`: %j", async (argv, text) => {
    expect((await memdir(...argv)).err).toBe("");
    expect(await bodies()).toContain(text);
  });

  it("are still an option, or a mistake, where they are one word", async () => {
    expect(await memdir("remember", "--froce", "text")).toMatchObject({ code: 2 });
    expect((await memdir("remember", "a text", "--name=two words")).out).toContain("project_two_words.md");
    expect((await memdir("recall", "- tabs rather than spaces")).code).toBe(0);
  });

  it("are refused where the shell gave bytes that are not UTF-8", async () => {
    expect(await memdir("remember", "caf\uFFFD is closed")).toMatchObject({ code: 4, out: "" });
  });
});

describe("version", () => {
  it("is JSON for programs", async () => {
    const plain = (await memdir("version")).out.trim();
    for (const argv of [
      ["version", "--json"],
      ["--version", "--json"],
    ])
      expect(JSON.parse((await memdir(...argv)).out)).toEqual({ version: plain });
  });
});

describe("undo and redo", () => {
  it("say what they did and what comes next", async () => {
    await memdir("remember", "The first fact is about alpacas.", "--name", "alpacas");
    await memdir("remember", "The second fact is about bisons.", "--name", "bisons");
    const undone = await memdir("undo");
    expect(undone.out).toContain("undone: version 2 (remembered)\n  project_bisons.md: removed\n");
    expect(undone.out).toContain("next: `memdir redo` (or undo again) redoes it");
    expect(undone.out).toContain("`memdir undo --steps 1` goes on to version 1 (remembered)");
    const again = await memdir("undo");
    expect(again.out).toContain("redone: version 2 (its undo, version 3, was undone)");
    expect(await bodies()).toContain("bisons");
  });

  it("may be repeated: each names the change, does what the hint of the one before said, and changes the note", async () => {
    await memdir("remember", "The first fact is about alpacas.", "--name", "alpacas");
    expect((await memdir("undo")).out).toContain("undone: version 1 (remembered)");
    for (let round = 0; round < 3; round++) {
      const redone = await memdir("redo");
      expect(redone.out).toContain("redone: version 1 (remembered)");
      expect(await bodies()).toContain("alpacas");
      const undone = await memdir("undo");
      expect(undone.out).toContain("undone: version 1 (remembered)\n  project_alpacas.md: removed\n");
      expect(undone.out).toContain("next: `memdir redo` (or undo again) redoes it");
      expect(await bodies()).toBe("");
    }
    const back = await memdir("undo");
    expect(back.out).toMatch(/^redone: version 1 \(its undo, version \d, was undone\)/u);
    expect(back.out).toContain("next: `memdir undo` undoes it again");
    expect(await memdir("redo")).toMatchObject({ code: 3 });
    expect((await memdir("undo")).out).toContain("undone: version 1 (remembered)");
    expect(await bodies()).toBe("");
  });

  it("go back and forward through several steps, and leave every text as it was", async () => {
    for (const name of ["alpacas", "bisons", "camels"])
      await memdir("remember", `A fact about ${name}.`, "--name", name);
    const before = await bodies();
    await memdir("undo", "--steps", "3");
    expect(await bodies()).toBe("");
    for (const name of ["alpacas", "bisons", "camels"])
      expect((await memdir("redo")).out).toMatch(
        new RegExp(`^redone: version \\d \\(remembered\\)\\n  project_${name}\\.md: there again`, "u"),
      );
    expect(await bodies()).toBe(before);
    expect(await memdir("redo")).toMatchObject({ code: 3, err: expect.stringContaining("nothing to redo") });
  });

  it("say what a redo does to each note: there again, superseded again, changed again", async () => {
    await memdir("remember", "We use npm", "--name", "npm");
    expect((await memdir("remember", "We switched from npm to pnpm", "--name", "pnpm")).out).toContain(
      "restores it and removes the new note",
    );
    expect((await memdir("undo")).out).toMatch(/project_pnpm\.md: removed/u);
    const redone = (await memdir("redo")).out;
    expect(redone).toContain("project_npm.md: superseded again");
    expect(redone).toContain("project_pnpm.md: there again");
    await memdir("undo");
    expect((await memdir("undo")).out).toContain("project_npm.md: superseded again");
    await memdir("edit", "pnpm", "--description", "The package manager");
    await memdir("undo");
    expect((await memdir("redo")).out).toContain("project_pnpm.md: changed again");
  });

  it("say of a note that an undone undo brings back that it is there again", async () => {
    await memdir("remember", "A fact about alpacas.", "--name", "alpacas");
    await memdir("undo");
    expect((await memdir("undo")).out).toMatch(/^redone: .*\n {2}project_alpacas\.md: there again/u);
  });

  it("redo nothing once something else was changed", async () => {
    await memdir("remember", "A fact about alpacas.", "--name", "alpacas");
    await memdir("undo");
    await memdir("remember", "A fact about bisons.", "--name", "bisons");
    expect(await memdir("redo", "--json")).toMatchObject({ code: 3, out: expect.stringContaining("nothing") });
  });

  it("redo the change of one note", async () => {
    await memdir("remember", "A fact about alpacas.", "--name", "alpacas");
    await memdir("edit", "alpacas", "--body", "Another fact.");
    await memdir("undo", "alpacas");
    expect(await bodies()).toContain("A fact about alpacas.");
    expect((await memdir("redo", "alpacas")).code).toBe(0);
    expect(await bodies()).toContain("Another fact.");
  });
});
