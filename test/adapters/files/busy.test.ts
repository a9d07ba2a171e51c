import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { createSqliteLock } from "../../../src/adapters/sqlite/lock.ts";
import type { StoreLock } from "../../../src/core/notes/store.ts";
import { MemoryError, type MemoryErrorCode } from "../../../src/core/shared/errors.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText, openTestStore, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };
const NOTE = noteText("a", "About a", "one");

/** A store with a note, to which others added another one. */
function withNews(more: Parameters<typeof openTestStore>[1] = {}) {
  const root = scratch(memoryDirectory());
  const store = openTestStore(root, { git: false, lockTimeoutMs: 10, ...more });
  store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
  store.reconcile("full");
  fs.writeFileSync(`${root}/notes/b.md`, noteText("b", "About b", "two"));
  const indexed = (): readonly string[] => store.index.entries().map(({ file }) => file);
  const whileWritten = <T>(work: () => T): T => createSqliteLock(`${root}/state/lock.db`).run(100, work);
  return { root, store, indexed, whileWritten };
}

describe("a store that another is writing to", () => {
  it.each(["quick", "full"] as const)("is read as the index knows it, and what others wrote is told (%s)", (mode) => {
    const { store, indexed, whileWritten } = withNews();
    expect(whileWritten(() => store.reconcile(mode)).added).toEqual(["b.md"]);
    expect(indexed()).toEqual(["a.md"]);
    expect(store.reconcile(mode).added).toEqual(["b.md"]);
    expect(indexed()).toEqual(["a.md", "b.md"]);
    store.close();
  });

  it("is waited for by a quick look no longer than a prompt can wait, by a full one as long as by a write", () => {
    const { root, store } = withNews();
    store.close();
    const waited: number[] = [];
    const lock: StoreLock = {
      run(timeoutMs) {
        waited.push(timeoutMs);
        throw new MemoryError("locked", "another is writing");
      },
      close: () => undefined,
    };
    const again = openTestStore(root, { git: false, lock, lockTimeoutMs: 7_000 });
    for (const mode of ["glance", "quick", "full"] as const) expect(again.reconcile(mode).added).toEqual(["b.md"]);
    expect(() => again.commit([], BY)).toThrow("another is writing");
    expect(waited).toEqual([50, 50, 7_000, 7_000]);
    again.close();
  });

  it("and whose index is lost is indexed all the same, without a version of it", () => {
    const { root, store, whileWritten } = withNews();
    store.close();
    fs.rmSync(`${root}/state/index.db`);
    const again = openTestStore(root, { git: false, lockTimeoutMs: 10 });
    const journal = fs.readFileSync(`${root}/state/journal.jsonl`, "utf8");
    expect(whileWritten(() => again.reconcile("quick")).added).toEqual(["a.md", "b.md"]);
    expect(again.index.entries().map(({ file }) => file)).toEqual(["a.md", "b.md"]);
    expect(fs.readFileSync(`${root}/state/journal.jsonl`, "utf8")).toBe(journal);
    again.close();
  });
});

describe("a store whose own directory fails", () => {
  it.each<[MemoryErrorCode, boolean]>([
    ["permission", true],
    ["disk-full", true],
    ["io", false],
  ])("with %s is read on: %s", (code, isRead) => {
    let isBroken = false;
    const files = {
      ...nodeFiles,
      append(file: string, content: Uint8Array) {
        if (isBroken) throw new MemoryError(code, "cannot append");
        nodeFiles.append(file, content);
      },
    };
    const { store, indexed } = withNews({ files });
    isBroken = true;
    const look = (): readonly string[] => store.reconcile("full").added;
    const told = ((): unknown => {
      try {
        return look();
      } catch (error) {
        return error instanceof MemoryError && error.code;
      }
    })();
    expect(told).toEqual(isRead ? ["b.md"] : code);
    expect(indexed()).toEqual(isRead ? ["a.md", "b.md"] : ["a.md"]);
    store.close();
  });

  it.each([
    ["in the journal", false, false],
    ["in the journal and in git", true, true],
    ["in git, with later ones in the journal", true, false],
  ])("still tells its versions: %s", (_, git, isArchived) => {
    const root = scratch(memoryDirectory());
    const store = openTestStore(root, { git });
    store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    if (git) store.history();
    const next = noteText("a", "About a", "two");
    store.commit([{ kind: "write", file: "a.md", base: new TextEncoder().encode(NOTE), content: next }], BY);
    if (isArchived) store.history();
    store.close();
    const lock: StoreLock = {
      run() {
        throw new MemoryError("permission", "the lock cannot be written");
      },
      close: () => undefined,
    };
    const before = fs.readFileSync(`${root}/state/journal.jsonl`, "utf8");
    const again = openTestStore(root, { git, lock });
    const history = again.history();
    expect(history.versions("a.md").map(({ seq }) => seq)).toEqual([2, 1]);
    expect([textOf(history.contentAt(1, "a.md")), textOf(history.contentAt(2, "a.md"))]).toEqual([NOTE, next]);
    expect(again.lives().present.has("a.md")).toBe(true);
    expect(() => again.commit([], BY)).toThrow("cannot be written");
    expect(fs.readFileSync(`${root}/state/journal.jsonl`, "utf8")).toBe(before);
    again.close();
  });

  it("by a fault of memdir's own passes that on, and nothing is taken for looked at", () => {
    let isBroken = false;
    const files = {
      ...nodeFiles,
      append(file: string, content: Uint8Array) {
        if (isBroken) throw new TypeError("a fault");
        nodeFiles.append(file, content);
      },
    };
    const { root, store, indexed } = withNews({ files });
    isBroken = true;
    expect(() => store.reconcile("full")).toThrow(TypeError);
    expect(() => store.commit([{ kind: "create", file: "c.md", content: NOTE }], BY)).toThrow(TypeError);
    expect(indexed()).toEqual(["a.md"]);
    isBroken = false;
    expect(store.reconcile("full").added).toEqual(["b.md"]);
    expect(fs.existsSync(`${root}/notes/c.md`)).toBe(false);
    store.close();
  });
});

const FILES = ["a.md", "b.md", "c.md"];
const textsIn = (root: string): readonly string[] =>
  FILES.map((file) => fs.readFileSync(`${root}/notes/${file}`, "utf8"));

describe.each(FILES)("a change of three files of which %s cannot be written", (broken) => {
  it.each([
    ["is taken back whole", false],
    ["is done or taken back whole by the next one, where taking it back fails too", true],
  ])("%s", (_, isLasting) => {
    let fault: "none" | "waiting" | "met" = "none";
    const files = {
      ...nodeFiles,
      create(file: string, content: Uint8Array) {
        if (fault === "waiting" && textOf(content) === `new ${broken}\n`) fault = "met";
        if (fault === "met") {
          if (!isLasting) fault = "none";
          throw new MemoryError("disk-full", "no room");
        }
        nodeFiles.create(file, content);
      },
    };
    const root = scratch(memoryDirectory());
    const store = openTestStore(root, { git: false, files });
    store.commit(
      FILES.map((file) => ({ kind: "create", file, content: `old ${file}\n` })),
      BY,
    );
    const [before, wanted] = [textsIn(root), FILES.map((file) => `new ${file}\n`)];
    fault = "waiting";
    const change = (file: string, content: string) =>
      ({ kind: "write", file, base: fs.readFileSync(`${root}/notes/${file}`), content }) as const;
    expect(() =>
      store.commit(
        FILES.map((file, at) => change(file, wanted[at] ?? "")),
        BY,
      ),
    ).toThrow("no room");
    const left = textsIn(root);
    fault = "none";
    store.commit([], BY);
    expect(isLasting ? [before, wanted] : [before]).toContainEqual(textsIn(root));
    expect(isLasting || left.join("") === before.join("")).toBe(true);
    const versions = store.history().versions().length;
    expect(versions).toBe(textsIn(root)[0] === before[0] ? 1 : 2);
    store.close();
  });
});
