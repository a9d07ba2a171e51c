import fs from "node:fs";
import { expect, it } from "vitest";
import { listProjectFiles } from "../../../src/adapters/git/list-files.ts";
import { gitIn } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";

it("the files of a project are those that git has and those it would take, not those it is told to ignore", () => {
  const repository = gitIn(scratch());
  repository.git("init", "-q");
  repository.write("kept name.md", "a");
  repository.write(".gitignore", "secret.env\n");
  repository.commit();
  repository.write("not yet added.md", "b");
  repository.write("secret.env", "c");
  const environment = { PATH: process.env["PATH"], HOME: repository.root };
  expect(listProjectFiles(repository.root, environment)?.toSorted()).toEqual([
    ".gitignore",
    "kept name.md",
    "not yet added.md",
  ]);
  expect(listProjectFiles(scratch(), environment), "where there is no repository").toBeUndefined();
});

it("a program that the settings of a repository name as its monitor is not run", () => {
  const repository = gitIn(scratch());
  repository.git("init", "-q");
  repository.write("a.md", "a");
  repository.commit();
  const [program, ran] = [`${repository.root}/monitor.sh`, `${repository.root}/ran`];
  fs.writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  repository.git("config", "core.fsmonitor", `'${program}'`);
  const environment = { PATH: process.env["PATH"], HOME: repository.root };
  repository.git("ls-files", "--others");
  expect(fs.existsSync(ran), "git itself runs it").toBe(true);
  fs.rmSync(ran);
  expect(listProjectFiles(repository.root, environment)).toContain("a.md");
  expect(fs.existsSync(ran)).toBe(false);
});
