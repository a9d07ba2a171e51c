import fs from "node:fs";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { describe, expect, it } from "vitest";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };

describe.each([{ git: true }, { git: false }])("a store (git: $git)", ({ git }) => {
  it("keeps a created note, lists it in MEMORY.md and finds it again after reopening", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    const result = store.commit(
      [
        {
          kind: "create",
          file: "project_freeze.md",
          content: noteText("merge-freeze", "No merges after Thursday", "Mobile cuts the branch."),
        },
      ],
      BY,
    );
    expect(result).toMatchObject({
      ok: true,
      outcomes: [{ outcome: "created" }],
      headroom: { lines: 199 - 0, omitted: 0 },
    });
    store.close();
    const again = openTestStore(root, { git });
    expect(again.index.entries().map(({ file }) => file)).toEqual(["project_freeze.md"]);
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8")).toContain(
      "- [Merge freeze](project_freeze.md) — No merges after Thursday",
    );
    again.close();
  });

  it("merges edits of different lines and keeps both versions of the same line", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    const base = noteText("a", "About a", "one\n\ntwo\n\nthree");
    store.commit([{ kind: "create", file: "a.md", content: base }], BY);
    fs.writeFileSync(`${root}/notes/a.md`, base.replace("three", "three, edited by hand"));
    const merged = store.commit(
      [{ kind: "write", file: "a.md", base: bytes(base), content: base.replace("one", "ONE") }],
      BY,
    );
    expect(merged).toMatchObject({ ok: true, outcomes: [{ outcome: "merged" }] });
    expect(textOf(store.read("a.md"))).toContain("ONE\n\ntwo\n\nthree, edited by hand");

    const both = store.commit(
      [{ kind: "write", file: "a.md", base: bytes(base), content: base.replace("three", "3") }],
      BY,
    );
    expect(both).toMatchObject({ ok: true, outcomes: [{ outcome: "kept-both", conflict: "a.conflict-1.md" }] });
    expect(textOf(store.read("a.md"))).toContain("three, edited by hand");
    expect(textOf(store.read("a.conflict-1.md"))).toContain("\n3\n");
    store.close();
  });

  it("refuses to create over a file, to write a deleted one and to delete a changed one, and then writes nothing", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    const base = noteText("a", "About a", "one");
    store.commit([{ kind: "create", file: "a.md", content: base }], BY);
    expect(
      store.commit(
        [
          { kind: "create", file: "b.md", content: base },
          { kind: "create", file: "a.md", content: "x" },
        ],
        BY,
      ),
    ).toMatchObject({ ok: false, outcomes: [{ outcome: "created" }, { outcome: "exists" }] });
    expect(store.read("b.md")).toBeUndefined();
    expect(store.commit([{ kind: "delete", file: "a.md", base: bytes("something else") }], BY)).toMatchObject({
      ok: false,
      outcomes: [{ outcome: "changed" }],
    });
    expect(store.commit([{ kind: "delete", file: "a.md", base: bytes(base) }], BY)).toMatchObject({ ok: true });
    expect(store.commit([{ kind: "write", file: "a.md", base: bytes(base), content: "y" }], BY)).toMatchObject({
      ok: false,
      outcomes: [{ outcome: "gone" }],
    });
    expect(fs.existsSync(`${root}/notes/MEMORY.md`)).toBe(false); // an index of nothing but ours goes with its last note
    store.close();
  });

  it("journals what others wrote, under their name, before anything replaces it", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    const first = noteText("a", "About a", "one");
    store.commit([{ kind: "create", file: "a.md", content: first }], BY);
    fs.writeFileSync(`${root}/notes/a.md`, `${first}\nby an editor\n`);
    fs.writeFileSync(`${root}/notes/b.md`, noteText("b", "New from outside", "text"));
    expect(store.reconcile("full")).toMatchObject({ added: ["b.md"], changed: ["a.md"] });
    fs.rmSync(`${root}/notes/b.md`);
    const versions = store.history().versions();
    expect(versions.map(({ actor, files }) => [actor, files.map(({ file, kind }) => `${kind} ${file}`)])).toEqual([
      ["external", ["deleted b.md"]],
      ["external", ["changed a.md", "added b.md"]],
      ["user", ["added a.md"]],
    ]);
    expect(textOf(store.history().contentAt(1, "a.md"))).toBe(first);
    expect(textOf(store.history().contentAt(2, "b.md"))).toContain("New from outside");
    expect(store.verify()).toEqual([]);
    store.close();
  });

  it("brings a note back that was aside while a line was appended to its name, however often that happens", () => {
    const root = scratch();
    let appends = 0;
    const store = openTestStore(root, {
      git,
      files: {
        ...nodeFiles,
        link: (from, to) => {
          if (appends > 0 && to.endsWith("/a.md")) fs.appendFileSync(to, `a person's line ${appends--}\n`);
          return nodeFiles.link(from, to);
        },
      },
    });
    const first = noteText("a", "About a", "one\n\ntwo\n\nthree\n\nfour");
    store.commit([{ kind: "create", file: "a.md", content: first }], BY);
    appends = 3;
    store.commit([{ kind: "write", file: "a.md", base: bytes(first), content: first.replace("one", "ONE") }], BY);
    const text = fs.readFileSync(`${root}/notes/a.md`, "utf8");
    for (const line of ["ONE", "four", "line 3", "line 2", "line 1"]) expect(text).toContain(line);
    expect(text.startsWith("---\nname: a\n")).toBe(true);
    store.close();
  });

  it.each(["apply", "topLines", "setState", "count"] as const)(
    "acknowledges a change that is saved though the index fails (%s), and makes the index good with the next one",
    (broken) => {
      const root = scratch();
      let isBroken = false;
      const store = openTestStore(root, {
        git,
        wrapIndex: (index) =>
          new Proxy(index, {
            get(target, key) {
              const value: unknown = Reflect.get(target, key);
              return isBroken && key === broken
                ? () => {
                    throw new MemoryError("io", "disk I/O error");
                  }
                : value;
            },
          }),
      });
      store.commit([{ kind: "create", file: "a.md", content: noteText("a", "About a", "one") }], BY);
      isBroken = true;
      expect(
        store.commit([{ kind: "create", file: "b.md", content: noteText("b", "About b", "two") }], BY),
      ).toMatchObject({ ok: true, headroom: { behind: "disk I/O error" } });
      expect(textOf(store.read("b.md"))).toContain("two");
      isBroken = false;
      const next = store.commit([{ kind: "create", file: "c.md", content: noteText("c", "About c", "three") }], BY);
      expect(next.ok && next.headroom.behind).toBe(undefined);
      expect(store.index.entries().map(({ file }) => file)).toEqual(["a.md", "b.md", "c.md"]);
      expect(textOf(store.read("MEMORY.md"))).toContain("(b.md)");
      expect(
        store
          .history()
          .versions()
          .filter(({ actor }) => actor === "user"),
      ).toHaveLength(3);
      store.close();
    },
  );

  it("forgets a note everywhere: no byte of it stays in any file, and it cannot come back by itself", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    const secret = "the-unmistakable-phrase";
    const text = noteText("private-thing", `Hook with ${secret}`, `Body with ${secret}.`);
    store.commit([{ kind: "create", file: "private_thing.md", content: text }], BY);
    store.commit([{ kind: "create", file: "other.md", content: noteText("other", "Stays", "kept") }], BY);
    fs.appendFileSync(
      `${root}/notes/MEMORY.md`,
      `- [By hand](private_thing.md) — ${secret} again\n- a line of my own\n`,
    );
    store.commit(
      [{ kind: "write", file: "private_thing.md", base: bytes(text), content: `${text}\nmore ${secret}\n` }],
      BY,
    );
    store.history();
    store.recordUse(["private_thing.md", "other.md"]);
    const receipt = store.forget("private_thing.md");
    expect(receipt?.purged.versions).toBeGreaterThanOrEqual(2);
    store.close();
    for (const [name, content] of filesBelow(root)) {
      expect(content.includes(secret), name).toBe(false);
      expect(content.includes("private_thing"), name).toBe(false);
    }
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8")).toContain("a line of my own");

    fs.writeFileSync(`${root}/notes/private_thing.md`, text);
    const again = openTestStore(root, { git });
    expect(again.reconcile("full").skipped).toMatchObject([{ file: "private_thing.md" }]);
    expect(again.index.entry("private_thing.md")).toBeUndefined();
    expect(textOf(again.history().contentAt(99, "other.md"))).toContain("kept");
    again.close();
  });

  it("takes the past of another store over once, into git at once where there is git", () => {
    const root = scratch();
    const [from, to] = [openTestStore(scratch(), { git }), openTestStore(root, { git })];
    from.commit([{ kind: "create", file: "a.md", content: noteText("a", "A", "words of the past") }], BY);
    const past = from.history().transactions();
    from.close();
    expect(to.adoptHistory(past)).toBe(true);
    expect(fs.readFileSync(`${root}/state/journal.jsonl`, "utf8").includes("words of the past")).toBe(!git);
    expect(to.history().transactions()).toEqual(past);
    expect(to.adoptHistory(past)).toBe(false);
    to.close();
    const own = openTestStore(scratch(), { git });
    fs.mkdirSync(own.directory);
    fs.writeFileSync(`${own.directory}/own.md`, "there before\n");
    expect(own.adoptHistory(past)).toBe(false);
    expect(own.history().filesAt(99)).toEqual(["own.md"]);
    own.close();
  });

  it("notes what others removed before it makes the index anew", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    store.commit([{ kind: "create", file: "a.md", content: noteText("a", "About a", "one") }], BY);
    fs.rmSync(`${root}/notes/a.md`);
    store.rebuildIndex();
    expect(store.index.count()).toBe(0);
    expect(store.history().versions("a.md")[0]).toMatchObject({ actor: "external", files: [{ kind: "deleted" }] });
    store.close();
  });

  it("rebuilds a deleted index to the same content without inventing history", () => {
    const root = scratch();
    const store = openTestStore(root, { git });
    for (const name of ["a", "b", "c"])
      store.commit(
        [{ kind: "create", file: `${name}.md`, content: noteText(name, `About ${name}`, `text of ${name}`) }],
        BY,
      );
    const count = store.history().versions().length;
    const digest = store.index.digest();
    store.close();
    for (const name of fs.readdirSync(`${root}/state`))
      if (name.startsWith("index.db")) fs.rmSync(`${root}/state/${name}`);
    const again = openTestStore(root, { git });
    again.reconcile("full");
    expect(again.index.digest()).toBe(digest);
    expect(again.history().versions().length).toBe(count);
    again.close();
  });
});
