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

/** A bare repository, and devices of one person that propose to the team's branch in it. */
function team() {
  const root = scratch();
  const bare = `${root}/remote.git`;
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  const connect = (name: string, PATH = process.env["PATH"]) => {
    const directory = `${root}/${name}`;
    fs.mkdirSync(directory, { recursive: true });
    const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" };
    const environment = { PATH, HOME: root };
    return openGitRemote({ remote: bare, branch: "memdir/team", proposals: OWN, directory, environment, clock });
  };
  const git = gitIn(bare);
  const branches = () => git.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split("\n");
  const notesOn = (branch: string) =>
    git
      .git("ls-tree", "-r", "--name-only", branch)
      .split("\n")
      .filter((file) => file.startsWith("notes/"));
  return { root, bare, git, connect, branches, notesOn };
}

/** A run of one device that has these notes and the team does not. */
async function propose(device: ReturnType<ReturnType<typeof team>["connect"]>, notes: Record<string, string>) {
  await device.pull({ cursor: "", tops: [], limit: 9 });
  const changes = Object.entries(notes).map(([key, lineage]) => {
    return { key, lineage: lineage.repeat(24), base: "", state: "live" as const, body: "words\n" };
  });
  if (changes.length > 0) await device.push(`push of ${Object.keys(notes).join()}`, changes);
  return device.finish(true);
}

it("what another device of the person proposed at the same moment stays, beside what this one proposes", async () => {
  const { root, bare, git, connect, branches, notesOn } = team();
  await propose(connect("first"), { "theirs.md": "a" });
  const theirs = git.git("rev-parse", OWN);
  git.git("update-ref", "-d", `refs/heads/${OWN}`);
  const late = connect("second", gitThatIsLate(root, bare, theirs));
  const said = await propose(late, { "ours.md": "b" });
  expect(fs.existsSync(`${root}/late`)).toBe(true);
  expect(said).toEqual([`1 change waits for the team on ${OWN}-2`]);
  expect(git.git("rev-parse", OWN)).toBe(theirs);
  expect(branches()).toEqual(["memdir/team", OWN, `${OWN}-2`]);
  expect(notesOn(`${OWN}-2`)).toEqual(["notes/ours.md"]);
});

it("two devices of a person propose and withdraw without touching what the other one proposed", async () => {
  const { connect, branches, notesOn } = team();
  for (let round = 0; round < 2; round++) {
    await propose(connect("first"), { "first.md": "a" });
    await propose(connect("second"), { "second.md": "b", "third.md": "c" });
    expect([notesOn(OWN), notesOn(`${OWN}-2`)]).toEqual([["notes/first.md"], ["notes/second.md", "notes/third.md"]]);
  }
  expect(await propose(connect("first"), {})).toEqual([]);
  await propose(connect("second"), { "third.md": "c" });
  expect(branches()).toEqual(["memdir/team", `${OWN}-2`]);
  expect(notesOn(`${OWN}-2`)).toEqual(["notes/third.md"]);
});

it("what somebody added to the branch by hand stays, and the device goes on beside it", async () => {
  const { git, connect, notesOn } = team();
  await propose(connect("first"), { "first.md": "a" });
  const added = git.git("commit-tree", `${OWN}^{tree}`, "-p", OWN, "-m", "by hand");
  git.git("update-ref", `refs/heads/${OWN}`, added);
  await propose(connect("first"), { "first.md": "a", "more.md": "b" });
  expect(git.git("rev-parse", OWN)).toBe(added);
  expect(notesOn(`${OWN}-2`)).toEqual(["notes/first.md", "notes/more.md"]);
});

it("a device whose push arrived and whose answer was lost knows its branch again", async () => {
  const { root, git, connect, branches, notesOn } = team();
  await propose(connect("first"), { "first.md": "a" });
  // As a kill between the push and its answer leaves it.
  const mirror = fs.readdirSync(`${root}/first`).find((name) => name.endsWith(".git"));
  const kept = gitIn(`${root}/first/${mirror}`);
  kept.git("update-ref", "refs/memdir/proposing", git.git("rev-parse", OWN));
  kept.git("update-ref", "-d", "refs/memdir/proposed");
  await propose(connect("first"), { "more.md": "b" });
  expect(branches()).toEqual(["memdir/team", OWN]);
  expect(notesOn(OWN)).toEqual(["notes/more.md"]);
});
