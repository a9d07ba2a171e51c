import fs from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { TreeFacts } from "../../../src/core/notes/claims/claim.ts";
import { newRepository, type Repository } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";
import { treeOf } from "./tree.ts";

let scratchRoot: string;
let home: string;
let repository: Repository;

const QUERY = {
  paths: ["src/a.ts", "src/never.ts", "b.ts"],
  words: ["stillHere", "neverWas"],
  scripts: [],
  packages: [],
  branches: [],
};
const NO_GIT = { PATH: "" };

function ask(environment: Readonly<Record<string, string | undefined>> = process.env): TreeFacts {
  return treeOf(repository.root, home, environment).ask(QUERY, 20_000);
}

beforeEach(() => {
  scratchRoot = scratch();
  home = `${scratchRoot}/home`;
  repository = newRepository(`${scratchRoot}/orders`);
  repository.write("src/a.ts", "first\n");
  repository.write("src/b.ts", "stillHere()\n");
  repository.commit();
  repository.git("rm", "--quiet", "src/a.ts");
  repository.commit();
});

describe("git's answers", () => {
  it("are kept for the state of the tree: the second look asks no process", () => {
    const first = ask();
    expect(first.paths.get("src/a.ts")?.state).toBe("deleted");
    expect(ask(NO_GIT)).toEqual(first);
  });

  it("are asked anew after a commit, a checkout and a change of the index", () => {
    ask();
    repository.commit("another");
    expect(ask(NO_GIT).paths.get("src/a.ts")).toBeUndefined();
    expect(ask().paths.get("src/a.ts")?.state).toBe("deleted");
    repository.git("checkout", "--quiet", "-b", "other");
    repository.git("checkout", "--quiet", "HEAD~1");
    expect(ask(NO_GIT).paths.get("src/a.ts")).toBeUndefined();
    ask();
    repository.write("src/more.ts", "x\n");
    repository.git("add", ".");
    expect(ask(NO_GIT).paths.get("src/a.ts")).toBeUndefined();
  });

  it("are asked anew after an edit of the file that a word was found in", () => {
    ask();
    repository.write("src/b.ts", "edited, and longer\n");
    expect(ask(NO_GIT).words.get("stillHere")).toBeUndefined();
    expect(ask().words.get("stillHere")?.state).not.toBe("here");
    repository.write("src/b.ts", "stillHere() again\n");
    expect(ask().words.get("stillHere")?.state).toBe("here");
  });

  it("never outweigh what is on disk", () => {
    ask();
    repository.write("src/a.ts", "again\n");
    fs.rmSync(`${repository.root}/src/b.ts`);
    const facts = ask(NO_GIT);
    expect([facts.paths.get("src/a.ts"), facts.paths.get("b.ts")]).toEqual([{ state: "here" }, undefined]);
  });

  it("can be deleted, torn or be somebody else's at any time", () => {
    const first = ask();
    const file = `${home}/trees/cache.json`;
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"version":1,"state":"x","answers":[[1,2],["a"]]}',
      '{"version":1,"answers":{}}',
    ]) {
      fs.writeFileSync(file, text);
      expect(ask(), text).toEqual(first);
    }
    fs.rmSync(`${home}/trees`, { recursive: true });
    expect(ask()).toEqual(first);
  });

  it("hold nothing of a note but hashes", () => {
    treeOf(repository.root, home).ask({ ...QUERY, paths: ["src/private-plan.ts"], words: ["privateName"] }, 20_000);
    const kept = fs.readFileSync(`${home}/trees/cache.json`, "utf8");
    expect(JSON.parse(kept).answers.length).toBeGreaterThan(0);
    expect(kept).not.toContain("private");
  });

  it("are bounded", () => {
    for (let round = 0; round < 4; round++)
      treeOf(repository.root, home).ask(
        { ...QUERY, words: Array.from({ length: 300 }, (_, word) => `word${round}x${word}`) },
        20_000,
      );
    const { answers } = JSON.parse(fs.readFileSync(`${home}/trees/cache.json`, "utf8"));
    expect(answers.length).toBe(1000);
  });

  it("are done without where nothing can be written", () => {
    fs.writeFileSync(home, "a file where the directory should be");
    expect(ask().paths.get("b.ts")).toBeUndefined();
    fs.rmSync(home);
    expect(ask().paths.get("src/a.ts")?.state).toBe("deleted");
  });
});
