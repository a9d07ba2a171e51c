import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { judge } from "../../bench/torture/check.mjs";
import { judgeLines, purgedBytes } from "../../bench/torture/life-check.mjs";
import { openHome } from "../../bench/torture/life-home.mjs";

let root: string;
let home: ReturnType<typeof openHome>;
let user: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "memdir-oracle-"));
  home = openHome({ root, dist: root, random: undefined, counts: { kills: 0, stops: 0 } });
  user = join(root, "home", ".memdir", "user", "memory");
  mkdirSync(user, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const LINE = "tk-qz1x-0-end";
const write = { note: "qz1x", kind: "append", line: LINE, removed: [], begin: 1, end: 2, acknowledged: true };
const removal = { ...write, kind: "save", line: undefined, removed: [LINE], begin: 5, end: 6, isJudged: true };
const move = { note: "qz1x", kind: "move", begin: 4, end: 7, acknowledged: true };

function judged(operations: object[], live: string, exported: string[] = []) {
  writeFileSync(join(user, "project_qz1x.conflict-ab.md"), live);
  const notes = new Map([["qz1x", { id: "qz1x", purge: undefined }]]);
  const { lost, resurrected } = judgeLines({ notes, operations }, home, new Set(exported));
  return { lost: lost.length, resurrected: resurrected.length };
}

describe("lines of notes", () => {
  it("are found in any live note, a copy too", () => {
    expect(judged([write], `${LINE} appended\n`)).toEqual({ lost: 0, resurrected: 0 });
  });
  it("are lost when no note has them, whatever history knows", () => {
    expect(judged([write], "", [LINE])).toEqual({ lost: 1, resurrected: 0 });
  });
  it("are not lost when a person took them away", () => {
    expect(judged([write, removal], "")).toEqual({ lost: 0, resurrected: 0 });
  });
  it("come back when they are live after they were removed", () => {
    expect(judged([write, removal], LINE)).toEqual({ lost: 0, resurrected: 1 });
  });
  it("may be carried along by whoever worked on the note at that moment", () => {
    expect(judged([write, removal, move], LINE)).toEqual({ lost: 0, resurrected: 0 });
    expect(judged([write, removal, { ...move, begin: 7, end: 8 }], LINE)).toEqual({ lost: 0, resurrected: 1 });
  });
  it("are excused by an editor's save only where history has them", () => {
    const made = { ...write, kind: "revise" };
    const save = { ...removal, removed: [], begin: 1.5, end: 3 };
    expect(judged([made, save], "", [LINE])).toEqual({ lost: 0, resurrected: 0 });
    expect(judged([made, save], "")).toEqual({ lost: 1, resurrected: 0 });
    expect(judged([made, { ...save, begin: 3, end: 4 }], "", [LINE])).toEqual({ lost: 1, resurrected: 0 });
  });
});

describe("bytes of a purged note", () => {
  const notes = new Map([["qz1x", { id: "qz1x", purge: { acknowledged: true } }]]);
  const found = () => purgedBytes({ notes }, home).found.map(({ place }: { place: string }) => place);
  const state = () => join(root, "home", ".memdir", "stores", "one");
  beforeEach(() => mkdirSync(state(), { recursive: true }));

  it("are not found where there are none", () => {
    writeFileSync(join(state(), "journal.jsonl"), "tk-qz11x-0-end of another note\n");
    expect(found()).toEqual([]);
  });
  it.each(["index.db-wal", "displaced", "journal.jsonl"])("are found in %s", (name) => {
    appendFileSync(join(state(), name), `\0\u{1}${LINE}\0`);
    expect(found()).toEqual([join(state(), name)]);
  });
  it("are found in base64, and in the name of a file", () => {
    const base64 = Buffer.from(`a note that is not UTF-8: ${LINE}\n`).toString("base64");
    writeFileSync(join(state(), "journal.jsonl"), JSON.stringify({ base64 }));
    writeFileSync(join(state(), "project_qz1x.md"), "");
    expect(found()).toHaveLength(2);
  });
  it("are found in git's objects, loose and packed, reachable or not", () => {
    const directory = join(state(), "history.git");
    const git = (args: string[], input = "") =>
      execFileSync("git", ["--git-dir", directory, ...args], { input, stdio: ["pipe", "pipe", "ignore"] }).toString();
    git(["init", "--bare", "--quiet", directory]);
    const blob = git(["hash-object", "-w", "--stdin"], LINE);
    expect(found()).toEqual([directory]);
    git(["pack-objects", "--quiet", join(directory, "objects", "pack", "pack")], blob);
    rmSync(join(directory, "objects", blob.slice(0, 2)), { recursive: true });
    expect(found()).toEqual([directory]);
  });
});

describe("a token of a note that was forgotten", () => {
  const token = "tk-1-0-0-end";
  const made = { kind: "create", file: "hot1.md", token, carried: [token], begin: 1, end: 2, acknowledged: true };
  const removed = { kind: "delete", file: "hot1.md", carried: [], begin: 3, end: 4, acknowledged: true };
  const forgotten = { kind: "forget", file: "hot1.md", begin: 5, end: 6, acknowledged: true };
  const places = (operations: object[], files: Record<string, string>): string[] => {
    const found = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
    const { resurrected } = judge(root, operations, found);
    return [...new Set(resurrected.flatMap(({ where }: { where: string[] }) => where))].toSorted();
  };
  const copy = { "notes/hot1.conflict-1.md": token, "state/index.db-wal": token };
  const ofCopy = `- [hot1](hot1.conflict-1.md): made as ${token}`;
  const ofNote = `- [hot1](hot1.md): made as ${token}`;

  it("is not found where nothing holds it", () => {
    expect(places([made, forgotten], { "notes/MEMORY.md": "- [other](hot2.md)" })).toEqual([]);
  });
  it("is found wherever it is when the forgotten note held it", () => {
    const files = { ...copy, "notes/MEMORY.md": ofCopy };
    expect(places([made, forgotten], files)).toEqual(Object.keys(files).toSorted());
  });
  it("may stay in a copy of an earlier note of that name, and in what lists the copy", () => {
    expect(places([made, removed, forgotten], { ...copy, "notes/MEMORY.md": ofCopy })).toEqual([]);
  });
  it("may not stay in what lists a copy that is not there", () => {
    const files = { "notes/MEMORY.md": ofCopy, "state/index.db-wal": token };
    expect(places([made, removed, forgotten], files)).toEqual(Object.keys(files).toSorted());
  });
  it("may not stay in another line of MEMORY.md, or in another file", () => {
    const files = { ...copy, "notes/MEMORY.md": `${ofCopy}\n${ofNote}`, "state/usage.jsonl": token };
    expect(places([made, removed, forgotten], files)).toEqual(["notes/MEMORY.md", "state/usage.jsonl"]);
  });
});
