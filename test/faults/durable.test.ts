import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openCursors } from "../../src/adapters/files/capture-jobs.ts";
import { openCheckpointFiles } from "../../src/adapters/files/checkpoint-files.ts";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { openGitArchive } from "../../src/adapters/git/archive.ts";
import { recordsIn } from "../../src/app/workspace/transfer-records.ts";
import { recordDisk } from "../support/recorded-disk.ts";
import { scratch } from "../support/scratch.ts";
import { openTestStore, bytes, noteText } from "../support/store.ts";
import { BY, OPERATIONS, prepareStore } from "../support/store-operations.ts";

/**
 * What a power loss may take from a finished operation: marks, caches and the number of
 * the layout, which are made again, temporary names that go,
 * and copies of what was replaced.
 */
const MAY_GO =
  /journal\.mark$|\/displaced(?:\/|$)|\.memdir-[0-9a-f]+\.tmp$|index\.db|lock\.db|usage\.jsonl|state\/layout$|\/directories/u;

function lasting(paths: readonly string[], root: string): string[] {
  return paths.filter((one) => !MAY_GO.test(one)).map((one) => path.relative(root, one));
}

describe("with the real file system, once it is acknowledged,", () => {
  it.each(OPERATIONS.filter(({ name }) => !["use", "rebuild of the index"].includes(name)))(
    "a $name is on disk, content and names",
    ({ outside, run }) => {
      const root = scratch();
      const store = openTestStore(root, { git: false });
      prepareStore(store, nodeFiles);
      outside?.(nodeFiles, store.directory);
      store.reconcile("full");
      const disk = recordDisk(root);
      run(store);
      expect(lasting(disk.unsyncedFiles(), root)).toEqual([]);
      expect(lasting(disk.unsyncedNames(), root)).toEqual([]);
      store.close();
    },
  );

  it("the first note of a store is on disk, its journal and all its directories with it", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    const disk = recordDisk(root);
    store.commit([{ kind: "create", file: "deep/a.md", content: noteText("a", "About a", "one") }], BY);
    expect(fs.existsSync(`${root}/state/journal.jsonl`)).toBe(true);
    expect(disk.syncs).toBeGreaterThanOrEqual(5);
    expect(lasting(disk.unsyncedFiles(), root)).toEqual([]);
    expect(lasting(disk.unsyncedNames(), root)).toEqual([]);
    store.close();
  });

  it("a note is on disk with its name also where MEMORY.md is a link, which is left alone", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    fs.mkdirSync(store.directory, { recursive: true });
    fs.writeFileSync(`${root}/elsewhere`, "");
    fs.symlinkSync(`${root}/elsewhere`, `${store.directory}/MEMORY.md`);
    const disk = recordDisk(root);
    store.commit([{ kind: "create", file: "a.md", content: noteText("a", "About a", "one") }], BY);
    expect(lasting(disk.unsyncedFiles(), root)).toEqual([]);
    expect(lasting(disk.unsyncedNames(), root)).toEqual([]);
    store.close();
  });

  it("a change stands in the journal on disk before any note is touched", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    const seen: string[][] = [];
    const disk = recordDisk(root, (name) => {
      if (name.startsWith(`${root}/notes/`) && name.endsWith(".md"))
        seen.push(
          lasting([...disk.unsyncedFiles(), ...disk.unsyncedNames()], `${root}/state`).filter((one) =>
            one.startsWith("journal"),
          ),
        );
    });
    store.commit([{ kind: "create", file: "a.md", content: noteText("a", "About a", "one") }], BY);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.flat()).toEqual([]);
    store.close();
  });

  it("a forget is noted on disk before anything of the note goes", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    prepareStore(store, nodeFiles);
    const seen: boolean[] = [];
    const disk = recordDisk(root, (name) => {
      if (name !== `${root}/notes/private.md` || !fs.existsSync(name)) return;
      const waiting = [...disk.unsyncedFiles(), ...disk.unsyncedNames()];
      seen.push(waiting.some((one) => one.includes("forget-pending")));
    });
    expect(store.forget("private.md")).toBeDefined();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).not.toContain(true);
    store.close();
  });

  it("a move between stores is noted on disk when it begins and when it ends", () => {
    const home = scratch();
    const records = recordsIn(home);
    const disk = recordDisk(home);
    const end = { scope: "user", directory: "/a", state: "/b", excluded: [] } as const;
    records.begin({
      id: "1",
      time: "2026-03-02T09:00:00Z",
      pid: 1,
      from: end,
      to: { ...end, scope: "project" },
      files: [],
    });
    expect([...disk.unsyncedFiles(), ...disk.unsyncedNames().filter((name) => name.includes("pending"))]).toEqual([]);
    records.finish("1");
    expect([...disk.unsyncedFiles(), ...disk.unsyncedNames()]).toEqual([]);
    expect(fs.readdirSync(home, { recursive: true }).join(" ")).toContain("1.json");
  });

  it("a cursor of capture is on disk", () => {
    const root = scratch();
    const directory = path.join(root, "cursors");
    const disk = recordDisk(root);
    const cursors = openCursors({ directory, files: nodeFiles, newId: () => "1" });
    const key = { agent: "claude-code", session: "s", store: "project" };
    cursors.write(key, { offset: 12, line: 1, after: undefined, fingerprint: "f", turn: "t", time: 1 });
    expect(cursors.read(key)).toMatchObject({ offset: 12 });
    expect([...disk.unsyncedFiles(), ...disk.unsyncedNames()]).toEqual([]);
  });

  it("a checkpoint is on disk, its name too", () => {
    const root = scratch();
    const directory = path.join(root, "checkpoints");
    const disk = recordDisk(root);
    openCheckpointFiles(directory, nodeFiles).add("task", "0123456789", "what is left to do");
    expect([...disk.unsyncedFiles(), ...disk.unsyncedNames()]).toEqual([]);
    expect(fs.readdirSync(directory)).toEqual(["task-0123456789.md"]);
  });
});

describe("the machine's file system", () => {
  it("puts contents on disk before it returns, and names when it is asked to", () => {
    const root = scratch();
    const disk = recordDisk(root);
    nodeFiles.create(`${root}/a`, bytes("one"));
    nodeFiles.append(`${root}/a`, bytes("two"));
    expect(disk.syncs).toBe(2);
    expect(disk.unsyncedFiles()).toEqual([]);
    expect(disk.unsyncedNames()).toEqual([`${root}/a`]);
    nodeFiles.syncDirectory(root);
    expect(disk.unsyncedNames()).toEqual([]);
  });

  it("puts the names of new directories on disk before it returns", () => {
    const root = scratch();
    const disk = recordDisk(root);
    nodeFiles.makeDirectory(`${root}/b/c`);
    expect(fs.statSync(`${root}/b/c`).isDirectory()).toBe(true);
    expect([disk.syncs, disk.unsyncedNames()]).toEqual([2, []]);
  });
});

/** Since 2.36 git tells how often it asked for something to be on disk. */
const [major = 0, minor = 0] =
  execFileSync("git", ["--version"], { encoding: "utf8" }).match(/\d+/gu)?.map(Number) ?? [];

describe.runIf(major > 2 || minor >= 36)("the history in git", () => {
  it("is on disk in all its parts when a transaction was appended: each object, and the reference to the newest", () => {
    const root = scratch();
    const bin = path.join(root, "bin");
    const usual = process.env["PATH"];
    fs.mkdirSync(bin);
    const traced = `#!/bin/sh\nGIT_TRACE2_EVENT="${root}/trace" PATH="${usual}" exec git "$@"\n`;
    fs.writeFileSync(`${bin}/git`, traced, { mode: 0o755 });
    const archive = openGitArchive(`${root}/history.git`, { ...process.env, PATH: `${bin}:${usual}` });
    const changes = [{ file: "a.md", before: undefined, after: bytes("one") }];
    archive.append([{ seq: 1, time: "2026-03-02T09:00:00Z", actor: "user", reason: "test", changes }]);
    const asked = fs.readFileSync(`${root}/trace`, "utf8").matchAll(/"fsync\/hardware-flush","value":"(\d+)"/gu);
    const objects = fs
      .readdirSync(`${root}/history.git/objects`, { recursive: true })
      .filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{38,}$|\.pack$/u.test(String(name)));
    expect(objects.length).toBeGreaterThan(0);
    expect([...asked].reduce((sum, [, times]) => sum + Number(times), 0)).toBeGreaterThan(objects.length + 1);
  });
});
