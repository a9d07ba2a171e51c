import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../../src/adapters/files/journal.ts";
import { lineDiff, mergeNotes } from "../../../src/adapters/files/merge.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import type { Transaction } from "../../../src/core/notes/history.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { scratch } from "../../support/scratch.ts";
import { bytes, noteText } from "../../support/store.ts";

const LINEAGE = "0123456789abcdef01234567";
const one = (seq: number, text = `text ${seq}`, more: Partial<Transaction> = {}): Transaction => ({
  seq,
  time: "2026-03-02T09:00:00.000Z",
  actor: "user",
  reason: `r${seq}`,
  changes: [{ file: "a.md", before: undefined, after: bytes(text) }],
  ...more,
});

function journal() {
  const state = scratch();
  const open = () => openJournal(state, nodeFiles);
  const file = `${state}/journal.jsonl`;
  const seqs = (all: readonly Transaction[]): number[] => all.map(({ seq }) => seq);
  return { state, open, file, seqs, text: () => fs.readFileSync(file, "utf8") };
}

describe("the journal of a store", () => {
  it("gives back what was committed, byte for byte, to another process too", () => {
    const { open } = journal();
    const odd = [new Uint8Array([0xff, 0]), new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), new Uint8Array(), bytes("é\r\n")];
    const changes = [
      ...odd.map((after, at) => ({
        file: `${at}.md`,
        before: at === 0 ? bytes("old") : undefined,
        after,
        lineage: LINEAGE,
      })),
      { file: "gone.md", before: odd[0], after: undefined },
    ];
    open().commit(one(1, "", { changes }));
    const [read] = open().read();
    expect(read?.changes.map(({ before, after }) => [before && [...before], after && [...after]])).toEqual(
      changes.map(({ before, after }) => [before && [...before], after && [...after]]),
    );
    expect(read?.changes.map(({ lineage }) => lineage)).toEqual([LINEAGE, LINEAGE, LINEAGE, LINEAGE, undefined]);
    expect(read).toMatchObject({ seq: 1, actor: "user", reason: "r1", time: "2026-03-02T09:00:00.000Z" });
  });

  it.each(["time", "actor", "reason", "changes"])(
    "refuses a line whose %s has another form, whole as it is",
    (field) => {
      const { open, file, text } = journal();
      open().commit(one(1));
      const json = JSON.stringify({
        ...JSON.parse(
          text()
            .split("\n")
            .find((line) => line !== "")
            ?.slice(17) ?? "",
        ),
        [field]: 7,
      });
      fs.appendFileSync(file, `${sha256(json).slice(0, 16)} ${json}\n`);
      expect(() => open().read()).toThrow("the journal holds a line of unknown form; it was written by a newer memdir");
    },
  );

  it("knows what is unfinished until it is told, and counts on", () => {
    const { open, seqs } = journal();
    const first = open();
    expect([first.nextSeq(), first.size(), first.isFinished()]).toEqual([1, 0, true]);
    first.commit(one(1));
    expect([first.nextSeq(), open().nextSeq(), first.isFinished()]).toEqual([2, 2, false]);
    expect(seqs(open().unfinished())).toEqual([1]);
    first.finish();
    expect([open().isFinished(), open().unfinished()]).toEqual([true, []]);
    open().commit(one(2));
    open().commit(one(3));
    expect(seqs(first.unfinished())).toEqual([2, 3]);
    expect(first.nextSeq()).toBe(4);
    expect(seqs(first.read())).toEqual([1, 2, 3]);
  });

  it("leaves out what was aborted, and does not give its number again", () => {
    const { open, seqs } = journal();
    open().commit(one(1));
    open().commit(one(2));
    open().abort(2);
    expect(seqs(open().read())).toEqual([1]);
    expect([open().nextSeq(), open().isFinished()]).toEqual([3, true]);
  });

  it("goes on after a torn line, and after a mark that was lost", () => {
    const { open, seqs, file, state } = journal();
    open().commit(one(1));
    open().finish();
    fs.appendFileSync(file, '\n0123456789abcdef {"seq":9,"time"');
    open().commit(one(2));
    expect(seqs(open().read())).toEqual([1, 2]);
    expect(seqs(open().unfinished())).toEqual([2]);
    for (const name of fs.readdirSync(state)) if (name !== "journal.jsonl") fs.rmSync(`${state}/${name}`);
    expect([open().isFinished(), open().nextSeq()]).toEqual([false, 3]);
    expect(seqs(open().unfinished())).toEqual([1, 2]);
  });

  it("drops what the archive keeps, and counts on when nothing is left", () => {
    const { open, seqs, state } = journal();
    for (const seq of [1, 2, 3]) open().commit(one(seq));
    fs.writeFileSync(`${state}/journal.jsonl.new`, "left of a killed process");
    open().dropThrough(2);
    expect(seqs(open().read())).toEqual([3]);
    open().dropThrough(3);
    expect([open().read(), open().nextSeq(), open().isFinished()]).toEqual([[], 4, true]);
    for (const name of fs.readdirSync(state)) if (name !== "journal.jsonl") fs.rmSync(`${state}/${name}`);
    expect(open().nextSeq()).toBe(4);
  });

  it("takes another's past over without anything to do, and loses rewritten words from the disk", () => {
    const { open, seqs, text } = journal();
    open().adopt([one(3), one(7, "forget these words")]);
    expect([seqs(open().read()), open().unfinished(), open().isFinished(), open().nextSeq()]).toEqual([
      [3, 7],
      [],
      true,
      8,
    ]);
    open().rewrite(({ changes, ...rest }) => ({ ...rest, reason: "forgotten", changes: changes.slice(1) }));
    expect(text()).not.toContain("forget these");
    expect(open().read()).toMatchObject([
      { seq: 3, reason: "forgotten", changes: [] },
      { seq: 7, changes: [] },
    ]);
    expect(open().nextSeq()).toBe(8);
  });

  it("does not finish an adopted past again when its mark is lost", () => {
    const { open, state, seqs } = journal();
    open().adopt([one(3), one(7)]);
    open().commit(one(8));
    for (const name of fs.readdirSync(state)) if (name !== "journal.jsonl") fs.rmSync(`${state}/${name}`);
    expect(seqs(open().unfinished())).toEqual([8]);
  });
});

it("the name of a journal is put on disk with its first line and no other, as each change waits for the disk", () => {
  const state = scratch();
  let synced = 0;
  const files = { ...nodeFiles, syncDirectory: (at: string) => (synced++, nodeFiles.syncDirectory(at)) };
  const log = openJournal(state, files);
  expect([1, 2, 3].map((seq) => (log.commit(one(seq)), synced))).toEqual([1, 1, 1]);
});

describe("a merge of two texts", () => {
  const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
  const base = lines("1", "2", "3", "4", "5");
  const merge = (ours: string, theirs: string, from = base) => mergeNotes(from, ours, theirs, yamlFrontmatter);

  it("takes both sides' lines, or neither where they meet", () => {
    expect(merge(lines("one", "2", "3", "4", "5"), lines("1", "2", "3", "4", "five"))).toBe(
      lines("one", "2", "3", "4", "five"),
    );
    expect(merge(lines("1", "two", "3", "4", "5"), lines("1", "zwei", "3", "4", "5"))).toBeUndefined();
    expect(merge(lines("1", "two", "3", "4", "5"), lines("1", "two", "3", "4", "5", "6"))).toBe(
      lines("1", "two", "3", "4", "5", "6"),
    );
    expect([merge("x", "x"), merge("x", base), merge(base, "x")]).toEqual(["x", "x", "x"]);
    expect(merge("1\r\n2\r\n3\r\n4\r\nend", "0\r\n1\r\n2\r\n3\r\n4\r\n5", "1\r\n2\r\n3\r\n4\r\n5")).toBe(
      "0\r\n1\r\n2\r\n3\r\n4\r\nend",
    );
  });

  it("never breaks frontmatter that was sound", () => {
    const from = noteText("a", "d", "one\n\ntwo\n\nthree");
    const broken = from.replace("description: d", "description: [");
    expect(merge(broken, from.replace("three", "3"), from)).toBeUndefined();
    expect(merge(from.replace("---\n\none", "\none"), from.replace("three", "3"), from)).toBeUndefined();
    expect(merge(broken.replace("one", "1"), broken.replace("three", "3"), broken)).toBe(
      broken.replace("one", "1").replace("three", "3"),
    );
  });

  it("is shown as a unified diff", () => {
    expect(lineDiff(base, base)).toBe("");
    expect(lineDiff("", "a\nb\n")).toBe("@@ -0,0 +1,2 @@\n+a\n+b");
    expect(lineDiff("a\nb\n", "")).toBe("@@ -1,2 +0,0 @@\n-a\n-b");
    const long = Array.from({ length: 12 }, (_, at) => `l${at}`);
    expect(lineDiff(lines(...long), lines(...long.with(6, "six")))).toBe(
      "@@ -4,7 +4,7 @@\n l3\n l4\n l5\n-l6\n+six\n l7\n l8\n l9",
    );
    expect(lineDiff(lines(...long), lines("new", ...long))).toBe("@@ -1,3 +1,4 @@\n+new\n l0\n l1\n l2");
    expect(lineDiff("a", "a\nb")).toBe("@@ -1,1 +1,2 @@\n a\n+b");
  });
});
