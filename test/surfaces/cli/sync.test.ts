import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type CliResult, cli, emptyHome } from "../../support/cli.ts";
import { gitIn } from "../../support/git-repository.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

let root: string;
let bare: string;

beforeEach(() => {
  root = scratch();
  bare = `${root}/notes of Jané.git`;
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
});

interface Device {
  readonly root: string;
  run(...argv: readonly string[]): Promise<CliResult>;
  json(...argv: readonly string[]): Promise<Record<string, unknown>>;
}

/** A machine with an empty home, working in a project that is called the same on each. */
function device(name: string): Device {
  const own = `${root}/${name}`;
  fs.mkdirSync(`${own}/shop`, { recursive: true });
  const environment = emptyHome(own);
  const run = (...argv: readonly string[]): Promise<CliResult> => cli(argv, { cwd: `${own}/shop`, environment });
  return {
    root: own,
    run,
    async json(...argv) {
      const { out } = await run(...argv, "--json");
      return JSON.parse(out);
    },
  };
}

async function twoDevices(): Promise<readonly [Device, Device]> {
  const [a, b] = [device("a"), device("b")];
  for (const one of [a, b]) {
    const made = await one.run("sync", "setup", "--manual", "--remote", bare, "--scope", "user", "--yes");
    expect(made).toMatchObject({ code: 0, err: "" });
  }
  return [a, b];
}

async function both(...devices: readonly Device[]): Promise<void> {
  for (const one of devices) {
    const { code, out, err } = await one.run("sync", "now");
    expect(`${code} ${code === 0 ? "" : out + err}`).toBe("0 ");
  }
}

function remember(on: Device, name: string, words: string): Promise<CliResult> {
  return on.run("remember", words, "--name", name, "--type", "feedback", "--scope", "user");
}

async function text(on: Device, name: string): Promise<string> {
  return (await on.run("show", `user:${name}`)).out;
}

async function userNotes(on: Device): Promise<string> {
  const { spaces } = JSON.parse((await on.run("sync", "status", "--json")).out);
  return spaces[0].directory;
}

/** As an editor does it. */
async function edit(on: Device, words: string, next: string): Promise<void> {
  const file = `${await userNotes(on)}/feedback_deploy.md`;
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(words, next));
}

async function names(on: Device): Promise<readonly string[]> {
  const { out } = await on.run("list", "--json");
  const { notes } = JSON.parse(out);
  return notes.map(({ file }: { file: string }) => file).toSorted();
}

/** Files below a directory that hold the words, git's objects of every repository unpacked. */
function holding(directory: string, words: string): readonly string[] {
  const found = [...filesBelow(directory)].filter(([, bytes]) => bytes.includes(words)).map(([file]) => file);
  const repositories = [...filesBelow(directory).keys()].filter((file) => file.endsWith(".git/HEAD"));
  const inGit = repositories.filter((head) => {
    const git = gitIn(`${directory}/${head.slice(0, -"/HEAD".length)}`);
    const objects = git.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split("\n");
    return objects.some((id) => id !== "" && git.git("cat-file", "-p", id).includes(words));
  });
  return [...found, ...inGit];
}

describe("two devices and one repository", () => {
  it("recall on one what was remembered on the other", async () => {
    const [a, b] = await twoDevices();
    await remember(a, "no mocks", "Never mock the database in tests; use the real PostgreSQL.");
    const sent = await a.json("sync", "now");
    expect(sent).toMatchObject({ pulled: 0, pushed: 1, merged: 0, conflicts: [], refused: [], ms: expect.any(Number) });
    expect(await b.json("sync", "now")).toMatchObject({ pulled: 1, pushed: 0 });
    expect((await b.run("recall", "should I mock the database in these tests?", "--raw")).out).toContain("PostgreSQL");
    expect(await a.json("sync", "now")).toMatchObject({ pulled: 0, pushed: 0 });
  });

  it("say what waits without asking the network", async () => {
    const [a] = await twoDevices();
    await remember(a, "no mocks", "Never mock the database in tests.");
    fs.renameSync(bare, `${bare}.away`);
    expect(await a.json("sync", "status")).toEqual({
      spaces: [expect.objectContaining({ scope: "user", remote: bare, kind: "git", state: "idle", pending: 1 })],
    });
    const late = await a.run("sync", "now");
    expect(late.code).toBe(6);
    expect((await a.run("sync", "status")).out).toContain("1 change to send");
    fs.renameSync(`${bare}.away`, bare);
    expect(await a.run("sync", "now")).toMatchObject({ code: 0 });
    const { spaces } = await a.json("sync", "status");
    expect(spaces).toEqual([
      expect.objectContaining({ state: "idle", pending: 0, conflicts: [], refused: [], lastRun: expect.any(String) }),
    ]);
    expect((await a.run("sync", "log")).out).toContain("1 pushed");
  });

  it("merge what both wrote, and keep both texts where they wrote the same line", async () => {
    const [a, b] = await twoDevices();
    await remember(a, "deploy", "first line\n\nsecond line\n\nthird line");
    await both(a, b);
    await edit(a, "\nfirst line\n", "\nfirst line, by a\n");
    await edit(b, "\nthird line\n", "\nthird line, by b\n");
    await both(a, b, a);
    for (const one of [a, b]) {
      expect(await text(one, "deploy")).toContain("first line, by a");
      expect(await text(one, "deploy")).toContain("third line, by b");
    }
    await edit(a, "\nsecond line\n", "\nonly a\n");
    await edit(b, "\nsecond line\n", "\nonly b\n");
    await both(a);
    const met = await b.run("sync", "now", "--json");
    expect(met.code).toBe(0);
    expect(JSON.parse(met.out).conflicts).toHaveLength(1);
    await both(a);
    expect(await names(a)).toEqual(await names(b));
    expect(await names(a)).toHaveLength(2);
    expect((await a.run("sync", "status")).out).toContain("1 conflict copy");
    const copy = (await names(a)).find((name) => name.includes(".conflict-")) ?? "";
    const listed = await a.run("conflicts");
    expect(listed.out).toContain(`user:feedback_deploy.md and user:${copy}\n`);
    expect(listed.out).toContain("memdir conflicts keep NOTE");
    expect(await a.json("conflicts")).toMatchObject({
      conflicts: [],
      copies: [{ scope: "user", note: "user:feedback_deploy.md", copy: `user:${copy}`, alone: false }],
    });
    expect((await a.run("supersede", `user:${copy}`, "user:feedback_deploy.md")).code).toBe(0);
    expect((await a.run("sync", "status")).out).not.toContain("conflict cop");
  });

  it.each(["note", "copy"] as const)("settle two texts of a note by keeping the %s", async (kept) => {
    const [a, b] = await twoDevices();
    await remember(a, "deploy", "Deploy on Mondays.");
    await both(a, b);
    await edit(a, "on Mondays", "on Tuesdays");
    await edit(b, "on Mondays", "on Fridays");
    await both(a, b, a);
    const note = "feedback_deploy.md";
    const copy = (await names(a)).find((name) => name !== note) ?? "";
    const texts = { note: await text(a, note), copy: await text(a, copy) };
    // Listed once: the two texts differ in a day, which would otherwise be a contradiction too.
    expect(await a.json("conflicts")).toMatchObject({ conflicts: [], copies: [{ copy: `user:${copy}` }] });
    expect((await a.run("conflicts", "both", `user:${note}`)).code).toBe(2);
    expect(await a.run("conflicts", "keep", `user:${kept === "note" ? note : copy}`)).toMatchObject({
      code: 0,
      err: "",
    });
    await both(a, b, a);
    const day = texts[kept].includes("Tuesdays") ? "Tuesdays" : "Fridays";
    for (const one of [a, b]) {
      expect(await names(one)).toEqual([note]);
      expect(await text(one, note)).toContain(`Deploy on ${day}`);
      expect(await one.json("conflicts")).toMatchObject({ copies: [] });
    }
  });

  it("delete a note on both, and bring it back by undo", async () => {
    const [a, b] = await twoDevices();
    await remember(a, "deploy", "Deploy on Mondays.");
    await both(a, b);
    await b.run("remove", "user:deploy");
    await both(b, a);
    expect(await names(a)).toEqual([]);
    await b.run("undo");
    await both(b, a);
    expect(await text(a, "deploy")).toContain("Mondays");
  });

  it("leave no byte of a forgotten note in either home, a mirror or the branch", async () => {
    const [a, b] = await twoDevices();
    await remember(a, "deploy", "The canary sings at dawn.");
    await remember(a, "keep", "The kitchen door stays closed.");
    await both(a, b);
    await edit(a, "sings at dawn", "sings at dusk");
    await both(a, b);
    expect(holding(b.root, "canary")).not.toEqual([]);
    expect((await a.run("forget", "user:deploy", "--yes")).code).toBe(0);
    await both(a, b);
    for (const one of [a, b]) {
      expect(holding(one.root, "canary")).toEqual([]);
      expect(await names(one)).toEqual(["feedback_keep.md"]);
    }
    gitIn(bare).git("gc", "--quiet", "--prune=now");
    expect(holding(root, "canary")).toEqual([]);
  });
});

describe("what never leaves a machine", () => {
  it("is a secret: it is named, the exit code says so, and no repository ever has it", async () => {
    const [a, b] = await twoDevices();
    await remember(a, "keep", "Deploys to production need two reviewers.");
    const secret = ["ghp", "k3Jd8sLq0PzXv5NbR7tYwA2mHcUeF4g6Qi1o"].join("_");
    const planted = `---\nname: planted\ndescription: by hand\ntype: feedback\n---\nThe token is ${secret}.\n`;
    fs.writeFileSync(`${await userNotes(a)}/feedback_planted.md`, planted);
    const refused = await a.run("sync", "now", "--json");
    expect(refused.code).toBe(4);
    expect(JSON.parse(refused.out)).toMatchObject({
      pushed: 1,
      refused: [{ scope: "user", key: "feedback_planted.md", reason: "secret" }],
    });
    expect((await a.run("sync", "status")).out).toContain("feedback_planted.md was not sent: it holds a secret");
    await both(b);
    expect(await names(b)).toEqual(["feedback_keep.md"]);
    expect(holding(bare, secret)).toEqual([]);
    const mirrors = holding(a.root, secret).filter((file) => file.includes("sync"));
    expect(mirrors).toEqual([]);
  });

  it("is MEMORY.md, and every note of the local scope", async () => {
    const [a] = await twoDevices();
    await a.run("remember", "The local canary.", "--scope", "local");
    await remember(a, "keep", "Deploys to production need two reviewers.");
    await both(a);
    expect((await a.run("sync", "setup", "--manual", "--remote", bare, "--scope", "local", "--yes")).code).not.toBe(0);
    expect(holding(bare, "local canary")).toEqual([]);
    expect(gitIn(bare).git("ls-tree", "-r", "--name-only", "memdir/user")).not.toContain("MEMORY.md");
    expect(holding(bare, "keep.md](")).toEqual([]);
  });
});

describe("setup", () => {
  it("asks nothing with --yes, and without it goes nowhere unless a person agrees", async () => {
    const a = device("a");
    expect((await a.run("sync", "setup", "--manual", bare, "--scope", "user")).code).toBe(2);
    const refused = await cli(["sync", "setup", "--manual", bare, "--scope", "user"], {
      cwd: `${a.root}/shop`,
      environment: emptyHome(a.root),
      answer: false,
    });
    expect(refused).toMatchObject({ code: 0, out: "nothing was sent, and nothing was set up\n" });
    expect(await a.json("sync", "status")).toEqual({ spaces: [] });
    expect(await a.run("sync", "now")).toMatchObject({ code: 3 });
  });

  it("says which notes stay on this device", async () => {
    const a = device("a");
    await a.run("remember", "The importer listens on port 7332", "--name", "port");
    await remember(a, "keep", "Deploys to production need two reviewers.");
    const { out } = await a.run("sync", "setup", "--manual", bare, "--scope", "user", "--yes");
    expect(out).toContain("1 pushed\n  1 note of the project scope stays on this device\n");
    await a.run("sync", "off");
  });

  it("refuses encrypted proposals, a token for git, a password in the address and a second remote", async () => {
    const a = device("a");
    const setup = (...more: readonly string[]): Promise<CliResult> =>
      a.run("sync", "setup", "--manual", "--scope", "user", "--yes", ...more);
    const proposals = await a.run("sync", "setup", "--scope", "team", "--yes", "--remote", bare, "--encrypt");
    expect(proposals).toMatchObject({ code: 2, err: expect.stringContaining("--direct") });
    expect(await setup("--remote", bare, "--token-file", "token")).toMatchObject({ code: 2 });
    expect(await setup("--remote", "https://me:word@example.com/notes.git")).toMatchObject({ code: 2 });
    expect(await a.json("sync", "status")).toEqual({ spaces: [] });
    await setup("--remote", bare);
    const other = await setup("--remote", `${root}/other.git`);
    expect(other.err).toContain("sync off --scope user");
  });

  it("takes a path from where the person stands, pauses, resumes and ends", async () => {
    const a = device("a");
    fs.renameSync(bare, `${a.root}/notes.git`);
    expect(
      (await a.run("sync", "setup", "--manual", "--remote", "../notes.git", "--scope", "user", "--yes")).code,
    ).toBe(0);
    await remember(a, "keep", "Deploys to production need two reviewers.");
    await a.run("sync", "pause");
    expect(await a.json("sync", "now")).toMatchObject({ pushed: 0 });
    expect((await a.run("sync", "now")).out).toContain("the user scope is paused; `memdir sync resume`");
    await a.run("sync", "resume");
    expect(await a.json("sync", "now")).toMatchObject({ pushed: 1 });
    await a.run("sync", "off");
    expect(await a.json("sync", "status")).toEqual({ spaces: [] });
    expect(await names(a)).toEqual(["feedback_keep.md"]);
  });
});

it("names a file that is not read because a note of its name was forgotten, and refuses options of other actions", async () => {
  const [a] = await twoDevices();
  await remember(a, "deploy", "Deploy on Mondays.");
  await both(a);
  expect(await a.json("sync", "status")).toMatchObject({ spaces: [{ unread: [] }] });
  expect(await a.run("forget", "user:feedback_deploy.md", "--yes")).toMatchObject({ code: 0 });
  fs.writeFileSync(`${await userNotes(a)}/feedback_deploy.md`, "back from an editor");
  await both(a);
  const { out } = await a.run("sync", "status");
  expect(out.split("\n").filter((one) => one.includes("feedback_deploy.md"))).toEqual([
    "  not read and not sent: feedback_deploy.md; a note of that name was forgotten, so save it under another name",
  ]);
  expect(await a.json("sync", "status")).toMatchObject({ spaces: [{ unread: ["feedback_deploy.md"], pending: 0 }] });
  expect(await a.run("sync", "status", "--encrypt")).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("--encrypt is for `memdir sync setup`, not for `memdir sync status`"),
  });
});

describe("a team that agrees on its notes by pull request", () => {
  it("proposes on a branch of the person's own until the change is merged", async () => {
    const [a, b] = [device("a"), device("b")];
    for (const [one, login] of [
      [a, "ann"],
      [b, "bob"],
    ] as const) {
      const setup = [
        "sync",
        "setup",
        "--remote",
        bare,
        "--scope",
        "team",
        "--space",
        "team",
        "--login",
        login,
        "--manual",
        "--yes",
      ];
      expect(await one.run(...setup)).toMatchObject({ code: 0 });
    }
    await a.run("remember", "Deploy on Mondays only.", "--name", "deploy", "--type", "project", "--scope", "team");
    const asked = await a.run("sync", "now");
    expect(asked.out).toContain("1 change waits for the team on memdir/team-ann");
    await both(b);
    expect(await names(b)).toEqual([]);
    const git = gitIn(bare);
    git.git("update-ref", "refs/heads/memdir/team", "refs/heads/memdir/team-ann");
    await both(a, b);
    expect(await names(b)).toEqual(["project_deploy.md"]);
    expect(git.git("branch", "--list", "memdir/*")).not.toContain("team-ann");
    expect((await a.json("sync", "status"))["spaces"]).toEqual([expect.objectContaining({ pending: 0 })]);
  });
});

describe("a sync that would remove most notes", () => {
  it("stops, names them on approve, and removes them when the person agrees", async () => {
    const [a] = await twoDevices();
    const directory = await userNotes(a);
    fs.mkdirSync(directory, { recursive: true });
    for (let n = 0; n < 12; n++)
      fs.writeFileSync(`${directory}/feedback_n${n}.md`, `---\nname: n${n}\ntype: feedback\n---\nnumber ${n}\n`);
    await both(a);
    expect(await a.run("sync", "approve")).toMatchObject({ code: 3, err: expect.stringContaining("no sync waits") });
    for (let n = 0; n < 11; n++) fs.rmSync(`${directory}/feedback_n${n}.md`);
    expect(await a.run("sync", "now")).toMatchObject({
      code: 4,
      out: expect.stringContaining("`memdir sync approve`"),
    });
    const asked = await a.run("sync", "approve");
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    expect(asked.out).toContain("user: 11 notes would be removed from the remote:\n  feedback_n0.md");
    const there = (): string => gitIn(bare).git("ls-tree", "-r", "--name-only", "memdir/user");
    expect(there()).toContain("notes/feedback_n0.md");
    expect(await a.run("sync", "approve", "--yes")).toMatchObject({ code: 0, out: expect.stringContaining("pushed") });
    expect(there()).not.toContain("notes/feedback_n0.md");
    expect(there()).toContain("notes/feedback_n11.md");
    expect((await a.run("sync", "now")).code).toBe(0);
  });
});

it("says that a repository does not know its devices, and what to begin with where nothing syncs", async () => {
  const [a] = await twoDevices();
  for (const [action, told] of [
    ["devices", "a repository or store does not know which devices use it"],
    ["receipts", "a repository or store keeps no receipts: each device purges what was forgotten at its next sync"],
  ] as const) {
    expect((await a.run("sync", action)).out).toContain(told);
    await a.run("sync", "off");
    expect(await a.run("sync", action)).toMatchObject({ code: 3, err: expect.stringContaining("memdir sync setup") });
    await a.run("sync", "setup", bare, "--manual", "--scope", "user", "--yes");
  }
});

it("sets nothing up where there is no repository, and names the scopes that there are", async () => {
  const a = device("a");
  const wrong = await a.run("sync", "setup", `${root}/nowhere.git`, "--scope", "user", "--yes");
  expect(wrong).toMatchObject({ code: 6, err: expect.stringMatching(/not appear to be .*; nothing was set up/u) });
  expect(await a.json("sync", "status")).toEqual({ spaces: [] });
  const away = await a.run("sync", "setup", "http://127.0.0.1:9/notes.git", "--manual", "--scope", "user", "--yes");
  expect(away).toMatchObject({ code: 6, err: expect.stringContaining("nothing was set up") });
  expect(await a.json("sync", "status")).toEqual({ spaces: [] });
  expect((await a.run("sync", "setup", bare, "--manual", "--scope", "user", "--yes")).code).toBe(0);
  expect(await a.run("sync", "status", "--scope", "users")).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no scope "users"; scopes that can sync: user, group, team, project'),
  });
});

it("says what it cannot write on a disk that became read-only", async () => {
  const [a] = await twoDevices();
  await remember(a, "deploy", "Deploy on Mondays.");
  const open = fs.openSync.bind(fs);
  const spy = vi.spyOn(fs, "openSync").mockImplementation((file, ...rest) => {
    if (String(file).endsWith("/sync.db"))
      throw Object.assign(new Error("EROFS: read-only file system, open"), { code: "EROFS" });
    return open(file, ...rest);
  });
  try {
    const { code, out, err } = await a.run("sync", "now");
    expect(code).toBe(6);
    expect(out).toMatch(/cannot write the state of sync, .*sync\.db: the file system is read-only/u);
    expect(out + err).not.toContain("bug");
  } finally {
    spy.mockRestore();
  }
});
