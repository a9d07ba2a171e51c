import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openGitArchive, importStream } from "../../../src/adapters/git/archive.ts";
import { hasGit } from "../../../src/adapters/git/find.ts";
import { readCommits } from "../../../src/adapters/git/log.ts";
import type { FileChange, Transaction } from "../../../src/core/notes/history.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, textOf } from "../../support/store.ts";

const LINEAGE = "0123456789abcdef01234567";
const change = (file: string, text: string | undefined, lineage?: string): FileChange => ({
  file,
  before: undefined,
  after: text === undefined ? undefined : bytes(text),
  ...(lineage !== undefined && { lineage }),
});
const version = (seq: number, changes: readonly FileChange[], more: Partial<Transaction> = {}): Transaction => ({
  seq,
  time: `2026-03-02T09:00:0${seq % 10}.000Z`,
  actor: "user",
  reason: `reason ${seq}`,
  changes,
  ...more,
});
const archive = (transactions: readonly Transaction[]) => {
  const directory = `${scratch(memoryDirectory())}/history.git`;
  const open = openGitArchive(directory, process.env);
  open.append(transactions);
  return { open, directory };
};

describe("a past in git", () => {
  const ODD = ['a "quoted".md', "back\\slash.md", "new\nline.md", "é ü.md", "%41 %.md", "sub/deep/x.md", "- dash.md"];

  it("goes on where git has packed its references", () => {
    const { directory } = archive([version(1, [change("a.md", "1")])]);
    execFileSync("git", ["-C", directory, "pack-refs", "--all"]);
    const again = openGitArchive(directory, process.env);
    expect(again.versions().map(({ seq }) => seq)).toEqual([1]);
    again.append([version(2, [change("a.md", "2")])]);
    expect(
      openGitArchive(directory, process.env)
        .versions()
        .map(({ seq }) => seq),
    ).toEqual([2, 1]);
  });

  it("takes a lineage from no name of who wrote, and from no reason", () => {
    const said = `Memdir-Lineage: ${"f".repeat(24)} a.md`;
    const { open } = archive([version(1, [change("a.md", "1")], { actor: `ann ${said}`, reason: `x\t${said}` })]);
    expect(open.lives().at(1, "a.md")).not.toBe("f".repeat(24));
    expect(open.lives().namesOf("f".repeat(24))).toEqual(new Set());
  });

  it("has every name, every byte and every lineage back", () => {
    const odd = new Uint8Array([0xff, 0, 0x0a, 0x0d]);
    const past = [
      version(1, [
        ...ODD.map((file) => change(file, `text of ${file}`, LINEAGE)),
        { file: "odd.md", before: undefined, after: odd },
      ]),
      version(5, [change(ODD[0] ?? "", undefined), change("empty.md", ""), change(ODD[1] ?? "", "changed")]),
      version(6, [], { reason: "nothing changed" }),
    ];
    const { open } = archive(past);
    const told = open.transactions();
    expect(told.map(({ seq, time, actor, reason }) => ({ seq, time, actor, reason }))).toEqual(
      past.map(({ seq, time, actor, reason }) => ({ seq, time, actor, reason })),
    );
    const sorted = (changes: readonly FileChange[]): unknown =>
      changes.map(({ file, after, lineage }) => [file, after && [...after], lineage]).toSorted();
    expect(told.map(({ changes }) => sorted(changes))).toEqual(past.map(({ changes }) => sorted(changes)));
    expect(open.versions().map(({ id, files }) => [id, files.length])).toEqual([
      ["6", 0],
      ["5", 3],
      ["1", 8],
    ]);
    expect(open.versions(ODD[1])).toMatchObject([
      { seq: 5, files: expect.arrayContaining([{ file: ODD[1], kind: "changed" }]) },
      { seq: 1 },
    ]);
    expect(open.versions(ODD[0])[0]?.files).toContainEqual({ file: ODD[0], kind: "deleted" });
    expect(open.versions("never.md")).toEqual([]);
    expect([4, 5, 99].map((seq) => textOf(open.contentAt(seq, ODD[1] ?? "")))).toEqual([
      `text of ${ODD[1] ?? ""}`,
      "changed",
      "changed",
    ]);
    expect([open.contentAt(0, "odd.md"), open.contentAt(5, ODD[0] ?? "")]).toEqual([undefined, undefined]);
    expect(open.filesAt(4)).toEqual([...ODD, "odd.md"].toSorted());
    expect(open.filesAt(5)).toEqual([...ODD.slice(1), "odd.md", "empty.md"].toSorted());
    expect([...(open.contentsAt(1).get("odd.md") ?? [])]).toEqual([...odd]);
    expect(open.contentsAt(5).has(ODD[0] ?? "")).toBe(false);
    expect([
      open.holds("odd.md", odd),
      open.holds("odd.md", bytes("x")),
      open.holds(ODD[0] ?? "", bytes(`text of ${ODD[0] ?? ""}`)),
    ]).toEqual([true, false, false]);
    expect(open.lives().present.get(ODD[2] ?? "")?.lineage).toBe(LINEAGE);
    expect([open.lastSeq(), open.verify()]).toEqual([6, []]);
  });

  it("takes what looks like its own marks for words", () => {
    const reason = "x\n\nMemdir-Seq: 99\u001e\u001f";
    const { open } = archive([
      version(1, [change("a.md", "a")], { reason, actor: "an <a@b> actor" }),
      version(2, [change("a.md", "b")], { reason: "", actor: "user" }),
      version(3, [change("a.md", "c")], { reason: `${"long ".repeat(60)}` }),
    ]);
    const [third, second, first] = open.versions();
    expect(first).toMatchObject({ seq: 1, reason: "x Memdir-Seq: 99" });
    expect(second).toMatchObject({ seq: 2, reason: "change" });
    expect(third?.reason.length).toBeLessThanOrEqual(200);
    expect(open.versions()).toHaveLength(3);
  });

  it("is taken over once, goes on from its head, and is rewritten whole", () => {
    const { open, directory } = archive([version(1, [change("a.md", "one")]), version(2, [change("b.md", "two")])]);
    open.append([version(2, [change("b.md", "other")]), version(3, [change("a.md", "three")])]);
    expect(open.versions().map(({ seq }) => seq)).toEqual([3, 2, 1]);
    expect(textOf(open.contentAt(3, "b.md"))).toBe("two");
    const parent = fs.readFileSync(`${directory}/refs/heads/main`, "utf8");
    open.rewrite(({ changes, ...rest }) => ({ ...rest, changes: changes.filter(({ file }) => file !== "a.md") }));
    expect(fs.readFileSync(`${directory}/refs/heads/main`, "utf8")).not.toBe(parent);
    expect(open.contentAt(3, "a.md")).toBeUndefined();
    expect(textOf(openGitArchive(directory, process.env).contentAt(3, "b.md"))).toBe("two");
    expect(fs.readdirSync(`${directory}/..`)).toEqual(["history.git"]);
    open.append([version(4, [change("c.md", "four")])]);
    expect(open.versions().map(({ seq, files }) => [seq, files.length])).toEqual([
      [4, 1],
      [3, 0],
      [2, 1],
      [1, 0],
    ]);
  });

  it("is empty where nothing is, and says what is damaged", () => {
    const directory = `${scratch(memoryDirectory())}/history.git`;
    const open = openGitArchive(directory, process.env);
    open.append([]);
    open.rewrite((one) => one);
    expect([
      open.versions(),
      open.transactions(),
      open.lastSeq(),
      open.verify(),
      open.packing(),
      fs.existsSync(directory),
    ]).toEqual([[], [], 0, [], undefined, false]);
    open.append([version(1, [change("a.md", "one")])]);
    expect(fs.statSync(directory).mode & 0o077).toBe(0);
    const objects = fs.readdirSync(`${directory}/objects`).filter((name) => name.length === 2 || name === "pack");
    for (const name of objects)
      for (const file of fs.readdirSync(`${directory}/objects/${name}`))
        fs.rmSync(`${directory}/objects/${name}/${file}`);
    expect(open.verify()).not.toEqual([]);
  });
});

describe("the parts of it", () => {
  it("are written as git's own stream", () => {
    const stream = importStream(
      [
        version(1, [change('a"b.md', "é", LINEAGE), change("gone.md", undefined)], {
          time: "1960-01-01T00:00:00.000Z",
        }),
      ],
      "0123",
    ).toString();
    expect(stream).toContain("author user <user@memdir> 0 +0000\n");
    expect(stream).toContain('from 0123\nM 100644 inline "a\\"b.md"\ndata 2\né\nD "gone.md"\n');
    expect(stream).toContain(`Memdir-Lineage: ${LINEAGE} a%22b.md\n`);
    expect(stream.endsWith("done\n")).toBe(true);
    expect(
      importStream([version(1, []), version(2, [])], "0123")
        .toString()
        .match(/^from /gmu),
    ).toHaveLength(1);
  });

  it("are read without commits of others", () => {
    const [seq, plain] = ["reason\n\nMemdir-Seq: 1\nMemdir-Time: t\nMemdir-Actor: a\n", "only a message\n"];
    const log = Buffer.from(
      `\u001e${seq}\u001f\0:000000 100644 0 abc A\0a.md\0:1 0 1 0 D\0b.md\0:1 1 1 def M\0c.md\0\u001e${plain}\u001f\u001ex\n\nMemdir-Seq: 1.5\n\u001f`,
    );
    expect(readCommits(() => log)).toEqual([
      {
        version: {
          id: "1",
          seq: 1,
          time: "t",
          actor: "a",
          reason: "reason",
          files: [
            { file: "a.md", kind: "added" },
            { file: "b.md", kind: "deleted" },
            { file: "c.md", kind: "changed" },
          ],
        },
        blobs: new Map([
          ["a.md", "abc"],
          ["b.md", undefined],
          ["c.md", "def"],
        ]),
        lineages: new Map(),
      },
    ]);
  });

  it("need a git on the path", () => {
    const root = scratch();
    fs.mkdirSync(`${root}/bin`);
    expect([hasGit({ PATH: `${root}/bin` }), hasGit({ PATH: "" }), hasGit({})]).toEqual([false, false, false]);
    fs.writeFileSync(`${root}/bin/git`, "");
    expect([hasGit({ PATH: `/none::${root}/bin` }), hasGit({ Path: `${root}/bin` })]).toEqual([true, true]);
  });
});
