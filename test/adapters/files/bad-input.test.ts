import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { MemoryError, type MemoryErrorCode } from "../../../src/core/shared/errors.ts";
import { codeOf } from "../../support/errors.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, steppingClock, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };
const NOTE = noteText("a", "About a", "text of a");

describe("a name", () => {
  it.each([
    "../out.md",
    "/etc/out.md",
    "sub/../../out.md",
    "C:\\out.md",
    "c:/out.md",
    "~/out.md",
    "con.md",
    "sub/aux.md",
    "LPT1.md",
    "MEMORY.md",
    "memory.md",
    ".hidden.md",
    "a/.git/b.md",
    "nul\0byte.md",
    "line\nbreak.md",
    "half-\uD800-character.md",
    "question?.md",
    "dot..md/x.md/",
    "team/note.md",
    `${"x".repeat(300)}.md`,
    "not-markdown.txt",
    "",
  ])("%j is refused, and nothing is written", (file) => {
    const root = scratch();
    const store = openTestStore(root, { git: false, excluded: ["team"] });
    expect(codeOf(() => store.commit([{ kind: "create", file, content: NOTE }], BY))).toBe("invalid-input");
    expect([...filesBelow(root).keys()].filter((name) => name.endsWith(".md") || name.includes("journal"))).toEqual([]);
    store.close();
  });

  it.each([
    "naïve café.md",
    "日本語のメモ.md",
    "🎉.md",
    "a~b%41.md",
    `${"é".repeat(90)}.md`,
    "deep/er/er/note.md",
    "it's (1).md",
  ])("%j is kept, replaced, deleted and listed", (file) => {
    const root = scratch();
    const store = openTestStore(root, { git: true });
    const edited = NOTE.replace("text", "TEXT");
    expect(store.commit([{ kind: "create", file, content: NOTE }], BY)).toMatchObject({ ok: true });
    expect(store.commit([{ kind: "write", file, base: bytes(NOTE), content: edited }], BY)).toMatchObject({ ok: true });
    expect(store.index.entries().map((entry) => entry.file)).toEqual([file]);
    expect(textOf(store.history().contentAt(1, file))).toBe(NOTE);
    expect(store.commit([{ kind: "delete", file, base: bytes(edited) }], BY)).toMatchObject({ ok: true });
    expect(store.read(file)).toBeUndefined();
    expect(textOf(store.history().contentAt(2, file))).toBe(edited);
    store.close();
  });

  it("that differs from another in case alone is a note of its own where the file system says so", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "Foo.md", content: NOTE }], BY);
    const isOne = fs.existsSync(`${root}/notes/foo.md`);
    expect(store.commit([{ kind: "create", file: "foo.md", content: NOTE }], BY).outcomes[0]?.outcome).toBe(
      isOne ? "exists" : "created",
    );
    store.forget("Foo.md");
    expect(store.index.entries().map(({ file }) => file)).toEqual(isOne ? [] : ["foo.md"]);
    store.close();
  });

  it("outside the store is neither read nor forgotten", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/out.md`, "outside");
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    expect(store.read("../out.md")).toBeUndefined();
    expect(codeOf(() => store.forget("../out.md"))).toBe("invalid-input");
    expect(codeOf(() => store.forget("MEMORY.md"))).toBe("invalid-input");
    expect(fs.readFileSync(`${root}/out.md`, "utf8")).toBe("outside");
    store.close();
  });

  it("given twice in one transaction, or the actor of others, is refused", () => {
    const store = openTestStore(scratch(), { git: false });
    const change = { kind: "create", file: "a.md", content: NOTE } as const;
    expect(codeOf(() => store.commit([change, change], BY))).toBe("invalid-input");
    expect(codeOf(() => store.commit([change], { ...BY, actor: "external" }))).toBe("invalid-input");
    store.close();
  });
});

describe("a symbolic link", () => {
  it("in place of a note is refused, and its target stays untouched", () => {
    const root = scratch();
    fs.writeFileSync(`${root}/secret.md`, "outside");
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    fs.rmSync(`${root}/notes/a.md`);
    fs.symlinkSync(`${root}/secret.md`, `${root}/notes/a.md`);
    expect(store.reconcile("full").skipped).toMatchObject([{ file: "a.md" }]);
    expect(
      codeOf(() => store.commit([{ kind: "write", file: "a.md", base: bytes("outside"), content: "mine" }], BY)),
    ).toBe("invalid-input");
    expect(codeOf(() => store.commit([{ kind: "delete", file: "a.md", base: bytes("outside") }], BY))).toBe(
      "invalid-input",
    );
    expect(codeOf(() => store.forget("a.md"))).toBe("invalid-input");
    expect(fs.readFileSync(`${root}/secret.md`, "utf8")).toBe("outside");
    store.close();
  });

  it("in place of a directory of notes is not written through", () => {
    const root = scratch();
    fs.mkdirSync(`${root}/elsewhere`);
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    fs.symlinkSync(`${root}/elsewhere`, `${root}/notes/sub`);
    expect(codeOf(() => store.commit([{ kind: "create", file: "sub/b.md", content: NOTE }], BY))).toBe("invalid-input");
    expect(fs.readdirSync(`${root}/elsewhere`)).toEqual([]);
    store.close();
  });
});

describe("a MEMORY.md", () => {
  it.each([
    ["is a directory", (path: string) => fs.mkdirSync(path)],
    ["is a link", (path: string) => fs.symlinkSync(`${path}.target`, path)],
    ["is not UTF-8", (path: string) => fs.writeFileSync(path, Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x0a]))],
  ])("that %s is left as it is, and notes are written all the same", (_, make) => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes`);
    fs.writeFileSync(`${root}/notes/MEMORY.md.target`, "- mine\n");
    make(`${root}/notes/MEMORY.md`);
    const before = fs.lstatSync(`${root}/notes/MEMORY.md`).ino;
    const store = openTestStore(root, { git: false });
    expect(store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY)).toMatchObject({ ok: true });
    expect(
      store.commit([{ kind: "write", file: "a.md", base: bytes(NOTE), content: `${NOTE}more\n` }], BY),
    ).toMatchObject({ ok: true });
    expect(store.forget("a.md")).toBeDefined();
    expect(fs.lstatSync(`${root}/notes/MEMORY.md`).ino).toBe(before);
    expect(fs.readFileSync(`${root}/notes/MEMORY.md.target`, "utf8")).toBe("- mine\n");
    store.close();
  });
});

describe("a note's content", () => {
  it("of 10 MB is kept, merged and found again", { tags: ["slow"] }, () => {
    const root = scratch();
    const store = openTestStore(root, { git: true });
    const big = noteText("big", "A big one", `first\n\n${"lorem ipsum dolor\n".repeat(600_000)}\nlast`);
    expect(store.commit([{ kind: "create", file: "big.md", content: big }], BY)).toMatchObject({ ok: true });
    expect(
      store.commit([{ kind: "write", file: "big.md", base: bytes(big), content: big.replace("first", "FIRST") }], BY),
    ).toMatchObject({ ok: true });
    expect(store.index.entry("big.md")?.problems.map(({ code }) => code)).toContain("oversize");
    expect(store.history().contentAt(1, "big.md")?.byteLength).toBe(Buffer.byteLength(big));
    store.close();
  });

  it("with NUL bytes or invalid UTF-8 is indexed, journalled byte for byte and never rewritten", () => {
    const root = scratch();
    const store = openTestStore(root, { git: true });
    store.commit([{ kind: "create", file: "ok.md", content: NOTE }], BY);
    const broken = Buffer.from("---\nname: broken\n---\n\n\xff\xfe bytes\0and NUL\n", "latin1");
    fs.writeFileSync(`${root}/notes/broken.md`, broken);
    expect(store.reconcile("full").added).toEqual(["broken.md"]);
    expect(store.index.entry("broken.md")?.problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["invalid-utf8", "nul-bytes"]),
    );
    const result = store.commit(
      [{ kind: "write", file: "broken.md", base: bytes("what somebody saw"), content: "mine" }],
      BY,
    );
    expect(result).toMatchObject({ ok: true, outcomes: [{ outcome: "kept-both", conflict: "broken.conflict-1.md" }] });
    expect(Buffer.compare(fs.readFileSync(`${root}/notes/broken.md`), broken)).toBe(0);
    expect(Buffer.compare(store.history().contentAt(99, "broken.md") ?? Buffer.alloc(0), broken)).toBe(0);
    store.close();
  });

  it("that the disk gives two times within one tick of its clock is seen both times", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false, clock: { now: () => Date.now(), timeZone: "UTC" } });
    store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    const stamp = fs.statSync(`${root}/notes/a.md`);
    fs.writeFileSync(`${root}/notes/a.md`, NOTE.replace("text", "TEXT"));
    fs.utimesSync(`${root}/notes/a.md`, stamp.atime, stamp.mtime);
    expect(store.reconcile("full").changed).toEqual(["a.md"]);
    store.close();
  });
});

describe("a clock", () => {
  it("that is set back or forward between operations loses nothing", () => {
    const root = scratch();
    const clock = steppingClock();
    const store = openTestStore(root, { git: true, clock });
    let text = NOTE;
    store.commit([{ kind: "create", file: "a.md", content: text }], BY);
    for (const day of ["2031-01-01", "1980-01-01", "1969-12-31", "2026-03-02"]) {
      clock.set(Date.parse(`${day}T00:00:00Z`));
      const next = `${text}${day}\n`;
      expect(store.commit([{ kind: "write", file: "a.md", base: bytes(text), content: next }], BY)).toMatchObject({
        ok: true,
      });
      text = next;
    }
    expect(textOf(store.read("a.md"))).toBe(text);
    expect(
      store
        .history()
        .versions("a.md")
        .map(({ seq }) => seq),
    ).toEqual([5, 4, 3, 2, 1]);
    store.close();
  });
});

/** A note and the index of which an editor still holds the old files open when both are replaced: it writes into them. */
function withLateWords(store: ReturnType<typeof openTestStore>, root: string): void {
  store.commit([{ kind: "create", file: "a~b.md", content: NOTE }], BY);
  const open = ["a~b.md", "MEMORY.md"].map((file) => fs.openSync(`${root}/notes/${file}`, "a"));
  store.commit([{ kind: "write", file: "a~b.md", base: bytes(NOTE), content: NOTE.replace("About a", "Changed") }], BY);
  fs.writeSync(open[0] as number, "late words\n");
  fs.writeSync(open[1] as number, "- a late line\n");
  for (const file of open) fs.closeSync(file);
}

describe("a displaced copy that an editor still wrote into", () => {
  it("comes back when somebody only reads, as no write may follow", () => {
    const root = scratch();
    const clock = steppingClock();
    const store = openTestStore(root, { git: false, clock });
    withLateWords(store, root);
    clock.set(Date.parse("2026-03-02T10:00:00Z"));
    store.reconcile("quick");
    expect(fs.readFileSync(`${root}/notes/a~b.conflict-1.md`, "utf8")).toBe(`${NOTE}late words\n`);
    expect(textOf(store.read("a~b.conflict-1.md"))).toContain("late words");
    expect(store.history().versions("a~b.conflict-1.md")).toMatchObject([{ actor: "external" }]);
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8").split("\n")).toContain("- a late line");
    expect(fs.readdirSync(`${root}/state/displaced`).filter((name) => name.includes("a%7Eb.md"))).toEqual([]);
    store.close();
  });

  it("stays until it is kept, when another program takes its place at the same moment", () => {
    const root = scratch();
    const clock = steppingClock();
    let isTaken = false;
    const files: typeof nodeFiles = {
      ...nodeFiles,
      link(from, to) {
        if (!isTaken && to.endsWith("a~b.conflict-1.md")) {
          isTaken = true;
          fs.writeFileSync(to, "an editor's own\n");
        }
        return nodeFiles.link(from, to);
      },
    };
    const store = openTestStore(root, { git: false, clock, files });
    withLateWords(store, root);
    for (const day of [2, 3]) {
      clock.set(Date.parse(`2026-03-0${day}T10:00:00Z`));
      store.reconcile("full");
    }
    expect(isTaken).toBe(true);
    expect(fs.readFileSync(`${root}/notes/a~b.conflict-1.md`, "utf8")).toBe("an editor's own\n");
    expect(fs.readFileSync(`${root}/notes/a~b.conflict-2.md`, "utf8")).toBe(`${NOTE}late words\n`);
    store.close();
  });

  it("comes back as a conflict beside the note, once, and its lines come back into MEMORY.md", () => {
    const root = scratch();
    const clock = steppingClock();
    const store = openTestStore(root, { git: false, clock });
    withLateWords(store, root);
    clock.set(Date.parse("2026-03-02T10:00:00Z"));
    store.commit([{ kind: "create", file: "c.md", content: NOTE }], BY);
    expect(fs.readFileSync(`${root}/notes/a~b.conflict-1.md`, "utf8")).toBe(`${NOTE}late words\n`);
    expect(fs.readFileSync(`${root}/notes/MEMORY.md`, "utf8").split("\n")).toContain("- a late line");
    expect(fs.existsSync(`${root}/notes/a~b.conflict-2.md`)).toBe(false);
    store.close();
  });
});

describe("a store that cannot be written", () => {
  const refuse = (code: MemoryErrorCode, where: string): typeof nodeFiles => {
    const check = (path: string): void => {
      if (path.includes(where)) throw new MemoryError(code, `injected ${code} for ${path}`);
    };
    return {
      ...nodeFiles,
      create: (path, content) => (check(path), nodeFiles.create(path, content)),
      append: (path, content) => (check(path), nodeFiles.append(path, content)),
      rename: (from, to) => (check(to), nodeFiles.rename(from, to)),
      note: (path, content) => (check(path), nodeFiles.note(path, content)),
    };
  };

  it.each([
    ["permission", "/notes/"],
    ["permission", "/state/"],
    ["disk-full", "/notes/"],
    ["disk-full", "/state/"],
  ] as const)("for %s in %s says so, loses nothing, and is read and searched on", (code, where) => {
    const root = scratch();
    const first = openTestStore(root, { git: false });
    first.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    first.close();
    const store = openTestStore(root, { git: false, files: refuse(code, where) });
    expect(codeOf(() => store.commit([{ kind: "write", file: "a.md", base: bytes(NOTE), content: "mine" }], BY))).toBe(
      code,
    );
    expect(textOf(store.read("a.md"))).toBe(NOTE);
    fs.writeFileSync(`${root}/notes/b.md`, noteText("b", "From outside", "zebra"));
    store.reconcile("full");
    store.recordUse(["a.md"]);
    expect(store.index.search(["zebra"], 5).candidates.map(({ entry }) => entry.file)).toEqual(["b.md"]);
    store.close();
    const again = openTestStore(root, { git: false });
    expect(
      again.commit([{ kind: "write", file: "a.md", base: bytes(NOTE), content: `${NOTE}more\n` }], BY),
    ).toMatchObject({ ok: true });
    again.close();
  });

  // Root writes wherever it likes: there the injected errors above stand for the real ones.
  it.skipIf(process.getuid?.() === 0)("because its directory is read-only says so", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    store.commit([{ kind: "create", file: "a.md", content: NOTE }], BY);
    fs.chmodSync(`${root}/notes`, 0o500);
    expect(codeOf(() => store.commit([{ kind: "create", file: "b.md", content: NOTE }], BY))).toBe("permission");
    fs.chmodSync(`${root}/notes`, 0o700);
    store.close();
  });
});
