import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../../../src/app/memory.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { newRepository, type Repository } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";

let root: string;
let repository: Repository;
let options: { cwd: string; environment: Record<string, string | undefined> };
let deletion: string;

beforeEach(async () => {
  root = scratch();
  repository = newRepository(`${root}/orders`);
  options = { cwd: repository.root, environment: emptyHome(root) };
  repository.write("src/importers/csv.ts", "one\n");
  repository.write("src/queue.ts", "two\n");
  repository.commit();
  repository.git("rm", "--quiet", "src/importers/csv.ts");
  deletion = repository.commit();
  await cli(
    [
      "remember",
      "Never change `src/importers/csv.ts` or `src/queue.ts` without the bank: it audits both",
      "--name",
      "importer",
    ],
    options,
  );
});

describe("memdir verify", () => {
  it("prints what is stale in which note, and succeeds", async () => {
    const { code, out } = await cli(["verify"], options);
    expect(code).toBe(0);
    expect(out).toBe(
      `feedback_importer.md\n  gone: src/importers/csv.ts (deleted in ${deletion}, 2026-03-02)\n1 note, 2 claims: 1 gone, 0 renamed, 1 hold, 0 unchecked; \`--all\` shows all\n`,
    );
    expect((await cli(["verify", "importer", "--all"], options)).out).toContain("holds: src/queue.ts");
  });

  it("gives programs every check", async () => {
    expect(JSON.parse((await cli(["verify", "--json"], options)).out)).toMatchObject({
      notes: [
        {
          scope: "project",
          file: "feedback_importer.md",
          checks: [
            { claim: "src/importers/csv.ts", kind: "path", verdict: "gone" },
            { claim: "src/queue.ts", verdict: "holds" },
          ],
        },
      ],
      stale: [{ scope: "project", file: "feedback_importer.md" }],
      counts: { gone: 1, renamed: 0, holds: 1, unchecked: 0 },
    });
  });

  it("leaves notes of a person's own scope alone: they speak of any project", async () => {
    await cli(["remember", "My parser lives in `src/importers/csv.ts`", "--type", "user", "--name", "mine"], options);
    expect(
      JSON.parse((await cli(["verify", "--json"], options)).out).notes.map(({ file }: { file: string }) => file),
    ).toEqual(["feedback_importer.md"]);
  });

  it("has nothing to say without notes", async () => {
    const empty = { ...options, environment: emptyHome(`${root}/nobody`) };
    expect(await cli(["verify"], empty)).toMatchObject({
      code: 0,
      out: "0 notes, 0 claims: 0 gone, 0 renamed, 0 hold, 0 unchecked\n",
    });
  });
});

describe("recall", () => {
  it("shows beside a note what became of what it names, once git has answered", async () => {
    await cli(["verify"], options);
    const { out } = await cli(["recall", "the importer of orders"], options);
    expect(out).toContain(
      `- gone: src/importers/csv.ts (deleted in ${deletion}, 2026-03-02)\n- still there: src/queue.ts\n`,
    );
    expect(
      JSON.parse((await cli(["recall", "the importer of orders", "--json"], options)).out).selected[0].checks,
    ).toHaveLength(2);
  });

  it("checks nothing when told not to, or in a place that has nothing to do with git", async () => {
    const { out } = await cli(["recall", "the importer of orders", "--no-verify"], options);
    expect(out).toContain("src/importers/csv.ts");
    expect(out).not.toContain("Checked now");
    expect(
      JSON.parse((await cli(["recall", "the importer of orders", "--no-verify", "--json"], options)).out).selected[0]
        .checks,
    ).toBeUndefined();
  });

  it("gives a library as much time as it asks for", () => {
    const memory = openMemory(options);
    try {
      const prompt = "the importer of orders";
      expect(memory.recall(prompt, { verify: false }).selected[0]?.checks).toBeUndefined();
      expect(
        memory.recall(prompt, { verify: { budgetMs: 0 } }).selected[0]?.checks?.map(({ verdict }) => verdict),
      ).toEqual(["unchecked", "unchecked"]);
      expect(
        memory.recall(prompt, { verify: { budgetMs: 20_000 } }).selected[0]?.checks?.map(({ verdict }) => verdict),
      ).toEqual(["gone", "holds"]);
      expect(memory.verify("importer").notes[0]?.checks).toHaveLength(2);
    } finally {
      memory.close();
    }
  });

  it("looks at the tree as it is, not as it was", async () => {
    await cli(["verify"], options);
    fs.mkdirSync(`${repository.root}/src/importers`);
    repository.write("src/importers/csv.ts", "again\n");
    expect((await cli(["recall", "the importer of orders"], options)).out).toContain(
      "- still there: src/importers/csv.ts",
    );
  });
});
