import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { gitIn, newRepository, type Repository } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";
import { treeOf, verdicts } from "./tree.ts";

const TEXT = Array.from({ length: 40 }, (_, line) => `const line${line} = ${line};`).join("\n");

let scratchRoot: string;
let home: string;
let repository: Repository;
const check = (note: string, cwd = repository.root, budgetMs?: number): Record<string, string> =>
  verdicts(note, cwd, home, budgetMs);

beforeEach(() => {
  scratchRoot = scratch();
  home = `${scratchRoot}/home`;
  repository = newRepository(`${scratchRoot}/orders`);
});

describe("a path that a note names", () => {
  it("holds where it is, also under the directory that the note left out", () => {
    repository.write("src/core/csv.ts", TEXT);
    repository.commit();
    expect(check("See `src/core/csv.ts`, `core/csv.ts`, `csv.ts` and `src/core/`.")).toEqual({
      "src/core/csv.ts": "holds",
      "core/csv.ts": "holds: at src/core/csv.ts",
      "csv.ts": "holds: at src/core/csv.ts",
      "src/core/": "holds",
    });
  });

  it("holds while it is not committed, not even added", () => {
    repository.write("src/new.ts", TEXT);
    expect(check("See `src/new.ts`.")).toEqual({ "src/new.ts": "holds" });
  });

  it("is renamed to the end of a chain of renames, edits on the way included", () => {
    repository.write("src/a.ts", TEXT);
    repository.commit();
    repository.git("mv", "src/a.ts", "src/b.ts");
    repository.write("src/b.ts", `${TEXT}\nconst more = 1;\n`);
    repository.commit();
    repository.git("mv", "src/b.ts", "src/c.ts");
    const last = repository.commit();
    expect(check("See `src/a.ts` and `src/b.ts`.")).toEqual({
      "src/a.ts": `renamed: src/c.ts (${last}, 2026-03-02)`,
      "src/b.ts": `renamed: src/c.ts (${last}, 2026-03-02)`,
    });
  });

  it("is gone with the commit and day of its deletion, at the end of a chain too", () => {
    repository.write("src/a.ts", TEXT);
    repository.write("src/importers/csv.ts", "export const unlike = 1;\n");
    repository.commit();
    repository.git("mv", "src/a.ts", "src/b.ts");
    repository.commit();
    repository.git("rm", "--quiet", "src/b.ts", "src/importers/csv.ts");
    const last = repository.commit();
    expect(check("See `src/a.ts`, `src/importers/csv.ts` and `src/importers/`.")).toEqual({
      "src/a.ts": `gone: src/b.ts deleted in ${last}, 2026-03-02`,
      "src/importers/csv.ts": `gone: deleted in ${last}, 2026-03-02`,
      "src/importers/": `gone: deleted in ${last}, 2026-03-02`,
    });
  });

  it("holds again when it was made again", () => {
    repository.write("src/a.ts", TEXT);
    repository.commit();
    repository.git("rm", "--quiet", "src/a.ts");
    repository.commit();
    expect(check("See `src/a.ts`.")["src/a.ts"]).toMatch(/^gone/u);
    repository.write("src/a.ts", "new\n");
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": "holds" });
    repository.commit();
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": "holds" });
  });

  it("follows a directory whose files all went to one place", () => {
    for (const name of ["one", "two"]) repository.write(`src/importers/${name}.ts`, `${name}\n${TEXT}`);
    repository.commit();
    repository.git("mv", "src/importers", "src/readers");
    const last = repository.commit();
    expect(check("They are in `src/importers/`.")).toEqual({
      "src/importers/": `renamed: src/readers/ (${last}, 2026-03-02)`,
    });
  });

  it("follows a directory to the end of a chain of renames, whether or not its end is committed", () => {
    for (const name of ["one", "two"]) repository.write(`src/importers/${name}.ts`, `${name}\n${TEXT}`);
    repository.commit();
    repository.git("mv", "src/importers", "src/readers");
    const first = repository.commit();
    fs.rmSync(`${repository.root}/src/readers`, { recursive: true });
    expect(check("They are in `src/importers/`.")).toEqual({
      "src/importers/": "gone: src/readers/ deleted, not committed yet",
    });
    repository.git("reset", "--quiet", "--hard");
    expect(check("They are in `src/importers/`.")).toEqual({
      "src/importers/": `renamed: src/readers/ (${first}, 2026-03-02)`,
    });
    repository.git("mv", "src/readers", "src/parsers");
    expect(check("They are in `src/importers/`.")).toEqual({
      "src/importers/": "renamed: src/parsers/ (not committed yet)",
    });
    const second = repository.commit();
    expect(check("They are in `importers/`.")).toEqual({
      "importers/": `renamed: src/parsers/ (${second}, 2026-03-02)`,
    });
    fs.rmSync(`${repository.root}/src/parsers`, { recursive: true });
    expect(check("They are in `src/importers/`.")).toEqual({
      "src/importers/": "gone: src/parsers/ deleted, not committed yet",
    });
    const last = repository.commit();
    expect(check("They are in `src/importers/`.")).toEqual({
      "src/importers/": `gone: src/parsers/ deleted in ${last}, 2026-03-02`,
    });
  });

  it("is gone, or renamed once more, when a commit renamed it and what came after is not committed", () => {
    for (const name of ["a", "b", "c"]) repository.write(`src/${name}.ts`, `${name}\n${TEXT}`);
    repository.commit();
    for (const name of ["a", "b", "c"]) repository.git("mv", `src/${name}.ts`, `src/new-${name}.ts`);
    repository.commit();
    fs.rmSync(`${repository.root}/src/new-a.ts`);
    repository.git("rm", "--quiet", "src/new-b.ts");
    fs.renameSync(`${repository.root}/src/new-c.ts`, `${repository.root}/src/newest-c.ts`);
    expect(check("See `src/a.ts`, `src/b.ts` and `src/c.ts`.")).toEqual({
      "src/a.ts": "gone: src/new-a.ts deleted, not committed yet",
      "src/b.ts": "gone: src/new-b.ts deleted, not committed yet",
      "src/c.ts": "renamed: src/newest-c.ts (not committed yet)",
    });
  });

  it("is renamed when that is not committed, staged or only moved", () => {
    for (const name of ["a", "b", "c"]) repository.write(`src/${name}.ts`, `${name}\n${TEXT}`);
    repository.commit();
    repository.git("mv", "src/a.ts", "src/staged.ts");
    fs.renameSync(`${repository.root}/src/b.ts`, `${repository.root}/src/moved.ts`);
    fs.rmSync(`${repository.root}/src/c.ts`);
    expect(check("See `src/a.ts`, `src/b.ts` and `src/c.ts`.")).toEqual({
      "src/a.ts": "renamed: src/staged.ts (not committed yet)",
      "src/b.ts": "renamed: src/moved.ts (not committed yet)",
      "src/c.ts": "gone: deleted, not committed yet",
    });
  });

  it("is unchecked when git has no trace of it: it may be another project's", () => {
    repository.write("src/a.ts", TEXT);
    repository.commit();
    expect(check("See `src/never.ts`.")).toEqual({ "src/never.ts": "unchecked: not here, and git has no trace of it" });
  });

  it("is never looked for outside the project", () => {
    repository.write("src/a.ts", TEXT);
    repository.commit();
    fs.writeFileSync(`${scratchRoot}/secret.ts`, "");
    fs.symlinkSync(scratchRoot, `${repository.root}/src/out`);
    fs.symlinkSync("src/a.ts", `${repository.root}/inner.ts`);
    fs.symlinkSync("loop.ts", `${repository.root}/loop.ts`);
    expect(check("See `src/out/secret.ts`, `inner.ts` and `loop.ts`.")).toEqual({
      "src/out/secret.ts": "unchecked: outside the project",
      "inner.ts": "holds",
      "loop.ts": "unchecked: outside the project",
    });
    const paths = ["../secret.ts", `${scratchRoot}/secret.ts`, "src/../../secret.ts", ".git/config"];
    const facts = treeOf(repository.root, home).ask(
      { paths, words: [], scripts: [], packages: [], branches: [] },
      20_000,
    ).paths;
    expect(paths.map((one) => facts.get(one)?.state)).toEqual(["outside", "outside", "outside", "outside"]);
  });

  it("may have spaces, letters of any language, and characters that mean something to git", () => {
    repository.write("docs/Jané Döe/notes.md", TEXT);
    repository.write("app/[slug]/page.tsx", TEXT);
    repository.write(Buffer.from("latin-\xe9.ts", "latin1").toString("latin1"), TEXT);
    repository.commit();
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${repository.root}/src-`), Buffer.from([0xe9]), Buffer.from(".ts")]),
      "not UTF-8",
    );
    repository.commit();
    repository.git("rm", "-r", "--quiet", "docs", "app");
    const last = repository.commit();
    expect(check("See `docs/Jané Döe/notes.md` and `app/[slug]/page.tsx`.")).toEqual({
      "docs/Jané Döe/notes.md": `gone: deleted in ${last}, 2026-03-02`,
      "app/[slug]/page.tsx": `gone: deleted in ${last}, 2026-03-02`,
    });
  });

  it("is meant from where the person stands, too", () => {
    repository.write("packages/web/src/a.ts", TEXT);
    repository.commit();
    expect(check("See `src/a.ts`.", `${repository.root}/packages/web`)).toEqual({
      "src/a.ts": "holds: at packages/web/src/a.ts",
    });
  });
});

describe("any kind of checkout", () => {
  const deleteOne = (): string => {
    repository.write("src/a.ts", TEXT);
    repository.write("src/b.ts", `${TEXT}\nb\n`);
    repository.commit();
    repository.git("rm", "--quiet", "src/a.ts");
    return repository.commit();
  };

  it("answers with a detached HEAD, of that commit's past", () => {
    const last = deleteOne();
    repository.git("checkout", "--quiet", "--detach", "HEAD");
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": `gone: deleted in ${last}, 2026-03-02` });
    repository.git("checkout", "--quiet", "HEAD~1");
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": "holds" });
  });

  it("answers with packed refs", () => {
    const last = deleteOne();
    repository.git("pack-refs", "--all");
    repository.git("gc", "--quiet");
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": `gone: deleted in ${last}, 2026-03-02` });
  });

  it("answers in a worktree from that worktree", () => {
    const last = deleteOne();
    repository.git("worktree", "add", "--quiet", `${scratchRoot}/other`, "HEAD~1");
    expect(check("See `src/a.ts`.", `${scratchRoot}/other`)).toEqual({ "src/a.ts": "holds" });
    gitIn(`${scratchRoot}/other`).git("checkout", "--quiet", "--detach", "main");
    expect(check("See `src/a.ts`.", `${scratchRoot}/other/src`)).toEqual({
      "src/a.ts": `gone: deleted in ${last}, 2026-03-02`,
    });
  });

  it("answers in a submodule from the submodule, and beside one from the repository around it", () => {
    const last = deleteOne();
    const outer = newRepository(`${scratchRoot}/outer`);
    outer.git("submodule", "--quiet", "add", repository.root, "vendor/orders");
    outer.commit();
    expect(check("See `src/a.ts`.", `${outer.root}/vendor/orders`)).toEqual({
      "src/a.ts": `gone: deleted in ${last}, 2026-03-02`,
    });
    expect(check("See `vendor/orders/src/b.ts` and `src/a.ts`.", outer.root)).toEqual({
      "vendor/orders/src/b.ts": "holds",
      "src/a.ts": "unchecked: not here, and git has no trace of it",
    });
  });

  it("says nothing of what a shallow clone cannot know", () => {
    deleteOne();
    repository.commit("later");
    gitIn(scratchRoot).git("clone", "--quiet", "--depth=1", `file://${repository.root}`, "shallow");
    expect(check("See `src/a.ts` and `src/b.ts`.", `${scratchRoot}/shallow`)).toEqual({
      "src/a.ts": "unchecked",
      "src/b.ts": "holds",
    });
  });

  it("says nothing of files that a sparse checkout leaves out", () => {
    repository.write("keep/a.ts", TEXT);
    repository.write("skip/b.ts", TEXT);
    repository.commit();
    repository.git("sparse-checkout", "set", "--no-cone", "/keep/");
    expect(fs.existsSync(`${repository.root}/skip/b.ts`)).toBe(false);
    expect(check("See `skip/b.ts`.")).toEqual({ "skip/b.ts": "holds: at skip/b.ts" });
  });

  it("answers in an empty repository and in one whose first commit is not made", () => {
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": "unchecked" });
    repository.write("src/a.ts", TEXT);
    repository.git("add", ".");
    expect(check("See `src/a.ts`.")).toEqual({ "src/a.ts": "holds" });
  });

  it("answers without git: there is, or the directory it starts with is here without it", () => {
    const plain = `${scratchRoot}/plain`;
    fs.mkdirSync(`${plain}/src`, { recursive: true });
    fs.writeFileSync(`${plain}/src/a.ts`, "");
    expect(check("See `src/a.ts`, `src/b.ts`, `lib/c.ts` and `d.ts`.", plain)).toEqual({
      "src/a.ts": "holds",
      "src/b.ts": "gone: not in the project",
      "lib/c.ts": "unchecked",
      "d.ts": "unchecked",
    });
  });

  it("answers where a repository has no git to ask", () => {
    deleteOne();
    const facts = treeOf(repository.root, home, { PATH: `${scratchRoot}/nothing` }).ask(
      { paths: ["src/a.ts", "src/b.ts"], words: ["line1"], scripts: [], packages: [], branches: ["main"] },
      20_000,
    );
    expect([
      facts.paths.get("src/a.ts"),
      facts.paths.get("src/b.ts"),
      facts.words.size,
      facts.branches.get("main"),
    ]).toEqual([undefined, { state: "here" }, 0, { state: "here" }]);
  });
});

describe("time", () => {
  it("is never spent when there is none: everything is unchecked", () => {
    repository.write("src/a.ts", TEXT);
    repository.commit();
    expect(check("See `src/a.ts`, `line1()` and branch `main`.", repository.root, 0)).toEqual({
      "src/a.ts": "unchecked: not checked yet",
      line1: "unchecked: not checked yet",
      main: "unchecked: not checked yet",
    });
    expect(fs.existsSync(home)).toBe(false);
  });

  it("is kept in a repository of 5,000 files, and what there was no time for is unchecked or right", () => {
    for (let file = 0; file < 5000; file++)
      repository.write(`src/d${file % 50}/file${file}.ts`, `export const value${file} = ${file};\n`);
    repository.commit();
    repository.git("rm", "--quiet", "src/d1/file1.ts");
    repository.commit();
    const started = performance.now();
    const facts = check(
      "See `src/d1/file1.ts`, `src/d2/file2.ts`, `value7_x` and `fileThatNeverWas()`.",
      repository.root,
      40,
    );
    expect(performance.now() - started, "the budget and what ending a process takes on a busy machine").toBeLessThan(
      1000,
    );
    expect(facts["src/d1/file1.ts"]).toMatch(/^(?:gone: deleted in|unchecked)/u);
    expect(facts["src/d2/file2.ts"]).toBe("holds");
    expect(check("See `src/d1/file1.ts`.")["src/d1/file1.ts"]).toMatch(/^gone: deleted in/u);
  });
});
