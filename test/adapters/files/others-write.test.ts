import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../../src/adapters/files/journal.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { createFileReplacer } from "../../../src/adapters/files/replace-file.ts";
import type { FilePort } from "../../../src/core/notes/file-port.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { sha256 } from "../../../src/core/shared/hash.ts";
import { scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };
const BASE = noteText("a", "About a", "one\n\ntwo\n\nthree");
const OURS = BASE.replace("one", "ONE");
const THEIRS = BASE.replace("three", "three, by an editor");

interface Place {
  readonly place: string;
  readonly links: boolean;
  /** Whether files can be moved between the notes and the store's state. */
  readonly oneDevice: boolean;
}

/** The machine's file system where an editor does something just before a step. */
function withEditor(before: (step: "append" | "rename", path: string) => void, { links, oneDevice }: Place): FilePort {
  return {
    ...nodeFiles,
    append(path, content) {
      before("append", path);
      nodeFiles.append(path, content);
    },
    rename(from, to) {
      before("rename", from);
      return oneDevice || !to.includes("/displaced/") ? nodeFiles.rename(from, to) : "cross-device";
    },
    link: (from, to) => (links ? nodeFiles.link(from, to) : "unsupported"),
  };
}

/** A store with one note, whose editor saves once at a step of the next commit. */
function storeWithEditor(place: Place, at: "append" | "rename", save: (path: string) => void) {
  const root = scratch();
  const note = `${root}/notes/a.md`;
  let isWaiting = false;
  const files = withEditor((step, path) => {
    if (!isWaiting || step !== at || (at === "rename" && path !== note)) return;
    isWaiting = false;
    save(note);
  }, place);
  const store = openTestStore(root, { git: false, files });
  store.commit([{ kind: "create", file: "a.md", content: BASE }], BY);
  // The store knows by now what this file system cannot do.
  if (at === "append") {
    store.commit([{ kind: "create", file: "b.md", content: BASE }], BY);
    store.commit([{ kind: "write", file: "b.md", base: bytes(BASE), content: OURS }], BY);
  }
  isWaiting = true;
  return { root, note, store };
}

const PLACES: readonly Place[] = [
  { place: "links", links: true, oneDevice: true },
  { place: "no links", links: false, oneDevice: true },
  { place: "state on another device", links: true, oneDevice: false },
];

describe.each(PLACES)("an editor that saves while a note is replaced, on a file system with $place,", (place) => {
  it.each(["append", "rename"] as const)("just before the %s keeps its lines beside ours", (at) => {
    const { note, store } = storeWithEditor(place, at, (path) => fs.writeFileSync(path, THEIRS));
    const result = store.commit([{ kind: "write", file: "a.md", base: bytes(BASE), content: OURS }], BY);
    expect(result).toMatchObject({ ok: true, outcomes: [{ outcome: "merged" }] });
    expect(fs.readFileSync(note, "utf8")).toBe(THEIRS.replace("one", "ONE"));
    const versions = store.history().versions("a.md");
    expect(versions.map(({ actor }) => actor)).toEqual(["user", "external", "user"]);
    store.close();
  });

  it("keeps its text as it is when the note was to be deleted", () => {
    const { note, store } = storeWithEditor(place, "append", (path) => fs.writeFileSync(path, THEIRS));
    const result = store.commit([{ kind: "delete", file: "a.md", base: bytes(BASE) }], BY);
    expect(result).toMatchObject({ ok: false, outcomes: [{ outcome: "changed" }] });
    expect(fs.readFileSync(note, "utf8")).toBe(THEIRS);
    store.close();
  });

  it("again and again keeps its last text, and we say that nothing was changed", () => {
    const root = scratch();
    const note = `${root}/notes/a.md`;
    let saves = 0;
    const files = withEditor((step, path) => {
      if (saves > 0 && step === "append" && path.endsWith("journal.jsonl"))
        fs.writeFileSync(note, `${THEIRS}${saves++}\n`);
    }, place);
    const store = openTestStore(root, { git: false, files });
    store.commit([{ kind: "create", file: "a.md", content: BASE }], BY);
    saves = 1;
    expect(() => store.commit([{ kind: "write", file: "a.md", base: bytes(BASE), content: OURS }], BY)).toThrow(
      expect.objectContaining({ code: "conflict", message: expect.stringContaining("nothing was changed") }),
    );
    expect(saves).toBeGreaterThan(2);
    expect(fs.readFileSync(note, "utf8")).toBe(`${THEIRS}${saves - 1}\n`);
    store.close();
  });
});

it("what an editor saved in another encoding is never merged: it stays byte for byte, ours is kept beside it", () => {
  const root = scratch();
  const store = openTestStore(root, { git: false });
  store.commit([{ kind: "create", file: "a.md", content: BASE }], BY);
  const latin = Buffer.from(THEIRS.replace("two", "d\u00e9j\u00e0"), "latin1");
  fs.writeFileSync(`${root}/notes/a.md`, latin);
  const result = store.commit([{ kind: "write", file: "a.md", base: bytes(BASE), content: OURS }], BY);
  expect(result).toMatchObject({ ok: true, outcomes: [{ outcome: "kept-both" }] });
  expect(fs.readFileSync(`${root}/notes/a.md`).equals(latin)).toBe(true);
  const [outcome] = result.outcomes;
  const conflict = outcome?.outcome === "kept-both" ? outcome.conflict : "";
  expect(fs.readFileSync(`${root}/notes/${conflict}`, "utf8")).toBe(OURS);
  store.close();
});

it.each(["100%41.md", "a%2Fb.md", "50%.md", "sub/a~b.md"])(
  "the copy that was moved aside of %s is found under this name",
  (file) => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes/sub`, { recursive: true });
    const replacer = createFileReplacer(`${root}/notes`, `${root}/state`, nodeFiles, () => 1_000);
    fs.writeFileSync(`${root}/notes/${file}`, "old");
    expect(replacer.replace(file, bytes("new"), sha256(bytes("old")))).toBe("done");
    expect(replacer.displaced(file).map(textOf)).toEqual(["old"]);
    const late: string[] = [];
    fs.writeFileSync(`${root}/state/displaced/${fs.readdirSync(`${root}/state/displaced`)[0]}`, "late");
    replacer.sweepDisplaced(
      () => true,
      ({ file: name }, content) => late.push(`${name}: ${textOf(content)}`) > 0,
    );
    expect(late).toEqual([`${file}: late`]);
  },
);

it("recovery leaves a file as others left it after the change that was broken off", () => {
  const root = scratch();
  const store = openTestStore(root, { git: false });
  const two = { "a.md": BASE, "b.md": BASE.replace("About a", "About b") };
  store.commit(
    Object.entries(two).map(([file, content]) => ({ kind: "create" as const, file, content })),
    BY,
  );
  store.close();
  const journal = openJournal(`${root}/state`, nodeFiles);
  const change = (file: "a.md" | "b.md") => ({ file, before: bytes(two[file]), after: bytes(`${two[file]}\nours\n`) });
  const time = "2026-03-02T10:00:00Z";
  const seq = journal.nextSeq();
  journal.commit({ seq, time, actor: "user", reason: "test", changes: [change("a.md"), change("b.md")] });
  const theirs = [{ file: "a.md", before: undefined, after: bytes(two["a.md"]) }];
  journal.commit({ seq: seq + 1, time, actor: "external", reason: "put back", changes: theirs });
  const again = openTestStore(root, { git: false });
  again.commit([{ kind: "create", file: "c.md", content: noteText("c", "About c", "text") }], BY);
  expect(fs.readFileSync(`${root}/notes/a.md`, "utf8")).toBe(two["a.md"]);
  expect(fs.readFileSync(`${root}/notes/b.md`, "utf8")).toBe(`${two["b.md"]}\nours\n`);
  again.close();
});

it("what an editor saved into one of several notes that are changed together has a version of its own", () => {
  const root = scratch();
  const store = openTestStore(root, { git: false });
  store.commit([{ kind: "create", file: "a.md", content: BASE }], BY);
  fs.writeFileSync(`${root}/notes/a.md`, THEIRS);
  store.commit(
    [
      { kind: "create", file: "b.md", content: BASE },
      { kind: "write", file: "a.md", base: bytes(BASE), content: OURS },
    ],
    BY,
  );
  const history = store.history();
  const theirs = history.versions("a.md").find(({ actor }) => actor === "external");
  expect(textOf(history.contentAt(theirs?.seq ?? 0, "a.md"))).toBe(THEIRS);
  store.close();
});

it("notes that were there before memdir are told from those that others wrote later", () => {
  const root = scratch();
  fs.mkdirSync(`${root}/notes`);
  const store = openTestStore(root, { git: false });
  for (const file of ["a.md", "b.md"]) {
    fs.writeFileSync(`${root}/notes/${file}`, BASE);
    store.reconcile("full");
  }
  expect(
    store
      .history()
      .versions()
      .map(({ reason }) => reason),
  ).toEqual(["changed outside memdir", "notes found"]);
  store.close();
});

describe("a look at what others wrote", () => {
  it("sees a file that changed in size alone, and one that changed in time alone", () => {
    const root = scratch();
    const store = openTestStore(root, { git: false });
    for (const file of ["a.md", "b.md", "c.md"]) store.commit([{ kind: "create", file, content: BASE }], BY);
    store.reconcile("full");
    const day = new Date("2026-03-01T10:00:00Z");
    for (const file of ["a.md", "b.md", "c.md"]) fs.utimesSync(`${root}/notes/${file}`, day, day);
    expect(store.reconcile("full").changed).toEqual([]);
    fs.writeFileSync(`${root}/notes/a.md`, `${BASE}longer\n`);
    fs.utimesSync(`${root}/notes/a.md`, day, day);
    fs.writeFileSync(`${root}/notes/b.md`, BASE.replace("one", "eno"));
    expect(store.reconcile("full").changed.toSorted()).toEqual(["a.md", "b.md"]);
    store.close();
  });

  it("names what it passed over also where there is no note", () => {
    const root = scratch();
    fs.mkdirSync(`${root}/notes`);
    fs.symlinkSync(`${root}/elsewhere.md`, `${root}/notes/link.md`);
    const store = openTestStore(root, { git: false });
    expect(store.reconcile("full").skipped).toMatchObject([{ file: "link.md" }]);
    store.close();
  });

  it("takes in all but the file that cannot be read, and names that one", () => {
    const root = scratch();
    let isBroken = false;
    const files: FilePort = {
      ...nodeFiles,
      read(path) {
        if (isBroken && path.endsWith("/b.md")) throw new MemoryError("io", "cannot read b.md: a bad sector");
        return nodeFiles.read(path);
      },
    };
    const store = openTestStore(root, { git: false, files });
    store.commit([{ kind: "create", file: "a.md", content: BASE }], BY);
    for (const file of ["b.md", "c.md"]) fs.writeFileSync(`${root}/notes/${file}`, BASE);
    isBroken = true;
    const found = store.reconcile("full");
    expect(found).toMatchObject({
      added: ["c.md"],
      skipped: [{ file: "b.md", reason: expect.stringContaining("bad sector") }],
    });
    isBroken = false;
    expect(store.reconcile("full").added).toEqual(["b.md"]);
    store.close();
  });
});
