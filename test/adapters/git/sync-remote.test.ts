import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { type GitRemote, openGitRemote } from "../../../src/adapters/git/sync/sync-remote.ts";
import { type Change, nameHash, type RemoteEntry } from "../../../src/core/sync/protocol.ts";
import type { Page, PushAnswer } from "../../../src/core/sync/transport.ts";
import { gitIn } from "../../support/git-repository.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const BRANCH = "memdir/user";
let root: string;
let bare: string;

beforeEach(() => {
  root = scratch();
  bare = `${root}/remote Jané Döe.git`;
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
});

interface Device extends GitRemote {
  readonly directory: string;
}

function device(name: string, remote = bare): Device {
  const directory = `${root}/state of ${name}/sync`;
  fs.mkdirSync(directory, { recursive: true });
  const environment = { PATH: process.env["PATH"], HOME: root };
  const clock = { now: () => Date.parse("2026-03-02T09:00:00Z"), timeZone: "UTC" };
  return { ...openGitRemote({ remote, branch: BRANCH, directory, environment, clock }), directory };
}

const L = (n: number): string => n.toString(16).padStart(24, "0");

function live(key: string, body: string, { base = "", lineage = L(1) } = {}): Change {
  return { key, lineage, base, state: "live", body };
}

async function pull(
  from: GitRemote,
  cursor = "",
  { tops = [], limit = 500 }: { tops?: string[]; limit?: number } = {},
): Promise<Page> {
  const answer = await from.pull({ cursor, tops, limit });
  if (answer.outcome !== "page") throw new Error(JSON.stringify(answer));
  return answer;
}

let pushes = 0;

async function push(to: GitRemote, ...changes: Change[]): Promise<PushAnswer & { outcome: "pushed" }> {
  const answer = await to.push(`push ${pushes++}`, changes);
  if (answer.outcome !== "pushed") throw new Error(JSON.stringify(answer));
  return answer;
}

function entries(page: Page): readonly RemoteEntry[] {
  return page.changes.map(({ entry }) => entry);
}

async function revisionOf(from: GitRemote, key: string): Promise<string> {
  const entry = entries(await pull(from)).find((one) => "key" in one && one.key === key);
  return entry !== undefined && "revision" in entry ? entry.revision : "";
}

/** Whether a text can be read anywhere in a bare repository, in objects that nothing leads to as well. */
function holds(repository: string, text: string): boolean {
  const all = gitIn(repository).git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)");
  return all
    .split("\n")
    .filter((line) => line.endsWith(" blob"))
    .some((line) =>
      gitIn(repository)
        .git("cat-file", "blob", line.split(" ")[0] ?? "")
        .includes(text),
    );
}

/** What somebody does to the branch with a git of their own. */
function byHand(work: (clone: ReturnType<typeof gitIn>) => void): void {
  const clone = gitIn(`${root}/clone ${pushes++}`);
  fs.mkdirSync(clone.root);
  clone.git("clone", "--quiet", "--branch", BRANCH, bare, ".");
  work(clone);
  clone.commit("by hand");
  clone.git("push", "--quiet", "--force", "origin", `HEAD:${BRANCH}`);
}

describe("a space in a branch of a git repository", () => {
  it("gives another device what one pushed, and nothing twice", async () => {
    const a = device("a");
    const b = device("b");
    expect(await pull(a)).toEqual({ outcome: "page", head: "", next: "", changes: [] });
    const pushed = await push(a, live("project_x.md", "Wörter\n"), { ...live("#lines", "- by hand\n"), lineage: L(2) });
    expect(pushed.outcomes.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    const page = await pull(b);
    expect(entries(page)).toMatchObject([
      { state: "live", key: "project_x.md", lineage: L(1), body: "Wörter\n" },
      { state: "live", key: "#lines", lineage: L(2), body: "- by hand\n" },
    ]);
    expect(page.next).toBe(pushed.head);
    expect(await pull(b, page.next)).toMatchObject({ changes: [], next: page.next });
  });

  it("keeps one file a note, its id, and nothing else in the tree", async () => {
    await push(device("a"), live("project_x.md", "words\n"));
    const tree = gitIn(bare).git("ls-tree", "-r", "--name-only", BRANCH).split("\n");
    expect(tree).toEqual([expect.stringMatching(/^ids\/[0-9a-f]{20}$/u), "notes/project_x.md"]);
  });

  it("accepts a change of what its sender saw, and says what is there otherwise", async () => {
    const [a, b] = [device("a"), device("b")];
    await push(a, live("x.md", "one\n"));
    const base = await revisionOf(b, "x.md");
    await push(a, live("x.md", "two\n", { base }));
    const late = await push(b, live("x.md", "three\n", { base }));
    const now = await revisionOf(a, "x.md");
    expect(late.outcomes).toEqual([{ outcome: "stale", key: "x.md", revision: now }]);
    expect(now).not.toBe(base);
    expect(entries(await pull(b))).toMatchObject([{ body: "two\n" }]);
  });

  it("loses nothing when two devices push at the same moment", async () => {
    const devices = ["a", "b", "c"].map((name) => device(name));
    await Promise.all(devices.map((one) => pull(one)));
    const answers = await Promise.all(
      devices.map((one, at) => push(one, live(`n${at}.md`, `${at}\n`, { lineage: L(at + 1) }))),
    );
    expect(answers.flatMap(({ outcomes }) => outcomes.map(({ outcome }) => outcome))).toEqual(["done", "done", "done"]);
    expect(entries(await pull(device("d"))).map((entry) => ("key" in entry ? entry.key : ""))).toEqual([
      "n0.md",
      "n1.md",
      "n2.md",
    ]);
  });

  it("tells of a deletion, also to who was not there before, and takes the note back on top of it", async () => {
    const [a, b] = [device("a"), device("b")];
    const { head } = await push(a, live("x.md", "one\n"));
    const base = await revisionOf(b, "x.md");
    await push(a, { key: "x.md", lineage: L(1), base, state: "deleted" });
    const [gone] = entries(await pull(b, head));
    expect(gone).toMatchObject({ state: "deleted", key: "x.md", lineage: L(1) });
    expect(entries(await pull(device("c")))).toEqual([gone]);
    const back = await push(
      b,
      live("x.md", "back\n", { base: gone !== undefined && "revision" in gone ? gone.revision : "" }),
    );
    expect(back.outcomes).toMatchObject([{ outcome: "done" }]);
  });

  it("answers a repeated push the same, even when the entry went back to what it was", async () => {
    const [a, b] = [device("a"), device("b")];
    await push(a, live("x.md", "one\n"));
    const base = await revisionOf(a, "x.md");
    const change = live("x.md", "two\n", { base });
    const first = await a.push("the id", [change]);
    await push(b, live("x.md", "one\n", { base: await revisionOf(b, "x.md") }));
    expect(await a.push("the id", [change])).toEqual(first);
    expect(entries(await pull(b))).toMatchObject([{ body: "one\n" }]);
  });

  it("accepts a group as a whole or not at all", async () => {
    const a = device("a");
    await push(a, live("x.md", "one\n"));
    const { outcomes } = await push(
      a,
      { ...live("x.md", "two\n", { base: "another" }), group: "g" },
      { ...live("y.md", "new\n", { lineage: L(2) }), group: "g" },
      live("z.md", "alone\n", { lineage: L(3) }),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["stale", "group", "done"]);
    expect(await revisionOf(a, "y.md")).toBe("");
  });

  it("refuses names that other systems cannot hold beside a live one, and those that are no notes", async () => {
    const a = device("a");
    await push(a, live("Über.md", "one\n"));
    const { outcomes } = await push(
      a,
      live("ÜBER.md", "two\n", { lineage: L(2) }),
      live("../x.md", "three\n", { lineage: L(3) }),
      live("MEMORY.md", "index\n", { lineage: L(4) }),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["taken", "refused", "refused"]);
  });

  it("gives a long row in pages, of which the last ends where the branch stands", async () => {
    const a = device("a");
    const notes = Array.from({ length: 25 }, (_, n) => live(`n${n}.md`, `note ${n}\n`, { lineage: L(n + 1) }));
    const { head } = await push(a, ...notes);
    const b = device("b");
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page++) {
      const answer = await pull(b, cursor, { limit: 10 });
      expect(answer.changes.length).toBeLessThanOrEqual(10);
      seen.push(...entries(answer).map((entry) => ("key" in entry ? entry.key : "")));
      cursor = answer.next;
    }
    expect(cursor).toBe(head);
    expect(new Set(seen).size).toBe(25);
  });
});

describe("a forget in a git repository", () => {
  it("leaves the text in no branch and no mirror, and reaches a device that stood before it", async () => {
    const [a, b] = [device("a"), device("b")];
    await push(a, live("x.md", "the canary sings\n"), live("y.md", "stays\n", { lineage: L(2) }));
    const stood = (await pull(b)).next;
    await push(a, live("z.md", "later\n", { lineage: L(3) }));
    const forgotten = await push(a, { forget: L(1) });
    expect(forgotten.outcomes).toEqual([{ outcome: "done", forget: L(1) }]);
    const page = await pull(b, stood, { tops: [stood] });
    expect(entries(page)).toMatchObject([
      { state: "forgotten", lineage: L(1), names: [nameHash("x.md")] },
      { state: "live", key: "z.md" },
    ]);
    for (const { directory } of [a, b]) {
      expect(holds(`${directory}/sync.git`, "canary")).toBe(false);
      for (const bytes of filesBelow(directory).values()) expect(bytes.includes("x.md")).toBe(false);
    }
    gitIn(bare).git("gc", "--quiet", "--prune=now");
    expect(holds(bare, "canary")).toBe(false);
    const again = await push(b, live("x.md", "the canary sings\n"));
    expect(again.outcomes).toEqual([{ outcome: "forgotten", key: "x.md" }]);
  });

  it("ends the note under every name, and frees the names", async () => {
    const a = device("a");
    await push(a, live("x.md", "one\n"), live("x.conflict-1.md", "two\n"));
    await push(a, { forget: L(1) });
    const [entry] = entries(await pull(device("b")));
    expect(entry).toEqual({
      state: "forgotten",
      lineage: L(1),
      names: [nameHash("x.conflict-1.md"), nameHash("x.md")].toSorted(),
    });
    const next = await push(a, live("x.md", "another note\n", { lineage: L(2) }));
    expect(next.outcomes).toMatchObject([{ outcome: "done" }]);
  });

  it("stands where the host allows no forced push: the note is gone from the branch, its past is not", async () => {
    gitIn(bare).git("config", "receive.denyNonFastForwards", "true");
    const a = device("a");
    await push(a, live("x.md", "the canary sings\n"));
    await push(a, { forget: L(1) });
    expect(entries(await pull(device("b")))).toMatchObject([{ state: "forgotten", lineage: L(1) }]);
    expect(await a.finish(true)).toEqual([
      expect.stringContaining("the past of memdir/user still has forgotten notes"),
    ]);
  });

  it("stays final when an old branch that has the note is merged by hand", async () => {
    const a = device("a");
    await push(a, live("x.md", "the canary sings\n"), live("y.md", "stays\n", { lineage: L(2) }));
    const old = gitIn(bare).git("rev-parse", BRANCH);
    await push(a, { forget: L(1) });
    byHand((clone) => clone.git("checkout", old, "--", "notes/x.md", "ids"));
    const b = device("b");
    expect(entries(await pull(b)).filter(({ state }) => state === "live")).toMatchObject([{ key: "y.md" }]);
    await push(b, live("z.md", "more\n", { lineage: L(3) }));
    expect(gitIn(bare).git("ls-tree", "-r", "--name-only", BRANCH)).not.toContain("x.md");
    gitIn(bare).git("gc", "--quiet", "--prune=now");
    expect(holds(bare, "canary")).toBe(false);
  });
});

describe("a push whose answer was lost", () => {
  it("gets the same answer after a hundred pushes of others and a squash, so that a note removed since stays removed", async () => {
    const [a, b] = [device("a"), device("b")];
    const created = live("x.md", "one\n");
    const first = await a.push("lost", [created]);
    if (first.outcome !== "pushed") throw new Error("the branch is there");
    for (let n = 2; n < 102; n++)
      await push(b, live("y.md", `${n}\n`, { lineage: L(2), base: await revisionOf(b, "y.md") }));
    await push(b, { key: "x.md", lineage: L(1), base: await revisionOf(b, "x.md"), state: "deleted" });
    await push(b, { forget: L(2) });
    expect(gitIn(bare).git("rev-list", "--count", BRANCH)).toBe("1");
    await pull(a);
    const again = await a.push("lost", [created]);
    expect(again).toMatchObject({ outcome: "pushed", outcomes: first.outcomes });
    expect(entries(await pull(a)).filter(({ state }) => state === "live")).toEqual([]);
  });
});

describe("a pull in pages", () => {
  it("misses nothing when notes of an earlier page are forgotten before the next one", async () => {
    const [a, b] = [device("a"), device("b")];
    const notes = ["a", "b", "c", "d", "e", "f", "g"].map((name, at) => ({ key: `${name}.md`, lineage: L(at + 1) }));
    await push(a, ...notes.map(({ key, lineage }) => live(key, `${key}\n`, { lineage })));
    const first = await pull(b, "", { limit: 3 });
    const came = new Set(entries(first).flatMap((one) => ("key" in one ? [one.key] : [])));
    expect([...came]).toEqual(["a.md", "b.md", "c.md"]);
    await push(a, { forget: L(1) }, { forget: L(2) });
    for (let { next, head } = first; next !== head;) {
      const page = await pull(b, next, { limit: 3, tops: [head] });
      for (const one of entries(page)) if ("key" in one) came.add(one.key);
      ({ next, head } = page);
    }
    expect([...came].toSorted()).toEqual(notes.map(({ key }) => key));
  });

  it("tells a device that a note which it removed is back with the text that it had", async () => {
    const [a, b] = [device("a"), device("b")];
    const { head } = await push(a, live("x.md", "one\n"));
    await push(b, live("y.md", "other\n", { lineage: L(2) }));
    const base = await revisionOf(a, "x.md");
    const gone = await push(a, { key: "x.md", lineage: L(1), base, state: "deleted" });
    const { next } = await pull(b, head);
    await push(b, live("x.md", "one\n", { base: await revisionOf(b, "x.md") }));
    expect(entries(await pull(b, next)).map((one) => "key" in one && one.key)).toEqual(["x.md"]);
    // Its cursor is from before the removal, and the branch is again as it was there.
    const news = entries(await pull(a, head, { tops: [gone.head] }));
    expect(news).toContainEqual(expect.objectContaining({ key: "x.md", state: "live", body: "one\n" }));
  });

  it("tells in a list that a squash cut off what came back since its first page", async () => {
    const [a, b] = [device("a"), device("b")];
    const { head } = await push(a, live("x.md", "one\n", { lineage: L(1) }), live("z.md", "z\n", { lineage: L(9) }));
    const base = await revisionOf(b, "x.md");
    await push(a, { key: "x.md", lineage: L(1), base, state: "deleted" });
    for (const n of [2, 3, 4]) await push(a, live(`${n}.md`, "more\n", { lineage: L(n) }));
    const first = await pull(b, head, { limit: 2 });
    expect(entries(first)).toContainEqual(expect.objectContaining({ key: "x.md", state: "deleted" }));
    await push(a, live("x.md", "one\n", { base: await revisionOf(a, "x.md") }));
    await push(a, { forget: L(9) });
    const again = await pull(b, first.next, { limit: 2, tops: [first.head] });
    expect(again.next).toBe(again.head);
    expect(entries(again)).toContainEqual(expect.objectContaining({ key: "x.md", state: "live" }));
    const more = entries(again).flatMap((one) => ("key" in one ? [one.key] : []));
    expect(more).toEqual(expect.arrayContaining(["2.md", "3.md", "4.md"]));
  });
});

describe("a branch that is not as memdir left it", () => {
  it("is told when it fell back to a backup, and where both pasts part", async () => {
    const a = device("a");
    const early = await push(a, live("x.md", "one\n"));
    const late = await push(a, live("y.md", "two\n", { lineage: L(2) }));
    gitIn(bare).git("update-ref", `refs/heads/${BRANCH}`, early.head);
    expect(await a.pull({ cursor: early.head, tops: [late.head], limit: 10 })).toEqual({ outcome: "history-changed" });
    expect(await a.pull({ cursor: late.head, tops: [], limit: 10 })).toEqual({ outcome: "history-changed" });
    expect(await a.common([late.head, early.head])).toEqual({ outcome: "common", cursor: early.head });
    const again = await a.pull({ cursor: "", tops: [], limit: 10, since: early.head });
    expect(again).toMatchObject({ changes: [{ entry: { key: "x.md" } }] });
    if (again.outcome !== "page") throw new Error("the branch is there");
    const [x] = again.changes;
    const revision = x?.entry.state === "live" ? x.entry.revision : "";
    const asked = [again.stoodAtSince?.("x.md", revision), again.stoodAtSince?.("y.md", revision)];
    expect([...asked, again.stoodAtSince?.("y.md", "")]).toEqual([true, false, false]);
  });

  it("is told when the branch was removed", async () => {
    const a = device("a");
    const { head } = await push(a, live("x.md", "one\n"));
    gitIn(bare).git("update-ref", "-d", `refs/heads/${BRANCH}`);
    expect(await a.pull({ cursor: head, tops: [head], limit: 10 })).toEqual({ outcome: "history-changed" });
  });

  it("gives a note that came without an id the same lineage on every device", async () => {
    await push(device("a"), live("x.md", "one\n"));
    byHand((clone) => clone.write("notes/by_hand.md", "typed on the host's page\n"));
    const [b, c] = [entries(await pull(device("b"))), entries(await pull(device("c")))];
    expect(b).toHaveLength(2);
    expect(b).toEqual(c);
  });

  it("takes no link, no module, no name that leads elsewhere, no second spelling and nothing too large", async () => {
    await push(device("a"), live("x.md", "one\n"));
    byHand((clone) => {
      fs.symlinkSync("/etc/passwd", `${clone.root}/notes/link.md`);
      clone.write("notes/X.md", "in other letters\n");
      clone.write("notes/e\u0301.md", "decomposed\n");
      clone.write("notes/con.md", "reserved\n");
      clone.write("notes/MEMORY.md", "an index\n");
      clone.write("notes/huge.md", "x".repeat(300_000));
      clone.write("notes/.hidden/a.md", "hidden\n");
      clone.write("README.md", "of the host\n");
      clone.write(".gitattributes", "*.md filter=evil\n");
      clone.git("update-index", "--add", "--cacheinfo", `160000,${clone.git("rev-parse", "HEAD")},notes/module.md`);
    });
    const b = device("b");
    const found = entries(await pull(b)).map((entry) => ("key" in entry ? entry.key : ""));
    expect(found.map((key) => key.toLowerCase())).toEqual(["x.md"]);
    const notices = (await b.finish(true)).join("\n");
    expect(notices).toMatch(/a link or a module|left alone/u);
    expect(notices).toContain("so are");
    await push(b, live("y.md", "two\n", { lineage: L(2) }));
    expect(gitIn(bare).git("ls-tree", "-r", "--name-only", BRANCH)).toContain("README.md");
  });

  it("takes no path that leaves the tree, which only a tree made by hand can have", async () => {
    await push(device("a"), live("x.md", "one\n"));
    const git = gitIn(bare);
    const blob = git.git("rev-parse", `${BRANCH}:notes/x.md`);
    const tree = (entry: string): string =>
      execFileSync("git", ["--git-dir", bare, "mktree"], { input: `${entry}\n`, encoding: "utf8" }).trim();
    const inner = tree(`100644 blob ${blob}\tevil.md`);
    const up = tree(`040000 tree ${inner}\t..`);
    const all = tree(`040000 tree ${up}\tnotes`);
    const commit = git.git("commit-tree", all, "-p", BRANCH, "-m", "hostile");
    git.git("update-ref", `refs/heads/${BRANCH}`, commit);
    const b = device("b");
    expect(entries(await pull(b)).filter(({ state }) => state === "live")).toEqual([]);
    expect(await b.finish(true)).toEqual([expect.stringContaining("notes/../evil.md in memdir/user is left alone")]);
  });
});

describe("a repository that cannot be used", () => {
  it("is told apart: not there, only readable, asking for a password", async () => {
    const gone = device("a", `${root}/nowhere.git`);
    expect(await gone.pull({ cursor: "", tops: [], limit: 10 })).toMatchObject({ outcome: "not-found" });
    const server = http.createServer((_, response) => {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="notes"' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const asking = device("b", `http://127.0.0.1:${port}/notes.git`);
    expect(await asking.pull({ cursor: "", tops: [], limit: 10 })).toMatchObject({
      outcome: "denied",
      reason: "login",
    });
    server.close();
    const nobody = device("c", `http://127.0.0.1:${port}/notes.git`);
    expect(await nobody.pull({ cursor: "", tops: [], limit: 10 })).toMatchObject({ outcome: "offline" });
  });

  it("refuses a push where a hook of the host does, and loses nothing of it", async () => {
    fs.mkdirSync(`${bare}/hooks`, { recursive: true });
    fs.writeFileSync(`${bare}/hooks/pre-receive`, "#!/bin/sh\necho 'this branch is read-only' >&2\nexit 1\n", {
      mode: 0o755,
    });
    const a = device("a");
    const answer = await a.push("p", [live("x.md", "one\n")]);
    expect(answer).toMatchObject({ outcome: "denied", reason: "role" });
    fs.rmSync(`${bare}/hooks/pre-receive`);
    expect(await a.push("p", [live("x.md", "one\n")])).toMatchObject({ outcome: "pushed" });
  });

  it("makes its mirror again where a killed process left it broken", async () => {
    const a = device("a");
    const { head } = await push(a, live("x.md", "one\n"));
    fs.writeFileSync(`${a.directory}/sync.git/refs/memdir/remote.lock`, "");
    const b = device("b");
    await push(b, live("y.md", "two\n", { lineage: L(2) }));
    expect(entries(await pull(a, head))).toMatchObject([{ key: "y.md" }]);
    fs.rmSync(`${a.directory}/sync.git/objects`, { recursive: true });
    fs.mkdirSync(`${a.directory}/sync.git/objects`);
    expect(entries(await pull(device("a"), head))).toMatchObject([{ key: "y.md" }]);
  });

  it("runs no program that settings of the person or the machine name", async () => {
    const ran = `${root}/ran`;
    const script = `${root}/evil.sh`;
    fs.writeFileSync(script, `#!/bin/sh\ntouch '${ran}'\ncat\n`, { mode: 0o755 });
    fs.mkdirSync(`${root}/hooks`);
    fs.copyFileSync(script, `${root}/hooks/pre-push`);
    fs.copyFileSync(script, `${root}/hooks/reference-transaction`);
    fs.writeFileSync(
      `${root}/.gitconfig`,
      `[core]\n\thooksPath = ${root}/hooks\n\tattributesFile = ${root}/attributes\n\tfsmonitor = ${script}\n[filter "evil"]\n\tclean = ${script}\n\tsmudge = ${script}\n[gpg]\n\tprogram = ${script}\n[commit]\n\tgpgsign = true\n`,
    );
    fs.writeFileSync(`${root}/attributes`, "* filter=evil\n");
    const a = device("a");
    await push(a, live("x.md", "one\n"));
    expect(entries(await pull(device("b")))).toMatchObject([{ body: "one\n" }]);
    expect(fs.existsSync(ran)).toBe(false);
  });
});
