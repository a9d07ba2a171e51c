import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGitArchive } from "../../src/adapters/git/archive.ts";
import { listProjectFiles } from "../../src/adapters/git/list-files.ts";
import { newRepository, type Repository } from "../support/git-repository.ts";
import { filesBelow, memoryDirectory, scratch } from "../support/scratch.ts";
import { bytes } from "../support/store.ts";

let root: string;
let environment: Record<string, string | undefined>;

beforeEach(() => {
  root = scratch(memoryDirectory());
  environment = { PATH: process.env["PATH"], HOME: root };
});

/** What a hook of git's own, a tracer or a hostile caller sets: each leads git elsewhere or makes it write elsewhere. */
function misleading(): Record<string, string> {
  fs.mkdirSync(`${root}/elsewhere/objects`, { recursive: true });
  return {
    GIT_DIR: `${root}/elsewhere`,
    GIT_WORK_TREE: `${root}/elsewhere`,
    GIT_INDEX_FILE: `${root}/elsewhere/index`,
    GIT_OBJECT_DIRECTORY: `${root}/elsewhere/objects`,
    GIT_NAMESPACE: "elsewhere",
    GIT_TRACE: `${root}/elsewhere/trace`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.bare",
    GIT_CONFIG_VALUE_0: "no such value",
  };
}

const PAST = [
  {
    seq: 1,
    time: "2026-03-02T09:00:00.000Z",
    actor: "user",
    reason: "remembered",
    changes: [{ file: "a.md", before: undefined, after: bytes("words\n") }],
  },
];

describe("git that is run on memdir's own history", () => {
  it("writes there and nowhere else, whatever variables of git the caller has", () => {
    const archive = openGitArchive(`${root}/history.git`, { ...environment, ...misleading() });
    archive.append(PAST);
    expect(archive.versions()).toMatchObject([{ seq: 1, reason: "remembered" }]);
    expect([...filesBelow(`${root}/elsewhere`).keys()]).toEqual([]);
    expect([...filesBelow(`${root}/history.git/objects`).keys()].length).toBeGreaterThan(0);
  });
});

describe("what is asked of git", () => {
  /** A git that writes down what it was asked and in which environment, and answers as the test wants. */
  function stand(answer: string): { archive: ReturnType<typeof openGitArchive>; asked: () => string } {
    fs.mkdirSync(`${root}/bin`);
    fs.mkdirSync(`${root}/history.git`);
    fs.writeFileSync(`${root}/history.git/HEAD`, "ref: refs/heads/main\n");
    const script = `#!/bin/sh\n{ echo "$@"; env; } >> '${root}/asked'\n${answer}\n`;
    fs.writeFileSync(`${root}/bin/git`, script, { mode: 0o755 });
    process.env["PATH"] = `${root}/bin:${path ?? ""}`;
    const settings = { GIT_DIR: "/elsewhere", HOME: root, LC_ALL: "cs_CZ.UTF-8", PATH: process.env["PATH"] };
    const archive = openGitArchive(`${root}/history.git`, settings);
    return { archive, asked: () => fs.readFileSync(`${root}/asked`, "utf8") };
  }
  const path = process.env["PATH"];
  afterEach(() => {
    process.env["PATH"] = path;
  });

  it("is about memdir's own repository, to be on disk, without anybody's settings and without questions", () => {
    const { archive, asked } = stand("exit 0");
    expect(archive.verify()).toEqual([]);
    const [line = "", ...environmentLines] = asked().split("\n");
    expect(line).toBe(
      `--git-dir ${root}/history.git -c core.quotePath=false -c core.fsync=all fsck --no-progress --no-dangling --strict`,
    );
    expect(environmentLines).toEqual(
      expect.arrayContaining([
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_CONFIG_GLOBAL=/dev/null",
        "GIT_TERMINAL_PROMPT=0",
        "LC_ALL=C",
      ]),
    );
    expect(environmentLines.filter((one) => one.startsWith("GIT_DIR"))).toEqual([]);
  });

  it.each([
    [
      "echo 'warning: odd' >&2; echo 'fatal: not a repository' >&2; echo 'see the log' >&2; exit 128",
      "not a repository",
    ],
    ["echo one >&2; echo 'error: two' >&2; exit 1", "error: two"],
    ["exit 3", ""],
  ])("and fails is told with the line that says why: %s", (answer, why) => {
    const { archive } = stand(answer);
    const [told = ""] = archive.verify();
    expect(told).toContain(`git fsck failed for ${root}/history.git: `);
    expect(told.endsWith(why === "" ? ": " : why)).toBe(true);
  });

  it("and is not there is told as such", () => {
    fs.mkdirSync(`${root}/history.git`);
    fs.writeFileSync(`${root}/history.git/HEAD`, "");
    process.env["PATH"] = root;
    expect(openGitArchive(`${root}/history.git`, { PATH: root }).verify()).toEqual([
      expect.stringContaining("git could not be run"),
    ]);
  });
});

describe("a history that is not one commit yet, or cannot be written", () => {
  it("has no versions, and its fault is told with what the system lacks", () => {
    const place = `${root}/history.git`;
    const archive = openGitArchive(place, environment);
    expect([archive.lastSeq(), archive.versions(), archive.transactions(), archive.verify()]).toEqual([0, [], [], []]);
    archive.append([]);
    expect(fs.existsSync(place)).toBe(false);
    fs.writeFileSync(place, "a file");
    expect(() => archive.append(PAST)).toThrow(expect.objectContaining({ code: "io" }));
  });
});

describe("git that lists the files of somebody's checkout", () => {
  let repository: Repository;

  beforeEach(() => {
    repository = newRepository(`${root}/cloned`);
    repository.write("src/a.ts", "a\n");
    repository.write(".gitignore", "ignored.txt\n");
    repository.commit();
    repository.write("src/new.ts", "new\n");
    repository.write("ignored.txt", "x\n");
  });

  const FILES = [".gitignore", "src/a.ts", "src/new.ts"];

  it("runs no program that the checkout's settings name: monitors, hooks, pagers, filters, external diffs, transports", () => {
    const trap = `${root}/trap.sh`;
    fs.writeFileSync(trap, `#!/bin/sh\ntouch '${root}/ran'\n`, { mode: 0o755 });
    fs.mkdirSync(`${root}/hooks`);
    for (const hook of ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"])
      fs.copyFileSync(trap, `${root}/hooks/${hook}`);
    repository.write(".gitattributes", "* filter=evil diff=evil\n");
    for (const [name, value] of Object.entries({
      "core.fsmonitor": `'${trap}'`,
      "core.hooksPath": `${root}/hooks`,
      "core.pager": `'${trap}'`,
      "pager.ls-files": `'${trap}'`,
      "core.untrackedCache": "true",
      "filter.evil.clean": `'${trap}'`,
      "filter.evil.process": `'${trap}'`,
      "diff.external": `'${trap}'`,
      "core.sshCommand": `'${trap}'`,
      "remote.origin.url": `ext::'${trap}'`,
      "remote.origin.promisor": "true",
      "extensions.partialClone": "origin",
      "alias.ls-files": `!'${trap}'`,
    }))
      repository.git("config", name, value);
    fs.rmSync(`${root}/ran`, { force: true }); // setting them ran git, too
    // A file of another time than the index knows, so that git looks twice.
    fs.utimesSync(`${repository.root}/src/a.ts`, 1, 1);
    expect(listProjectFiles(repository.root, environment)?.toSorted()).toEqual([".gitattributes", ...FILES]);
    expect(fs.existsSync(`${root}/ran`)).toBe(false);
    // The trap works: git that is run without care falls into it.
    expect(() => repository.git("status")).toThrow("Command failed");
    expect(fs.existsSync(`${root}/ran`)).toBe(true);
  });

  it("lists that checkout, whatever variables of git the caller has", () => {
    expect(listProjectFiles(repository.root, { ...environment, ...misleading() })?.toSorted()).toEqual(FILES);
    expect([...filesBelow(`${root}/elsewhere`).keys()]).toEqual([]);
  });
});
