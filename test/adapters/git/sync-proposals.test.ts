import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { expect, it } from "vitest";
import { openGitRemote } from "../../../src/adapters/git/sync/sync-remote.ts";
import { gitIn } from "../../support/git-repository.ts";
import { scratch } from "../../support/scratch.ts";

const OWN = "memdir/team-ann";

/** A git before which, at its first push of the person's branch, another device of the person writes that branch. */
function gitThatIsLate(root: string, bare: string, theirs: string): string {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const bin = `${root}/bin`;
  fs.mkdirSync(bin);
  const lines = [
    "#!/bin/sh",
    `case "$*" in *:refs/heads/${OWN}*) [ -e '${root}/late' ] || { : > '${root}/late'; '${real}' --git-dir '${bare}' update-ref refs/heads/${OWN} ${theirs}; } ;; esac`,
    `exec '${real}' "$@"`,
  ];
  fs.writeFileSync(`${bin}/git`, `${lines.join("\n")}\n`, { mode: 0o755 });
  return `${bin}:${process.env["PATH"] ?? ""}`;
}

it("what another device of the person proposed at the same moment is not written over, and the person is told", async () => {
  const root = scratch();
  const bare = `${root}/remote.git`;
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  const connect = (name: string, PATH: string | undefined) => {
    const directory = `${root}/${name}`;
    fs.mkdirSync(directory);
    const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" };
    const environment = { PATH, HOME: root };
    return openGitRemote({ remote: bare, branch: "memdir/team", proposals: OWN, directory, environment, clock });
  };
  const propose = async (device: ReturnType<typeof connect>, key: string, lineage: string) => {
    await device.pull({ cursor: "", tops: [], limit: 9 });
    await device.push(`push of ${key}`, [
      { key, lineage: lineage.repeat(24), base: "", state: "live", body: "words\n" },
    ]);
    return device.finish(true);
  };
  const first = connect("first", process.env["PATH"]);
  await propose(first, "theirs.md", "a");
  const git = gitIn(bare);
  const theirs = git.git("rev-parse", OWN);
  git.git("update-ref", "-d", `refs/heads/${OWN}`);
  const late = connect("second", gitThatIsLate(root, bare, theirs));
  const said = await propose(late, "ours.md", "b");
  expect(fs.existsSync(`${root}/late`)).toBe(true);
  expect(said).toEqual([expect.stringContaining(`${OWN} could not be written`)]);
  expect(git.git("rev-parse", OWN)).toBe(theirs);
});
